import { describe, expect, it } from '@jest/globals'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { admit, createWindowLog, recordAdmission, stateOf, WINDOW_MS } from './sliding-window.js'

const DAY_MS = 86_400_000
const between = (random: () => number, from: number, to: number) => from + Math.floor(random() * (to - from))

describe('the sliding window [Limits, D27]', () => {
  it('admits iff fewer than the limit were admitted in the last 60 s, like a plain list, over random histories [S24.5]', () => {
    // The clock of a new process, of one whose milliseconds pass 2^32, and of one that has run for ten years.
    for (const startMs of [0, 2 ** 32 - 90_000, 3_653 * DAY_MS]) {
      for (let seed = 1; seed <= 100; seed += 1) {
        const random = createSeededRandom(seed)
        const log = createWindowLog()
        const admitted: number[] = []
        const actual: unknown[] = []
        const expected: unknown[] = []
        let limit = between(random, 1, 41)
        // Eighths of a millisecond are whole microseconds, so nothing is rounded.
        let nowMs = startMs + between(random, 0, 1e6) / 8
        for (let step = 0; step < 400; step += 1) {
          // Bursts, pauses, pauses of one window, of days, and of the 71 minutes after which the 32-bit stamps repeat; other tiers.
          const kind = random()
          if (kind >= 0.5 && kind < 0.9) nowMs += between(random, 0, 32_000) / 8
          else if (kind < 0.95) nowMs += kind < 0.5 ? 0 : WINDOW_MS
          else if (kind < 0.97) nowMs += 2 ** 32 / 1_000 + between(random, -8, 8) / 8
          else nowMs += between(random, 0, kind < 0.99 ? 200_000 : 60 * DAY_MS)
          nowMs = Math.floor(nowMs * 8) / 8
          if (random() < 0.01) limit = between(random, 1, 41)
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
    }
  })

  it('keeps each admission for exactly 60 s to the microsecond, at any fraction of a microsecond', () => {
    const random = createSeededRandom(7)
    for (let round = 0; round < 5_000; round += 1) {
      const log = createWindowLog()
      const nowMs = random() * 10_000
      admit(log, 1, nowMs)
      expect(admit(log, 1, nowMs + WINDOW_MS - 1e-3 * random() - 1e-6)).toBe(false)
      expect(admit(log, 1, nowMs + WINDOW_MS + 2e-3)).toBe(true)
    }
  })

  it('keeps the order of its ring buffer when the buffer grows', () => {
    const log = createWindowLog()
    for (let at = 0; at < 10; at += 1) admit(log, 1_000, at)
    for (let at = 0; at < 300; at += 1) admit(log, 1_000, WINDOW_MS + 5 + at)
    expect(log.size).toBe(4 + 300 - 4)
    expect(stateOf(log, 1_000, WINDOW_MS + 304)).toMatchObject({ remaining: 700, resetSeconds: 60 })
  })

  it('does not change on a refused request', () => {
    const log = createWindowLog()
    expect(admit(log, 1, 0)).toBe(true)
    for (let at = 1; at < WINDOW_MS; at += 500) expect(admit(log, 1, at)).toBe(false)
    expect(admit(log, 1, WINDOW_MS)).toBe(true)
  })

  it('never refuses a single client that sleeps until Reset after a 429 [S23.2]', () => {
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

  it('returns a Reset of 60 for an empty log, and always between 1 and 60', () => {
    const log = createWindowLog()
    expect(stateOf(log, 60, 5)).toEqual({ limit: 60, remaining: 60, resetSeconds: 60 })
    admit(log, 60, 5.000_1)
    expect(stateOf(log, 60, 5.000_1).resetSeconds).toBe(60)
    expect(stateOf(log, 60, 5 + WINDOW_MS - 0.001).resetSeconds).toBe(1)
  })

  it('records admissions of another store even beyond the limit, and then keeps the newest', () => {
    const log = createWindowLog()
    for (let at = 0; at < 25; at += 1) recordAdmission(log, 20, at * 1_000)
    expect(stateOf(log, 20, 24_000)).toEqual({ limit: 20, remaining: 0, resetSeconds: 41 })
    expect(admit(log, 20, WINDOW_MS + 4_999)).toBe(false)
    expect(admit(log, 20, WINDOW_MS + 5_000)).toBe(true)
  })

  it('uses 4 bytes for each admission and none beyond the limit, and frees the memory of a burst', () => {
    const log = createWindowLog()
    for (let at = 0; at < 5_000; at += 1) admit(log, 1_000, at / 10)
    expect(log.admittedAtUs.byteLength).toBe(4_000)
    stateOf(log, 1_000, 3 * WINDOW_MS)
    expect(log.admittedAtUs.byteLength).toBeLessThan(100)
  })
})
