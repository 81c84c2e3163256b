// Ends a delivery and publishes the end as an event, in one transaction. [I7, D24, D48]
// Owns the final states and the event numbers of a contract. Does not own: when a mail has ended (send-delivery.ts).
// A code may end before `contract.created` is consumed (D32). The event is then published when the owner of the contract is known.
import { appendToOutbox, outboxInsertFrom } from '@paraph/messaging/outbox'
import type { EventData } from '@paraph/protocol/events'
import { failPoint } from '@paraph/testing/fail-point'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { ClaimedDelivery } from '../database.js'
import { addNotice } from '../notices/notices.js'
import { addRefusalMessages } from '../webhooks/messages.js'

type Trx = Transaction<unknown>
export type OwnedContract = Pick<
  EventData<'contract.created'>,
  'contractId' | 'accountId' | 'environment' | 'expiresAt'
>
export type FailureReason = EventData<'email.failed'>['reason']

/** `why`: the recorded reason, without personal data, such as `smtp 550`. An accepted mail has one only if an operator recorded its end. */
export type Ending =
  | { state: 'accepted'; why?: string }
  | { state: 'skipped'; why: string }
  | { state: 'failed'; reason: FailureReason; why: string }

/** A delivery that ended, with the field names of the events. */
type EndedRow = Pick<EventData<'email.failed'>, 'kind' | 'partyIndex' | 'sendNumber' | 'attempts'> & {
  state: 'accepted' | 'failed' | 'lapsed'
  outcome: string | null
  createdAt: Date
  finishedAt: Date
  /** Number of the event. */
  sequence: number
}

const COLUMNS = sql.raw(
  'id, state, kind, party_index as "partyIndex", send_number as "sendNumber", attempts, outcome, created_at as "createdAt", finished_at as "finishedAt"',
)

export interface FinishDeliveryDeps {
  database: Kysely<unknown>
  /** Called after a commit that may have added an event to the outbox. */
  notifyRelay: () => void
}

export function createFinishDelivery({ database, notifyRelay }: FinishDeliveryDeps) {
  /** Ends a delivery, wipes its encrypted content and publishes the end. Has no effect if another worker has the claim. */
  return async function finishDelivery(delivery: ClaimedDelivery, ending: Ending): Promise<void> {
    const { id, claim } = delivery
    if (delivery.contractId === null || ending.state === 'skipped') {
      await sql`update delivery set ${endOf(ending)}, is_published = ${delivery.contractId === null}
        where id = ${id} and claim = ${claim}`.execute(database)
      failPoint('mail.finished')
      return
    }
    if (ending.state === 'failed' && delivery.kind === 'invitation')
      await database.transaction().execute(async (trx) => addRefusal(trx, await endAndPublish(trx, delivery, ending)))
    else await endAndPublish(database, delivery, ending)
    failPoint('mail.finished')
    notifyRelay()
  }
}

export type FinishDelivery = ReturnType<typeof createFinishDelivery>

/**
 * Records the owner of a contract of which an end or a code arrived before its creation, and publishes the ends of its mails so far.
 * @returns the end of the contract, if this service consumed the end before the creation
 */
export async function recordContract(trx: Trx, { contractId, accountId, environment, expiresAt }: OwnedContract) {
  const recorded = await sql<{ ended: 'cancelled' | 'expired' | null }>`
    update contract_mail set account_id = ${accountId}, environment = ${environment}, expires_at = ${expiresAt}
    where contract_id = ${contractId} returning ended`.execute(trx)
  const { rows } = await sql<EndedRow>`with ended as (
      update delivery set is_published = true
      where contract_id = ${contractId} and state in ('accepted', 'failed', 'lapsed') and not is_published returning ${COLUMNS}
    ), numbered as (
      update contract_mail set sequence = sequence + (select count(*) from ended)
      where contract_id = ${contractId} and exists (select 1 from ended) returning sequence
    ) select ended.*,
        ((select sequence from numbered) - count(*) over () + row_number() over (order by "finishedAt", id))::int as sequence
      from ended order by "finishedAt", id`.execute(trx)
  for (const row of rows) await publish(trx, { contractId, accountId, environment, expiresAt }, row)
  return recorded.rows[0]?.ended ?? null
}

const endOf = (ending: Ending) =>
  sql`state = ${ending.state === 'failed' && ending.reason === 'lapsed' ? 'lapsed' : ending.state}, outcome = ${ending.why ?? null},
    finished_at = clock_timestamp(), claim = null, claimed_until = null, sealed = null`

