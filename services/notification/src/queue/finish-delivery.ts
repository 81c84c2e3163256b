// How a delivery ends, and the event that tells it, in one transaction. [I7, D24, D48]
// Owns: the final states, the row per contract that numbers what is told. Does not own: when a mail has ended (delivery-worker.ts).
// A code may end before `contract.created` has come (D32): then nobody here knows whose it is, and it is told as soon as that is known.
import { appendToOutbox } from '@paraph/messaging/outbox'
import type { Environment } from '@paraph/protocol/caller'
import type { EventData } from '@paraph/protocol/events'
import { failPoint } from '@paraph/service/fail-point'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { MailKind, NotificationDatabase } from './database.js'
import type { ClaimedDelivery } from './deliveries.js'

type Trx = Transaction<NotificationDatabase>
export type FailureReason = EventData<'email.failed'>['reason']

/** `why` is for the record, without personal data: `smtp 550`, `contract signed`. An accepted mail has one where we were told so. */
export type Ending =
  | { state: 'accepted'; why?: string }
  | { state: 'skipped'; why: string }
  | { state: 'failed'; reason: FailureReason; why: string }

interface EndedRow {
  id: number
  state: 'accepted' | 'failed' | 'lapsed'
  kind: MailKind
  party_index: number
  send_number: number
  attempts: number
  outcome: string | null
  created_at: Date
  settled_at: Date
  /** Of the event; null while nobody knows whose the contract is. */
  sequence: number | null
}

interface ContractMail {
  account_id: string | null
  environment: Environment | null
}

const NOBODYS: ContractMail = { account_id: null, environment: null }

const COLUMNS = sql.raw('id, state, kind, party_index, send_number, attempts, outcome, created_at, settled_at')

/** @param wakeRelay called when an event was added and committed */
export function createSettlement({
  database,
  wakeRelay,
}: {
  database: Kysely<NotificationDatabase>
  wakeRelay: () => void
}) {
  /** Ends a delivery, wipes its code and tells it. Without effect when the claim has passed to another worker. */
  async function settle({ id, claim, contractId }: ClaimedDelivery, ending: Ending): Promise<void> {
    const state = ending.state === 'failed' && ending.reason === 'lapsed' ? 'lapsed' : ending.state
    const why = ending.why ?? null
    if (contractId === null) {
      // No event tells of a mail to an owner: it is about no contract.
      await sql`update delivery set state = ${state}, outcome = ${why}, is_told = true, settled_at = clock_timestamp(),
        claim = null, claimed_until = null, sealed = null where id = ${id} and claim = ${claim}`.execute(database)
      failPoint('mail.settled')
      return
    }
    await database.transaction().execute(async (trx) => {
      // The contract's row before the delivery's, as in noteContract and what follows it: no deadlock.
      const contract = ending.state === 'skipped' ? NOBODYS : await lockContract(trx, contractId)
      const { rows } = await sql<EndedRow>`with ended as (
          update delivery set state = ${state}, outcome = ${why}, is_told = ${contract.account_id !== null},
            settled_at = clock_timestamp(), claim = null, claimed_until = null, sealed = null
          where id = ${id} and claim = ${claim} returning ${COLUMNS}
        ), numbered as (
          update contract_mail set sequence = sequence + 1
          where contract_id = ${contractId} and ${contract.account_id !== null} and exists (select 1 from ended) returning sequence
        ) select ended.*, (select sequence::int from numbered) as sequence from ended`.execute(trx)
      if (rows[0]) await tell(trx, contractId, contract, rows[0])
    })
    failPoint('mail.settled')
    wakeRelay()
  }

  return { settle }
}

export type Settlement = ReturnType<typeof createSettlement>

/**
 * Learns whose a contract is of which something was heard before, and tells what of it has ended since.
 * @returns the end that was told before its beginning
 */
export async function noteContract(
  trx: Trx,
  { contractId, accountId, environment }: { contractId: string; accountId: string; environment: Environment },
): Promise<'cancelled' | 'expired' | null> {
  const noted = await sql<{ ended: 'cancelled' | 'expired' | null }>`
    update contract_mail set account_id = ${accountId}, environment = ${environment}
    where contract_id = ${contractId} returning ended`.execute(trx)
  const { rows } = await sql<EndedRow>`with told as (
      update delivery set is_told = true
      where contract_id = ${contractId} and state in ('accepted', 'failed', 'lapsed') and not is_told returning ${COLUMNS}
    ), numbered as (
      update contract_mail set sequence = sequence + (select count(*) from told)
      where contract_id = ${contractId} and exists (select 1 from told) returning sequence
    ) select told.*,
        ((select sequence from numbered) - count(*) over () + row_number() over (order by settled_at, id))::int as sequence
      from told order by settled_at, id`.execute(trx)
  for (const row of rows) await tell(trx, contractId, { account_id: accountId, environment }, row)
  return noted.rows[0]?.ended ?? null
}

/** Holds the contract's row until the commit, so that the order of events is the order of commits. One row to a transaction: no deadlock. */
async function lockContract(trx: Trx, contractId: string): Promise<ContractMail> {
  const known = await sql<ContractMail>`select account_id, environment from contract_mail
    where contract_id = ${contractId} for update`.execute(trx)
  if (known.rows[0]) return known.rows[0]
  const { rows } = await sql<ContractMail>`insert into contract_mail as m (contract_id) values (${contractId})
    on conflict (contract_id) do update set sequence = m.sequence returning account_id, environment`.execute(trx)
  return rows[0] ?? NOBODYS
}

async function tell(
  trx: Trx,
  contractId: string,
  { account_id: accountId, environment }: ContractMail,
  row: EndedRow,
): Promise<void> {
  if (accountId === null || environment === null || row.sequence === null) return
  const facts = {
    ...{ contractId, accountId, environment, kind: row.kind, partyIndex: row.party_index },
    ...{ sendNumber: row.send_number, attempts: row.attempts, createdAt: row.created_at.toISOString() },
  }
  const at = row.settled_at.toISOString()
  const { sequence, settled_at: time } = row
  const place = { topic: 'notification.events.v1', subject: contractId, sequence, time } as const
  if (row.state === 'accepted') {
    await appendToOutbox(trx, { ...place, type: 'email.accepted', data: { ...facts, acceptedAt: at } })
  } else {
    const data = { ...facts, failedAt: at, reason: reasonOf(row), smtpCode: smtpCodeOf(row.outcome) }
    await appendToOutbox(trx, { ...place, type: 'email.failed', data })
  }
}

/** Prefix of what is recorded of a mail that was tried for 48 hours. */
export const NOT_IN_TIME = 'not sent in time'

/** Of one that failed or lapsed. */
export function reasonOf({ state, outcome }: { state: string; outcome: string | null }): FailureReason {
  if (state === 'lapsed') return 'lapsed'
  return outcome?.startsWith(NOT_IN_TIME) ? 'gave_up' : 'refused'
}

/** Of `smtp 550` and `not sent in time: smtp 451`; null where the relay answered nothing. */
export function smtpCodeOf(outcome: string | null): number | null {
  const code = /\bsmtp (\d{3})$/.exec(outcome ?? '')?.[1]
  return code === undefined ? null : Number(code)
}
