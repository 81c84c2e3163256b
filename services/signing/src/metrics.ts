// Gauges of waiting seals, seal certificates and unfinished signatures. [D30, D41]
// `paraph.seal.troubled` counts the contracts whose last page reports a delay.
import { elementAt } from '@paraph/protocol/element-at'
import type { Readings } from '@paraph/background/row-gauges'
import { observe, type Reading } from '@paraph/telemetry/metrics'
import { sql, type Kysely } from 'kysely'
import type { SigningDatabase } from './database.js'
import { sealExpiries, type OpenedKeys } from './sealing/keys.js'
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

/** The seconds until each current seal certificate expires, at `now`. */
export const sealCertificateReading = (keys: OpenedKeys['keys'], now: Date) =>
  sealExpiries(keys).map(({ environment, expiresAt }) => ({
    value: (expiresAt.getTime() - now.getTime()) / 1_000,
    attributes: { 'paraph.environment': environment },
  })) satisfies Reading<'paraph.seal.certificate.expires'>

/** Registers the gauge of the seal certificates. @returns unregisters it */
export function observeSealCertificates(keys: OpenedKeys['keys']): () => void {
  return observe('paraph.seal.certificate.expires', () => sealCertificateReading(keys, new Date()))
}
