// What is told of seals and signatures that wait. [B.5, D30, D41]
// `paraph.seal.troubled` counts those that people read of on page 8.
import type { Readings } from '@paraph/service/row-gauges'
import { sql, type Kysely } from 'kysely'
import type { SigningDatabase } from './database.js'
import { countTroubled } from './seal-queue.js'

const SEALS_COUNTED = 10_000
/** So long after it should have been asked about, an attempt is news. */
const LATE_SECONDS = 30

/** @param unsettledAfterSeconds as of sign-sweep.ts */
export const lookAtSigning = (database: Kysely<SigningDatabase>, unsettledAfterSeconds: number) =>
  async function look(): Promise<Readings> {
    const { rows } = await sql<{ waiting: number; unsettled: number }>`
      select (select count(*)::int from (select 1 from seal_task where done_at is null limit ${SEALS_COUNTED}) counted) as waiting,
             (select count(*)::int from sign_attempt where state = 'submitted'
                 and submitted_at < clock_timestamp() - make_interval(secs => ${unsettledAfterSeconds + LATE_SECONDS})) as unsettled`.execute(
      database,
    )
    const { waiting, unsettled } = rows[0]!
    return {
      'paraph.seal.waiting': waiting,
      'paraph.seal.troubled': await countTroubled(database),
      'paraph.signature.unsettled': unsettled,
    }
  }
