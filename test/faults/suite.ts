// The scenarios of one bus as tests: in every run of the suite once each, short; by `npm run faults` as often and as long as asked.
// The settings below come from test/faults/run.mjs; without them it is the suite's run.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BusName } from './fault-bus.js'
import { canMount, startFaultStack, type FaultStack } from './fault-stack.js'
import { runScenario, type Scenario } from './scenario.js'
import { SCENARIOS } from './scenarios/all.js'

const settings = {
  /** F-numbers or names, comma between; empty for all. */
  only: (process.env['FAULTS_SCENARIOS'] ?? '').split(',').filter((each) => each !== ''),
  isChosen: process.env['FAULTS_FULL'] !== undefined || process.env['FAULTS_SCENARIOS'] !== undefined,
  isFull: process.env['FAULTS_FULL'] === '1',
  seed: Number(process.env['FAULTS_SEED'] ?? Date.now() % 2 ** 31),
  rounds: process.env['FAULTS_ROUNDS'],
  scale: process.env['FAULTS_SCALE'],
}

const isChosen = ({ fault, name }: Scenario): boolean =>
  settings.only.length === 0 || settings.only.includes(fault) || settings.only.includes(name)

/** Declares the tests of `bus`; all of them share one stack. */
export function describeFaults(bus: BusName): void {
  const scenarios = SCENARIOS.filter(
    (scenario) =>
      (settings.isChosen ? scenario.buses : (scenario.suiteBuses ?? scenario.buses)).includes(bus) &&
      isChosen(scenario),
  )
  describe.runIf(scenarios.length > 0)(`on the ${bus} bus`, () => {
    let stack: FaultStack
    const canFill = scenarios.some(({ own }) => own?.diskMiB !== undefined) ? canMount() : Promise.resolve(false)
    beforeAll(async () => {
      stack = await startFaultStack(bus)
    })
    afterAll(() => stack?.close())

    it.for(
      scenarios.map((scenario) => ({ ...scenario, title: `${scenario.name}: ${scenario.holds} [${scenario.fault}]` })),
    )('$title', { timeout: settings.isFull ? 24 * 3_600_000 : 300_000 }, async (scenario, { skip }) => {
      if (scenario.own?.diskMiB !== undefined && !(await canFill)) skip('this machine does not let a test make a disk')
      const own = scenario.own && (await startFaultStack(bus, scenario.own))
      const { rounds, scale } = settings.isFull ? scenario.full : scenario.suite
      const announcedBefore = stack.announced.length
      const record = await runScenario(scenario, {
        ...{ stack: own ?? stack, bus, seed: settings.seed },
        rounds: Number(settings.rounds ?? rounds),
        scale: Number(settings.scale ?? scale),
      })
      await own?.close()
      const repeat = `npm run faults -- --scenario ${scenario.name} --bus ${bus} --seed ${settings.seed} repeats it`
      const heard = (own ?? stack).announced
        .slice(own ? 0 : announcedBefore)
        .slice(-20)
        .join('\n')
      expect(record.faults, `${repeat}\n${heard}`).toEqual([])
    })
  })
}
