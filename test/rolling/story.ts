// The story of rollouts that nobody notices, on either bus: on every run once and short, by `npm run proof:rolling` three times at a hundred
// calls a second. [F17, H13]
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BusName } from '../faults/fault-bus.js'
import { startRig, type Rig } from './rig.js'
import { underLoad } from './under-load.js'

export const ROLLING_SEED = Number(process.env['ROLLING_SEED'] ?? Date.now() % 2 ** 31)
/** Ceremonies at a time, beside the calls. */
export const CLIENTS = 2
/** "group rebalances < 5 s" [H13] */
const TAKEOVER_MS_MAX = 5_000

/**
 * Starts two replicas of each service for the tests of a file, and tells the first: every service is rolled under load.
 * @param usualRate calls a second, unless ROLLING_RATE says otherwise
 * @returns the rig, for tests that come after
 */
export function tellRollouts(busName: BusName, usualRate: number): () => Rig {
  const rounds = Number(process.env['ROLLING_ROUNDS'] ?? 1)
  const ratePerSecond = Number(process.env['ROLLING_RATE'] ?? usualRate)
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig({ busName })
  })
  afterAll(() => rig?.close())

  it(
    `rolls every service under load, on ${busName}: no call fails, no mail goes out twice, every stop ends with 0 [F17, H13]`,
    { timeout: 1_800_000 },
    async () => {
      const load = { ratePerSecond, clients: CLIENTS, seed: ROLLING_SEED, tag: 'rolling' }
      const { faults, figures } = await underLoad(rig, load, async () => {
        for (let round = 0; round < rounds; round += 1) await rig.roll()
      })
      tell('rolling', { busName, rounds, ...figures })
      expect(faults).toEqual([])
      expectTakenUp(figures)
    },
  )
  return () => rig
}

/** What relays and members of a group held that are gone, others have taken up in time. */
export function expectTakenUp(figures: Readonly<Record<string, number>>): void {
  for (const wait of ['longestRelayMs', 'longestSilenceMs']) expect(figures[wait], wait).toBeLessThan(TAKEOVER_MS_MAX)
}

export const tell = (name: string, figures: object): void =>
  void process.stdout.write(`${name}: ${JSON.stringify({ seed: ROLLING_SEED, ...figures })}\n`)
