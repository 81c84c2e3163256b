// Replicas are replaced without any visible effect, and killed replicas lose nothing that was answered. [F16, F17, H13]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mailsOfDeadWorkers } from '../../faults/dead-leases.js'
import { startRig, type Rig } from '../../rolling/rig.js'
import { CLIENTS, expectTakenUp, LIMIT, playRollouts, ROLLING_SEED, printFigures } from '../../rolling/rollouts.js'
import { underLoad } from '../../rolling/under-load.js'

const RATE_PER_SECOND = 25
/** Long enough that a mail worker is sending mails when it dies. */
const MAIL_MS = 300
/** A connection to a killed replica is found broken by use: for so long after the last kill a page may still be refused, never lost. */
const RECONNECT_MS = 5_000

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig?.close())

it(
  'a rollout of every service under load fails no call, duplicates no mail, and every process exits with 0 [F17, H13]',
  () => playRollouts(rig, RATE_PER_SECOND),
  LIMIT.timeout,
)

it(
  'no data is lost when one replica of each service is killed, and then the other: their successors take over [F16, F17]',
  async () => {
    const load = { ratePerSecond: RATE_PER_SECOND, clients: CLIENTS, seed: ROLLING_SEED, tag: 'killed' }
    rig.mailServer.takeTime(MAIL_MS)
    // For the last test: the replicas started here have this setting, which the killed ones do not use.
    rig.change({ settings: { gateway: { LINGER_SECONDS: '0' } } })
    const inProgress: string[] = []
    const { faults, figures } = await underLoad(rig, load, async () => {
      // The owner of an outbox slot or a partition keeps it: after the second round every owner has died once.
      for (let time = 0; time < 2; time += 1) inProgress.push(...(await mailsOfDeadWorkers(rig, rig.killOneOfEach)))
      return { refusedUntil: Date.now() + RECONNECT_MS, inProgress }
    })
    rig.mailServer.takeTime(0)
    printFigures('killed', { ...figures, mailsInHand: inProgress.length })
    expect(faults).toEqual([])
    expectTakenUp(figures)
  },
  LIMIT.timeout,
)

it(
  'the test detects a gateway without linger: calls and pages fail when it stops [F17, H13]',
  async () => {
    const load = { ratePerSecond: RATE_PER_SECOND, clients: CLIENTS, seed: ROLLING_SEED, tag: 'no-linger' }
    const { faults, figures } = await underLoad(rig, load, () => rig.roll(['gateway']))
    printFigures('without a linger', figures)
    expect(faults).toContainEqual(expect.stringContaining('[F17]'))
  },
  LIMIT.timeout,
)
