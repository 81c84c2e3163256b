// The rollout test on a real Kafka, where partitions move between group members. Needs Java and Maven (test/runner/needs.mjs).
import { afterAll, beforeAll, it } from '@jest/globals'
import { startRig, type Rig } from '../../rolling/rig.js'
import { LIMIT, playRollouts } from '../../rolling/rollouts.js'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ busName: 'kafka' })
})
afterAll(() => rig?.close())

it(
  'during a rollout of every service under load, on Kafka, no call fails, no mail is duplicated, and every process exits with 0 [F17, H13]',
  () => playRollouts(rig, 10),
  LIMIT.timeout,
)
