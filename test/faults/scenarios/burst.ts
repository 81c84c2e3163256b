// Many contracts are created at once, while others are signed and sealed. [F31, P22]
import { elementAt } from '@paraph/protocol/element-at'
import { until } from '../../harness/until.js'
import type { Scenario, Scene } from '../scenario.js'

const CONTRACTS = 1_500
const CREATORS = 12
/** A signed contract becomes a PDF within this time more than it takes without the burst. */
const DELAY_MS_MAX = 5_000

export const burst: Scenario = {
  fault: 'F31',
  name: 'burst-of-contracts',
  done: '1,500 contracts of two parties are created as fast as 12 clients can, while others sign',
  holds: 'no sealed PDF comes more than five seconds later than without the burst, although openings still wait',
  buses: ['postgres'],
  suiteBuses: [],
  suite: { rounds: 1, scale: 2 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  async play(scene) {
    const { stack, workload, scaledMs, record, fail } = scene
    await until('ten sealed PDFs', async () => ((await delays(scene, 0)).sealed >= 10 ? true : undefined), 120_000)
    const before = await delays(scene, 0)
    const [start] = await stack.query<{ id: number }>(
      'signing',
      'select coalesce(max(id), 0)::int as id from evidence_task',
    )
    const count = Math.round((CONTRACTS * scaledMs(1)) / 1_000)
    let left = count
    const startedAt = performance.now()
    await Promise.all(
      Array.from({ length: CREATORS }, async () => {
        while (left-- > 0) await workload.create(2)
      }),
    )
    record('contractsPerSecond', Math.round(count / ((performance.now() - startedAt) / 1_000)))
    await workload.stop()
    await until('no open task', async () => ((await delays(scene, 0)).open === 0 ? true : undefined), 120_000)
    const during = await delays(scene, start!.id)
    record('longestSealMsBefore', before.sealMs)
    record('longestSealMs', during.sealMs)
    record('longestOpeningMs', during.openingMs)
    record('sealed', during.sealed)
    if (during.sealed === 0) fail('no contract was sealed during the burst')
    if (during.sealMs - before.sealMs > DELAY_MS_MAX) fail(`a PDF came ${during.sealMs} ms after the last signature`)
  },
}

interface Delays {
  open: number
  sealed: number
  /** From the task of the completion to the sealed PDF. */
  sealMs: number
  openingMs: number
}

/** @param after the id of the last task that does not count */
async function delays({ stack }: Scene, after: number): Promise<Delays> {
  const rows = await stack.query<Delays>(
    'signing',
    `select count(*) filter (where done_at is null)::int as open, count(sealed_at)::int as sealed,
            coalesce(extract(epoch from max(sealed_at - created_at)) * 1000, 0)::int as "sealMs",
            coalesce(extract(epoch from max(done_at - created_at) filter (where type = 'contract.created')) * 1000, 0)::int as "openingMs"
       from evidence_task t
       left join sealed_evidence s on t.type = 'contract.completed' and s.contract_id = t.contract_id
      where id > $1`,
    [after],
  )
  return elementAt(rows, 0)
}
