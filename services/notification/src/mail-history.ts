// What the owner of a contract sees of its mails, and the invitation that it sends again. [D24, D37]
// Owns: what is newest of each kind, that an invitation is sent again once an hour. Does not own: whether it still goes out when its
// time comes (compose-mail.ts), and no address: none is kept here.
import { sql, type Kysely } from 'kysely'
import { isOnHold } from '@paraph/messaging/account-hold'
import type { Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import { requireOwn } from '@paraph/service/caller-guard'
import type { DeliveryState, MailKind, NotificationDatabase } from './database.js'
import { addInvitation, lockParty } from './deliveries.js'
import type { MailFacts } from './mail-facts.js'
import { reasonOf, smtpCodeOf, type FailureReason } from './settlement.js'

/** Between two invitations of one party that the owner asks for. The first one, which the creation made, is not one of them. */
const RESEND_SECONDS = 3_600
const KINDS: readonly MailKind[] = ['invitation', 'code', 'completed', 'cancelled', 'expired']

/** The newest mail of one kind to one party. Instants are ISO 8601. */
export interface PartyMail {
  kind: MailKind
  /** From 1; grows when a person asks for a new mail. */
  sendNumber: number
  state: DeliveryState
  /** Of one that did not arrive. */
  reason: FailureReason | null
  /** What the relay answered last, unless that it took the mail. */
  smtpCode: number | null
  /** Of a skipped one: why nobody wants it any more. */
  why: string | null
  createdAt: string
  settledAt: string | null
}

export interface PartyMails {
  index: number
  mails: PartyMail[]
  /** Until then no invitation is sent again; null where one may be now. */
  resendAfter: string | null
}

export type Resent =
  | { outcome: 'queued'; sendNumber: number }
  /** The one before has not been sent yet: it is tried, or held while the account is suspended. */
  | { outcome: 'still_waiting' }
  | { outcome: 'too_soon'; tryAgainAt: string }
  | { outcome: 'party_has_signed' }
  | { outcome: 'contract_final'; status: MailFacts['status'] }

interface MailRow {
  party_index: number
  kind: MailKind
  send_number: number
  state: DeliveryState
  outcome: string | null
  created_at: Date
  settled_at: Date | null
  resend_after: Date | null
}

/**
 * @param readFacts asks the contract service; null for an unknown contract or party, rejects when it cannot be asked
 * @param wakeWorker called when an invitation was added
 */
export function createContractMails({
  database,
  readFacts,
  wakeWorker,
}: {
  database: Kysely<NotificationDatabase>
  readFacts: (contractId: string, partyIndex: number) => Promise<MailFacts | null>
  wakeWorker: () => void
}) {
  /**
   * Whose a contract is, is known here from `contract.created` on; before that it reads like one that does not exist.
   * @throws DomainError `not_found`
   */
  async function requireOwnContract(principal: Principal, contractId: string): Promise<void> {
    const { rows } = await sql<{ accountId: string; environment: string }>`
      select account_id as "accountId", environment from contract_mail
       where contract_id = ${contractId} and account_id is not null`.execute(database)
    requireOwn(
      principal,
      rows[0],
      'There is no such contract in this account and environment, or it was made a moment ago and its mails are not prepared yet. Look again in a minute.',
    )
  }

  /** The newest mail of each kind to each party; `isHeld`: the account is suspended, and what waits goes on waiting. */
  async function ofContract(
    principal: Principal,
    contractId: string,
  ): Promise<{ isHeld: boolean; parties: PartyMails[] }> {
    await requireOwnContract(principal, contractId)
    // One look for each party there may be and kind: a party may have asked for thousands of codes.
    const { rows } = await sql<MailRow>`
      select party.index as party_index, newest.*
        from generate_series(0, 49) as party (index) cross join unnest(${[...KINDS]}::text[]) as kinds (kind)
       cross join lateral (
         select kind, send_number, state, outcome, created_at, settled_at,
                case when kind = 'invitation' and send_number > 1 and ${BEFORE_HOUR_IS_OVER}
                     then ${HOUR_AFTER} end as resend_after
           from delivery
          where contract_id = ${contractId} and party_index = party.index::smallint and kind = kinds.kind
          order by send_number desc limit 1) as newest
       order by party.index`.execute(database)
    const byParty = Map.groupBy(rows, ({ party_index }) => party_index)
    return {
      isHeld: await isOnHold(database, principal.accountId),
      parties: [...byParty].map(([index, mails]) => ({
        index,
        mails: mails.map(toPartyMail),
        resendAfter:
          mails.map(({ resend_after }) => resend_after?.toISOString()).find((until) => until !== undefined) ?? null,
      })),
    }
  }

  /**
   * One more invitation to a party who has not signed an open contract, at most one an hour by the database's clock, and none while
   * the one before still waits: a double click sends one.
   * @throws DomainError `not_found`; `invalid_request` where the contract has no such party
   */
  async function resend(principal: Principal, contractId: string, partyIndex: number): Promise<Resent> {
    await requireOwnContract(principal, contractId)
    const facts = await readFacts(contractId, partyIndex)
    if (!facts) throw new DomainError('invalid_request', 'This contract has no such party. Choose one of its parties.')
    if (facts.status !== 'pending_signature' && facts.status !== 'partially_signed')
      return { outcome: 'contract_final', status: facts.status }
    if (facts.party.hasSigned) return { outcome: 'party_has_signed' }
    const resent = await database.transaction().execute(async (trx): Promise<Resent> => {
      await lockParty(trx, contractId, partyIndex)
      const { rows } = await sql<{ is_due: boolean | null; resend_after: Date | null }>`
        select bool_or(state = 'due') as is_due,
               max(${HOUR_AFTER}) filter (where send_number > 1 and ${BEFORE_HOUR_IS_OVER}) as resend_after
          from delivery where contract_id = ${contractId} and party_index = ${partyIndex}::smallint and kind = 'invitation'`.execute(
        trx,
      )
      const { is_due: isDue, resend_after: resendAfter } = rows[0]!
      if (isDue) return { outcome: 'still_waiting' }
      if (resendAfter) return { outcome: 'too_soon', tryAgainAt: resendAfter.toISOString() }
      const sendNumber = await addInvitation(trx, { contractId, accountId: principal.accountId, partyIndex })
      return { outcome: 'queued', sendNumber }
    })
    if (resent.outcome === 'queued') wakeWorker()
    return resent
  }

  return { ofContract, resend }
}

export type ContractMails = ReturnType<typeof createContractMails>

const HOUR_AFTER = sql`created_at + make_interval(secs => ${sql.lit(RESEND_SECONDS)})`
const BEFORE_HOUR_IS_OVER = sql`${HOUR_AFTER} > clock_timestamp()`

function toPartyMail(row: MailRow): PartyMail {
  const { kind, send_number: sendNumber, state, outcome } = row
  return {
    ...{ kind, sendNumber, state },
    reason: state === 'failed' || state === 'lapsed' ? reasonOf({ state, outcome }) : null,
    smtpCode: smtpCodeOf(outcome),
    why: state === 'skipped' ? outcome : null,
    createdAt: row.created_at.toISOString(),
    settledAt: row.settled_at?.toISOString() ?? null,
  }
}
