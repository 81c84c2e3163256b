// Pushes codes to notification after the answer, until acknowledged or lapsed, and wipes them then. [D42]
// Strangers' rows go the same way but to nobody, so that asking costs the same for everybody.
import { sql, type Kysely } from 'kysely'
import { continueTrace } from '@paraph/messaging/trace'
import { allAtOnce } from '@paraph/service/at-once'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import { unseal, type Keyring } from '@paraph/service/keyring'
import type { Logger } from '@paraph/telemetry/logger'
import type { SigningDatabase } from './database.js'
import { noteCodeSent } from './evidence-task-queue.js'
import type { NotificationClient } from './notification-client.js'

const POLL_MS = 1_000
/** The call of a push ends within this (notification-client.ts). */
const PUSH_SECONDS = 5
/** After this the row is tried again, by whichever worker comes first. */
const LEASE_SECONDS = 12
const BATCH = 16

interface Waiting {
  id: string
  contract_id: string
  party_index: number | null
  code_sealed: Buffer
  code_key_id: string
  seconds_left: number
  age_ms: number
  traceparent: string | null
}

/**
 * The loop that pushes codes; `sendWaiting` is one round of it.
 * @param wakeEvidence called when a code was taken, which belongs into the chain
 */
export function createCodeSending({
  database,
  codeKeys,
  notification,
  wakeEvidence,
  logger,
}: {
  database: Kysely<SigningDatabase>
  codeKeys: Keyring
  notification: NotificationClient
  wakeEvidence: () => void
  logger: Logger
}) {
  /**
   * One round over what waits. A row that cannot be sent waits for its lease to end; it does not hold up the others.
   * @returns true when more may wait
   * @throws what stopped them when not one could be sent
   */
  async function sendWaiting(): Promise<boolean> {
    await lapse()
    const rows = await claim()
    if (rows.length > 0) failPoint('code.claimed')
    await allAtOnce(rows, sendTraced, (error, { id }) =>
      logger.warn({ err: error, codeId: id }, 'a code was not sent yet'),
    )
    return rows.length === BATCH
  }

  const sendTraced = (row: Waiting): Promise<void> =>
    continueTrace(
      {
        name: 'push code',
        attributes: { 'paraph.subject': row.contract_id },
        traceparent: row.traceparent,
        ageMs: row.age_ms,
      },
      () => send(row),
    )

  async function send(row: Waiting): Promise<void> {
    if (row.party_index === null) return settle(row, 'stranger')
    const { id, contract_id: contractId, party_index: partyIndex } = row
    const code = unseal(codeKeys, { keyId: row.code_key_id, bytes: row.code_sealed }, id)
    // A span, for two databases' clocks need not agree; the push's own time is taken off it. What is left of a life that is nearly over
    // would reach nobody in time: the next round ends it.
    const lapsesInSeconds = row.seconds_left - PUSH_SECONDS
    if (lapsesInSeconds <= 0) return
    await notification.code.send.mutate({ id, contractId, partyIndex, code, lapsesInSeconds })
    failPoint('code.pushed')
    await settle(row, 'pushed')
    failPoint('code.committed')
    wakeEvidence()
  }

  /** Wipes the code, and notes for the chain that a real one was sent. Waits for nobody. */
  async function settle(row: Waiting, outcome: 'pushed' | 'stranger'): Promise<void> {
    await database.transaction().execute(async (trx) => {
      const done = await trx
        .updateTable('code_send')
        .set({ settled_at: sql<Date>`clock_timestamp()`, outcome, code_sealed: null })
        .where('id', '=', row.id)
        .where('settled_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (done && outcome === 'pushed') await noteCodeSent(trx, { contractId: row.contract_id, codeId: row.id })
      if (outcome === 'pushed') failPoint('code.wiped')
    })
  }

  async function claim(): Promise<Waiting[]> {
    const { rows } = await sql<Waiting>`
      update code_send set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
       where id in (select id from code_send
                     where settled_at is null and expires_at > clock_timestamp()
                       and (leased_until is null or leased_until < clock_timestamp())
                     order by created_at limit ${BATCH} for update skip locked)
      returning id, contract_id, party_index, code_sealed, code_key_id, traceparent,
                extract(epoch from expires_at - clock_timestamp())::float8 as seconds_left,
                (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as age_ms`.execute(database)
    return rows
  }

  /** A code that nobody took in its ten minutes is wiped and never sent stale. */
  async function lapse(): Promise<void> {
    await sql`
      update code_send set settled_at = clock_timestamp(), outcome = 'lapsed', code_sealed = null
       where settled_at is null and expires_at <= clock_timestamp()`.execute(database)
  }

  const loop = createLoop({
    work: sendWaiting,
    pauseMs: POLL_MS,
    trouble: 'codes cannot be sent at the moment; they wait',
    logger,
  })
  return { ...loop, sendWaiting }
}
