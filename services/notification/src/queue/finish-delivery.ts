// Ends a delivery and publishes the end as an event, in one transaction. [I7, D24, D48]
// Owns the final states and the event numbers of a contract. Does not own: when a mail has ended (send-delivery.ts).
// A code may end before `contract.created` is consumed (D32). The event is then published when the owner of the contract is known.
import { appendToOutbox } from '@paraph/messaging/outbox'
import type { Environment } from '@paraph/protocol/environment'
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
  /** Number of the event; null while the owner of the contract is unknown. */
  sequence: number | null
}

interface ContractOwner {
  accountId: string | null
  environment: Environment | null
}

const UNKNOWN: ContractOwner = { accountId: null, environment: null }

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
  return async function finishDelivery({ id, claim, contractId }: ClaimedDelivery, ending: Ending): Promise<void> {
    const state = ending.state === 'failed' && ending.reason === 'lapsed' ? 'lapsed' : ending.state
    const why = ending.why ?? null
    if (contractId === null) {
      // A mail to an owner is about no contract, so no event is published.
      await sql`update delivery set state = ${state}, outcome = ${why}, is_published = true, finished_at = clock_timestamp(),
        claim = null, claimed_until = null, sealed = null where id = ${id} and claim = ${claim}`.execute(database)
      failPoint('mail.finished')
      return
    }
    await database.transaction().execute(async (trx) => {
      // Locks the contract's row before the delivery's, as recordContract does, so that the two functions cannot deadlock.
      const contract = ending.state === 'skipped' ? UNKNOWN : await lockContract(trx, contractId)
      const { rows } = await sql<EndedRow>`with ended as (
          update delivery set state = ${state}, outcome = ${why}, is_published = ${contract.accountId !== null},
            finished_at = clock_timestamp(), claim = null, claimed_until = null, sealed = null
          where id = ${id} and claim = ${claim} returning ${COLUMNS}
        ), numbered as (
          update contract_mail set sequence = sequence + 1
          where contract_id = ${contractId} and ${contract.accountId !== null} and exists (select 1 from ended) returning sequence
        ) select ended.*, (select sequence::int from numbered) as sequence from ended`.execute(trx)
      if (rows[0]) await publish(trx, contractId, contract, rows[0])
    })
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
  for (const row of rows) await publish(trx, contractId, { accountId, environment }, row)
  return recorded.rows[0]?.ended ?? null
}

/** Locks the contract's row until the commit, so that events have the order of commits. One row per transaction cannot deadlock. */
async function lockContract(trx: Trx, contractId: string): Promise<ContractOwner> {
  const known = await sql<ContractOwner>`select account_id as "accountId", environment from contract_mail
    where contract_id = ${contractId} for update`.execute(trx)
  if (known.rows[0]) return known.rows[0]
  const { rows } = await sql<ContractOwner>`insert into contract_mail as m (contract_id) values (${contractId})
    on conflict (contract_id) do update set sequence = m.sequence returning account_id as "accountId", environment`.execute(
    trx,
  )
  return rows[0] ?? UNKNOWN
}

async function publish(
  trx: Trx,
  contractId: string,
  { accountId, environment }: ContractOwner,
  { state, outcome, createdAt, finishedAt, sequence, ...mail }: EndedRow,
): Promise<void> {
  if (accountId === null || environment === null || sequence === null) return
  const common = { ...mail, contractId, accountId, environment, createdAt: createdAt.toISOString() }
  const at = finishedAt.toISOString()
  const place = { topic: 'notification.events.v1', subject: contractId, sequence, time: finishedAt } as const
  if (state === 'accepted') {
    await appendToOutbox(trx, { ...place, type: 'email.accepted', data: { ...common, acceptedAt: at } })
  } else {
    const data = { ...common, failedAt: at, reason: reasonOf({ state, outcome }), smtpCode: smtpCodeOf(outcome) }
    await appendToOutbox(trx, { ...place, type: 'email.failed', data })
    if (mail.kind !== 'invitation') return
    await addRefusalMessages(trx, data)
    await addNotice(trx, { ...data, kind: 'invitation_refused' })
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
