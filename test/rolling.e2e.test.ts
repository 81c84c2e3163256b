// Nobody notices that replicas come and go: rollouts under load, on every run once and short, by `npm run proof:rolling` three times at
// a hundred calls a second. [F17, H13]
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRig, type Rig } from './rolling/rig.js'
import { underLoad } from './rolling/under-load.js'

const settings = {
  rounds: Number(process.env['ROLLING_ROUNDS'] ?? 1),
  ratePerSecond: Number(process.env['ROLLING_RATE'] ?? 25),
  seed: Number(process.env['ROLLING_SEED'] ?? Date.now() % 2 ** 31),
}
/** Ceremonies at a time, beside the calls. */
const CLIENTS = 2

let rig: Rig
beforeAll(async () => {
  rig = await startRig()
})
afterAll(() => rig?.close())

it(
  'rolls every service under load: no call fails, no mail goes out twice, every stop ends with 0 [F17, H13]',
  { timeout: 1_800_000 },
  async () => {
    const { rounds, ratePerSecond, seed } = settings
    const { faults, figures } = await underLoad(
      rig,
      { ratePerSecond, clients: CLIENTS, seed, tag: 'rolling' },
      async () => {
        for (let round = 0; round < rounds; round += 1) await rig.roll()
      },
    )
    process.stdout.write(`rolling: ${JSON.stringify({ rounds, seed, ...figures })}\n`)
    expect(faults).toEqual([])
  },
)
