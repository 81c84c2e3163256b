import { describe, expect, it } from 'vitest'
import { createSeededRandom } from '@paraph/service/seeded-random-fixture'
import { admit, createWindowLog, stateOf, WINDOW_MS } from './rate-limit.js'

describe('the sliding window [Limits, D27]', () => {
  it('admits iff fewer than the limit were admitted in the last 60 s, as a plain list would say, over random histories', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const random = createSeededRandom(seed)
      const log = createWindowLog()
      const admitted: number[] = []
      const actual: unknown[] = []
      const expected: unknown[] = []
      let limit = 1 + Math.floor(random() * 40)
      let nowMs = Math.floor(random() * 1e6)
      for (let step = 0; step < 400; step += 1) {
        // Bursts, pauses, pauses of exactly one window, and now and then another tier.
        const kind = random()
        nowMs +=
          kind < 0.5 ? 0 : kind < 0.9 ? Math.floor(random() * 4_000) : kind < 0.97 ? WINDOW_MS : random() * 200_000
        if (random() < 0.01) limit = 1 + Math.floor(random() * 40)
        const inWindow = admitted.filter((at) => at > nowMs - WINDOW_MS)
        const isAdmitted = inWindow.length < limit
        actual.push([admit(log, limit, nowMs), stateOf(log, limit, nowMs)])
        if (isAdmitted) {
          admitted.push(nowMs)
          inWindow.push(nowMs)
        }
        const oldest = inWindow[0]
        const resetSeconds = oldest === undefined ? 60 : Math.max(1, Math.ceil((oldest + WINDOW_MS - nowMs) / 1_000))
        expected.push([isAdmitted, { limit, remaining: Math.max(0, limit - inWindow.length), resetSeconds }])
      }
      expect(actual).toEqual(expected)
    }
  })

  it('keeps the order of its ring when it grows around the end', () => {
    const log = createWindowLog()
    for (let at = 0; at < 10; at += 1) admit(log, 1_000, at)
    for (let at = 0; at < 300; at += 1) admit(log, 1_000, WINDOW_MS + 5 + at)
    expect(log.size).toBe(4 + 300 - 4)
    expect(stateOf(log, 1_000, WINDOW_MS + 304)).toMatchObject({ remaining: 700, resetSeconds: 60 })
  })

  it('leaves no trace of a refused request', () => {
    const log = createWindowLog()
    expect(admit(log, 1, 0)).toBe(true)
    for (let at = 1; at < WINDOW_MS; at += 500) expect(admit(log, 1, at)).toBe(false)
    expect(admit(log, 1, WINDOW_MS)).toBe(true)
  })

  it('never refuses a lone client that sleeps as long as Reset says after a 429', () => {
    const random = createSeededRandom(42)
    const log = createWindowLog()
    let nowMs = 0
    for (let step = 0; step < 20_000; step += 1) {
      nowMs += random() * 900
      if (admit(log, 60, nowMs)) continue
      nowMs += stateOf(log, 60, nowMs).resetSeconds * 1_000
      expect(admit(log, 60, nowMs)).toBe(true)
    }
  })

  it('says 60 for an empty log and never less than 1', () => {
    const log = createWindowLog()
    expect(stateOf(log, 60, 5)).toEqual({ limit: 60, remaining: 60, resetSeconds: 60 })
    admit(log, 60, 0)
    expect(stateOf(log, 60, WINDOW_MS - 0.001).resetSeconds).toBe(1)
  })

  it('gives the memory of a burst back', () => {
    const log = createWindowLog()
    for (let at = 0; at < 10_000; at += 1) admit(log, 10_000, at / 10)
    stateOf(log, 10_000, 3 * WINDOW_MS)
    expect(log.admittedAtMs.length).toBeLessThan(100)
  })
})
