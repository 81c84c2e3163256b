// For rollbacks and rolling upgrades: services from before the newest migration work on databases with this migration. [H16]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createWorkload } from '../../faults/workload.js'
import { verifyInvariants } from '../../harness/stack/invariants.js'
import { buildOlderVersion, findOlderVersion } from '../../rolling/older-version.js'
import { startRig, type Rig } from '../../rolling/rig.js'

const commit = await findOlderVersion()

let older: Awaited<ReturnType<typeof buildOlderVersion>>
let rig: Rig
beforeAll(async () => {
  if (commit === undefined) return
  older = await buildOlderVersion(commit)
  rig = await startRig({ root: older.root, replicas: 1 })
})
afterAll(async () => {
  await rig?.close()
  await older?.remove()
})

;(commit === undefined ? it.skip : it)(
  `services from before the newest migration create and complete a contract on databases with this migration [H16]`,
  async () => {
    const workload = await createWorkload(rig, { seed: 1, tag: 'older' })
    const contract = await workload.create(2)
    expect(contract).toBeDefined()
    for (const party of [0, 1]) expect(await workload.sign(contract!, party)).toBe('signed')
    expect(await workload.read(contract!)).toEqual({ of: 'read', status: 'signed', signed: [0, 1] })
    await verifyInvariants(rig, { withinSeconds: 0, untilMs: 60_000 })
    expect(workload.refusals().filter(({ status }) => status >= 500)).toEqual([])
  },
)
