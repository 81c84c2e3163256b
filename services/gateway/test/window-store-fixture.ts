// The tests of every window store, which run with a clock that the test moves. [Limits, D27]
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { WINDOW_MS } from '../src/rate-limit/sliding-window.js'
import type { Admission, WindowStore } from '../src/rate-limit/sliding-window.js'

interface OpenedStore {
  windows: WindowStore
  close(): Promise<void>
}

/** @param open opens a store that uses the clock `nowMs`, which never runs backwards */
export function describeWindowStore(
  name: string,
  open: (nowMs: () => number) => Promise<OpenedStore>,
  { histories }: { histories: number },
): void {
  describe(`the window store ${name} [Limits, D27]`, () => {
    let store: OpenedStore
    let nowMs = 0
    let windowsUsed = 0
    beforeAll(async () => {
      store = await open(() => nowMs)
    })
    afterAll(() => store.close())

    /** Moves the clock far ahead. @returns a function that requests a slot in an unused window */
    function newWindow() {
      const window = `account-${(windowsUsed += 1)} production`
      nowMs += 10 * WINDOW_MS
      return (limit: number): Promise<Admission> => Promise.resolve(store.windows.admit(window, limit))
    }

    it('admits the limit, reports the remaining requests after each one, and refuses the request after the limit', async () => {
      const admit = newWindow()
      const seen: unknown[] = []
      for (let at = 0; at < 5; at += 1) {
        const { admitted, state } = await admit(3)
        seen.push([admitted, state()])
        nowMs += 1_000
      }
      expect(seen).toEqual([
        [true, { limit: 3, remaining: 2, resetSeconds: 60 }],
        [true, { limit: 3, remaining: 1, resetSeconds: 59 }],
        [true, { limit: 3, remaining: 0, resetSeconds: 58 }],
        [false, { limit: 3, remaining: 0, resetSeconds: 57 }],
        [false, { limit: 3, remaining: 0, resetSeconds: 56 }],
      ])
    })

    it('counts each window separately', async () => {
      const [one, other] = [newWindow(), newWindow()]
      expect([(await one(1)).admitted, (await other(1)).admitted, (await one(1)).admitted]).toEqual([true, true, false])
    })

    it('admits exactly the limit of many concurrent requests, in order of arrival, each with its own Remaining', async () => {
      const admit = newWindow()
      await admit(40)
      const admissions = await Promise.all(Array.from({ length: 100 }, () => admit(40)))
      expect(admissions.map(({ admitted }) => admitted)).toEqual(Array.from({ length: 100 }, (_, at) => at < 39))
      expect(admissions.at(-1)!.state()).toMatchObject({ remaining: 0, resetSeconds: 60 })
    })

    it('computes Reset when the reply is written, not when the request arrives', async () => {
      const { state } = await newWindow()(10)
      nowMs += 20_500
      expect(state().resetSeconds).toBe(40)
      nowMs += 39_400
      expect(state().resetSeconds).toBe(1)
    })

    it('counts an admission until it is exactly 60 s old', async () => {
      const admit = newWindow()
      await admit(1)
      nowMs += WINDOW_MS - 1
      expect((await admit(1)).admitted).toBe(false)
      nowMs += 1
      expect((await admit(1)).admitted).toBe(true)
    })

    it('applies the limit of a changed tier', async () => {
      const admit = newWindow()
      for (let at = 0; at < 5; at += 1) await admit(10)
      expect((await admit(3)).admitted).toBe(false)
      expect((await admit(6)).admitted).toBe(true)
    })

    it('decides like a plain list over random histories in whole milliseconds', async () => {
      for (let seed = 1; seed <= histories; seed += 1) {
        const random = createSeededRandom(seed)
        const admit = newWindow()
        const limit = 1 + Math.floor(random() * (seed % 5 === 0 ? 400 : 30))
        const actual: unknown[] = []
        const expected: unknown[] = []
        let inWindow: number[] = []
        for (let step = 0; step < 150; step += 1) {
          // Bursts, pauses, a pause of exactly one window, long pauses.
          const kind = random()
          if (kind > 0.3) nowMs += Math.floor(random() * (kind < 0.93 ? 90_000 / limit : 20_000))
          if (kind > 0.97) nowMs += kind < 0.985 ? WINDOW_MS : Math.floor(random() * 400_000)
          const burst = 1 + Math.floor(random() * random() * 8)
          const admissions = await Promise.all(Array.from({ length: burst }, () => admit(limit)))
          inWindow = inWindow.filter((at) => at > nowMs - WINDOW_MS)
          const free = Math.max(0, Math.min(burst, limit - inWindow.length))
          inWindow.push(...Array<number>(free).fill(nowMs))
          const resetSeconds = Math.max(1, Math.ceil(((inWindow[0] ?? 0) + WINDOW_MS - nowMs) / 1_000))
          actual.push([admissions.map(({ admitted }) => admitted), admissions.at(-1)!.state()])
          expected.push([
            Array.from({ length: burst }, (_, place) => place < free),
            { limit, remaining: limit - inWindow.length, resetSeconds },
          ])
        }
        expectWithMessage(actual, `seed ${seed}`).toEqual(expected)
      }
    })

    it.each([[7], [60], [300], [1_000], [3_300], [20_000]])(
      'with a limit of %i a minute never admits more in any 60 s, and admits at least 99 in 100 of what a plain list admits',
      async (limit) => {
        const random = createSeededRandom(limit)
        const admit = newWindow()
        const admitted: { at: number; count: number }[] = []
        const plain: { at: number; count: number }[] = []
        const sum = (list: typeof plain) => list.reduce((total, { count }) => total + count, 0)
        // Bursts far above the limit, for some minutes.
        const burstMean = Math.max(2, limit / 100)
        const endMs = nowMs + 3.5 * WINDOW_MS
        while (nowMs < endMs) {
          nowMs += (random() * 2 * WINDOW_MS * burstMean) / limit / (1 + 2 * random())
          const burst = Math.min(400, 1 + Math.floor(random() * 2 * burstMean))
          const admissions = await Promise.all(Array.from({ length: burst }, () => admit(limit)))
          admitted.push({ at: nowMs, count: admissions.filter(({ admitted }) => admitted).length })
          const used = sum(plain.filter(({ at }) => at > nowMs - WINDOW_MS))
          plain.push({ at: nowMs, count: Math.min(burst, limit - used) })
        }
        const most = Math.max(
          ...admitted.map(({ at: last }) => sum(admitted.filter(({ at }) => at <= last && at > last - WINDOW_MS))),
        )
        expect(most).toBeLessThanOrEqual(limit)
        expect(sum(admitted) / sum(plain)).toBeGreaterThanOrEqual(0.99)
      },
    )

    it.each([[60], [300], [1_000]])(
      'lets a client that waits for Reset make at least 99 in 100 of %i calls a minute, and never refuses the call after the wait',
      async (limit) => {
        const admit = newWindow()
        const minutes = 5
        const [startMs, endMs] = [nowMs, nowMs + minutes * WINDOW_MS]
        let admittedCount = 0
        let hasWaited = false
        while (nowMs < endMs) {
          const { admitted, state } = await admit(limit)
          expect(hasWaited && !admitted).toBe(false)
          hasWaited = !admitted
          if (admitted) admittedCount += 1
          // The limit is used up after 57.3 s: Reset in whole seconds then costs this client 0.3 s a minute on any store.
          nowMs += admitted ? 57_300 / limit : state().resetSeconds * 1_000
        }
        expect(admittedCount / (((nowMs - startMs) / WINDOW_MS) * limit)).toBeGreaterThanOrEqual(0.99)
      },
    )
  })
}
