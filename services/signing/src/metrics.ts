// Gauges of waiting seals and unfinished signatures. [D30, D41]
// `paraph.seal.troubled` counts the contracts whose last page reports a delay.
import { elementAt } from '@paraph/protocol/element-at'
import type { Readings } from '@paraph/background/row-gauges'
import { sql, type Kysely } from 'kysely'
import type { SigningDatabase } from './database.js'
import { IS_TROUBLED } from './sealing/queue.js'

const SEALS_COUNTED = 10_000
/** An attempt that the sweep of unfinished attempts should have finished this long ago counts as unsettled. */
const LATE_SECONDS = 30

/** @param unfinishedAfterSeconds as in signature/finish-attempt.ts */
export const collectSigningGauges = (database: Kysely<SigningDatabase>, unfinishedAfterSeconds: number) =>
  async function collect(): Promise<Readings> {
    const { rows } = await sql<{ waiting: number; troubled: number; unsettled: number }>`
      select (select count(*)::int from (select 1 from seal_task where done_at is null limit ${SEALS_COUNTED}) counted) as waiting,
             (select count(*)::int from seal_task where done_at is null and ${IS_TROUBLED}) as troubled,
             (select count(*)::int from sign_attempt where state = 'submitted'
                 and submitted_at < clock_timestamp() - make_interval(secs => ${unfinishedAfterSeconds + LATE_SECONDS})) as unsettled`.execute(
      database,
    )
    const { waiting, troubled, unsettled } = elementAt(rows, 0)
    return { 'paraph.seal.waiting': waiting, 'paraph.seal.troubled': troubled, 'paraph.signature.unsettled': unsettled }
  }
