// The rollouts on a real Kafka: partitions move between members. Needs Java and Maven (test/runner/run.mjs).
import { afterAll, beforeAll, it } from '@jest/globals'
import { startRig, type Rig } from '../../rolling/rig.js'
import { LIMIT, playRollouts } from '../../rolling/rollouts.js'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({ busName: 'kafka' })
})
afterAll(() => rig?.close())

it(
  'a rollout of every service under load, on Kafka, fails no call, duplicates no mail, and every process exits with 0 [F17, H13]',
  () => playRollouts(rig, 10),
  LIMIT.timeout,
)
