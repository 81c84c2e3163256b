// Checks that rollouts have no visible effect, on either bus. Every run of the suite plays one short rollout;
// `npm run test:release -- rolling` plays three at a hundred calls a second.
import { expect } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import type { Rig } from './rig.js'
import { underLoad } from './under-load.js'

export const ROLLING_SEED = Number(process.env['ROLLING_SEED'] ?? Date.now() % 2 ** 31)
/** Concurrent ceremonies, in addition to the calls. */
export const CLIENTS = 2
/** The time limit for hanging work: on a busy machine, starts and work take many times as long. */
export const LIMIT = { timeout: 1_800_000 }
/** The rule "group rebalances < 5 s". [H13] */
const TAKEOVER_MS_MAX = 5_000

/**
 * Rolls every service while clients are at work.
 * @param usualRate calls a second, unless ROLLING_RATE is set
 */
export async function playRollouts(rig: Rig, usualRate: number): Promise<void> {
  const rounds = Number(process.env['ROLLING_ROUNDS'] ?? 1)
  const ratePerSecond = Number(process.env['ROLLING_RATE'] ?? usualRate)
  const load = { ratePerSecond, clients: CLIENTS, seed: ROLLING_SEED, tag: 'rolling' }
  const { faults, figures } = await underLoad(rig, load, async () => {
    for (let round = 0; round < rounds; round += 1) await rig.roll()
  })
  printFigures('rolling', { bus: rig.stack.eventBus, rounds, ...figures })
  expect(faults).toEqual([])
  expectTakenUp(figures)
}

/** Expects that other replicas took over the slots and partitions of stopped relays and group members in time. */
export function expectTakenUp(figures: Readonly<Record<string, number>>): void {
  for (const wait of ['longestRelayMs', 'longestSilenceMs'])
    expectWithMessage(figures[wait], wait).toBeLessThan(TAKEOVER_MS_MAX)
}

export const printFigures = (name: string, figures: object): void =>
  void process.stdout.write(`${name}: ${JSON.stringify({ seed: ROLLING_SEED, ...figures })}\n`)