/**
 * Ends a delivery, and adds its event if the owner of the contract is known, in one statement. Locks the contract's row before the
 * delivery's, as recordContract does, so that the two functions cannot deadlock, and events have the order of commits. Whether the owner is
 * known is read from the locked row alone: elsewhere the statement sees the row as it was before it waited for the lock.
 * @returns the data of the event; undefined if there is none
 */
async function endAndPublish(
  database: Kysely<unknown>,
  delivery: ClaimedDelivery & { contractId: string },
  ending: Exclude<Ending, { state: 'skipped' }>,
): Promise<EventData<'email.failed'> | undefined> {
  const { id, claim, contractId, kind, partyIndex, attempts, sendNumber } = delivery
  const [type, at, more] =
    ending.state === 'accepted'
      ? (['email.accepted', 'acceptedAt', {}] as const)
      : (['email.failed', 'failedAt', { reason: ending.reason, smtpCode: smtpCodeOf(ending.why) }] as const)
  const known = { contractId, kind, partyIndex, sendNumber, attempts, ...more }
  const { rows } = await sql<{ data: EventData<'email.failed'> | null }>`with contract as materialized (
      select account_id, environment from contract_mail where contract_id = ${contractId} for update
    ), ended as (
      update delivery set ${endOf(ending)}, is_published = contract.account_id is not null
        from contract where id = ${id} and claim = ${claim} returning created_at, finished_at
    ), numbered as (
      update contract_mail set sequence = sequence + 1
       where contract_id = ${contractId} and exists (select 1 from ended, contract where account_id is not null) returning sequence
    ), event as (
      select sequence, finished_at as at, ${JSON.stringify(known)}::jsonb || jsonb_build_object('accountId', account_id,
          'environment', environment, 'createdAt', ${instant('created_at')}, ${at}::text, ${instant('finished_at')}) as data
        from ended, numbered, contract
    ), stored as (${outboxInsertFrom({ topic: 'notification.events.v1', type, subject: contractId }, sql`event`)})
    select data from contract left join event on true`.execute(database)
  if (rows[0]) return rows[0].data ?? undefined
  // The mail ended before `contract.created` was consumed. With this row, addInvitations finds that it has ends to publish.
  await sql`insert into contract_mail (contract_id) values (${contractId}) on conflict do nothing`.execute(database)
  return endAndPublish(database, delivery, ending)
}

/** A time as events have it. */
const instant = (column: string) => sql`to_char(${sql.raw(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Adds what the owners of the contract hear of a refused invitation. */
async function addRefusal(trx: Trx, data: EventData<'email.failed'> | undefined): Promise<void> {
  if (!data) return
  await addRefusalMessages(trx, data)
  await addNotice(trx, { ...data, kind: 'invitation_refused' })
}

/** Adds the event of a mail that ended before the owner of its contract was known. */
async function publish(
  trx: Trx,
  { contractId, accountId, environment }: OwnedContract,
  { state, outcome, createdAt, finishedAt, sequence, ...mail }: EndedRow,
): Promise<void> {
  const common = { ...mail, contractId, accountId, environment, createdAt: createdAt.toISOString() }
  const at = finishedAt.toISOString()
  const place = { topic: 'notification.events.v1', subject: contractId, sequence, time: finishedAt } as const
  if (state === 'accepted') {
    await appendToOutbox(trx, { ...place, type: 'email.accepted', data: { ...common, acceptedAt: at } })
  } else {
    const data = { ...common, failedAt: at, reason: reasonOf({ state, outcome }), smtpCode: smtpCodeOf(outcome) }
    await appendToOutbox(trx, { ...place, type: 'email.failed', data })
    if (mail.kind === 'invitation') await addRefusal(trx, data)
  }
}

/** Prefix of the recorded outcome of a mail that was not sent in time. */
export const NOT_IN_TIME = 'not sent in time'

/** The reason of a failed or expired delivery. */
export function reasonOf({ state, outcome }: { state: string; outcome: string | null }): FailureReason {
  if (state === 'lapsed') return 'lapsed'
  return outcome?.startsWith(NOT_IN_TIME) ? 'gave_up' : 'refused'
}

/** The code in `smtp 550 5.1.1` or `not sent in time: smtp 451`; null without an SMTP code. */
export function smtpCodeOf(outcome: string | null): number | null {
  const code = /\bsmtp (\d{3})( [\d.]+)?$/.exec(outcome ?? '')?.[1]
  return code === undefined ? null : Number(code)
}
