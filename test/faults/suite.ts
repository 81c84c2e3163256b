// The scenarios of one bus as tests. A run of the suite plays them short; `npm run test:deep -- faults` chooses rounds and scale
// by the settings below (test/faults/run.mjs).
import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import type { BusName } from './fault-bus.js'
import { canSetClocks } from './clocks.js'
import { canMount, startFaultStack, type FaultStack } from './fault-stack.js'
import { runScenario, type Scenario } from './scenario.js'
import { SCENARIOS } from './scenarios/all.js'

const settings = {
  /** F-numbers or names, separated by commas; empty for all. */
  only: (process.env['FAULTS_SCENARIOS'] ?? '').split(',').filter((each) => each !== ''),
  isChosen: process.env['FAULTS_FULL'] !== undefined || process.env['FAULTS_SCENARIOS'] !== undefined,
  isFull: process.env['FAULTS_FULL'] === '1',
  seed: Number(process.env['FAULTS_SEED'] ?? Date.now() % 2 ** 31),
  rounds: process.env['FAULTS_ROUNDS'],
  scale: process.env['FAULTS_SCALE'],
}

const isChosen = ({ fault, name }: Scenario): boolean =>
  settings.only.length === 0 || settings.only.includes(fault) || settings.only.includes(name)

const canPlay = async ({ own }: Scenario): Promise<boolean> =>
  (own?.diskMiB === undefined || (await canMount())) && (!own?.isClocked || (await canSetClocks()))

/**
 * Declares the tests of `bus`. All scenarios without a stack of their own share one stack.
 * @param part only the scenarios that share the stack, or only those with stacks of their own, so that two test files run at a time
 */
export async function describeFaults(bus: BusName, part?: 'shared' | 'own'): Promise<void> {
  const scenarios = SCENARIOS.filter(
    (scenario) =>
      part !== (scenario.own ? 'shared' : 'own') &&
      (settings.isChosen ? scenario.buses : (scenario.suiteBuses ?? scenario.buses)).includes(bus) &&
      isChosen(scenario),
  )
  // Skips what this machine cannot play: a full disk where a test may not mount one, and wrong clocks without libfaketime.
  const skipped = new Set<Scenario>()
  for (const scenario of scenarios) if (!(await canPlay(scenario))) skipped.add(scenario)
  describe(`on the ${bus} bus`, () => {
    // Jest fails a file without tests.
    if (scenarios.length === 0) it.skip('no scenario is chosen', () => undefined)
    let shared: FaultStack | undefined
    beforeAll(async () => {
      if (scenarios.some(({ own }) => !own)) shared = await startFaultStack(bus)
    })
    afterAll(() => shared?.close())

    for (const scenario of scenarios) {
      const run = skipped.has(scenario) ? it.skip : it
      run(
        `${scenario.name}: ${scenario.holds} [${scenario.fault}]`,
        async () => {
          const own = scenario.own && (await startFaultStack(bus, scenario.own))
          const stack = own ?? shared!
          const { rounds, scale } = settings.isFull ? scenario.full : scenario.suite
          const announcedBefore = stack.announced.length
          const record = await runScenario(scenario, {
            stack,
            bus,
            seed: settings.seed,
            rounds: Number(settings.rounds ?? rounds),
            scale: Number(settings.scale ?? scale),
          })
          await own?.close()
          const repeat = `npm run test:deep -- faults --scenario ${scenario.name} --bus ${bus} --seed ${settings.seed} repeats it`
          const announced = stack.announced.slice(announcedBefore).slice(-20).join('\n')
          expectWithMessage(record.faults, `${repeat}\n${JSON.stringify(record.figures)}\n${announced}`).toEqual([])
        },
        settings.isFull ? 24 * 3_600_000 : 300_000,
      )
    }
  })
}
