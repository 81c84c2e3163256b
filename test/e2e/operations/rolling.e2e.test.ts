// Clients do not notice a rollout of all replicas, and killed replicas lose no data of answered calls. [F16, F17, H13]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { mailsOfDeadWorkers } from '../../faults/dead-leases.js'
import { startRig, type Rig } from '../../rolling/rig.js'
import { CLIENTS, expectTakenUp, LIMIT, playRollouts, ROLLING_SEED, printFigures } from '../../rolling/rollouts.js'
import { underLoad } from '../../rolling/under-load.js'

const RATE_PER_SECOND = 25
/** The time that the mail server needs per mail, so that a mail worker is sending mails when it is killed. */
const MAIL_MS = 300
/** For this time after a kill, a page may fail on a connection to the killed replica. No data may be lost. */
const RECONNECT_MS = 5_000

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig?.close())

it(
  'during a rollout of every service under load, no call fails, no mail is duplicated, and every process exits with 0 [F17, H13]',
  () => playRollouts(rig, RATE_PER_SECOND),
  LIMIT.timeout,
)

it(
  'no data is lost when one replica of each service is killed, and then the other [F16, F17]',
  async () => {
    const load = { ratePerSecond: RATE_PER_SECOND, clients: CLIENTS, seed: ROLLING_SEED, tag: 'killed' }
    rig.mailServer.takeTime(MAIL_MS)
    // For the next test: the replicas that start after the kills have this setting.
    rig.change({ settings: { gateway: { LINGER_SECONDS: '0' } } })
    const inProgress: string[] = []
    const { faults, figures } = await underLoad(rig, load, async () => {
      // Each replica owns a part of the outbox slots and partitions, so two rounds are necessary to kill every owner.
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
  'the test detects a gateway that closes its port immediately on SIGTERM (LINGER_SECONDS=0) [F17, H13]',
  async () => {
    const load = { ratePerSecond: RATE_PER_SECOND, clients: CLIENTS, seed: ROLLING_SEED, tag: 'no-linger' }
    const { faults, figures } = await underLoad(rig, load, () => rig.roll(['gateway']))
    printFigures('without a linger', figures)
    expect(faults).toContainEqual(expect.stringContaining('[F17]'))
  },
  LIMIT.timeout,
)
