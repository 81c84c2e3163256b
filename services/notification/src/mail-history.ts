// The mails of a contract as its owner sees them, and sending an invitation again. [D24, D37]
// Owns the query for the newest mail of each kind, and the limit of one repeated invitation an hour. Does not own: whether a mail is
// still needed when it is sent (compose/contract-mail.ts).
import { sql, type Kysely } from 'kysely'
import { isSuspended } from '@paraph/messaging/account-suspension'
import type { Principal } from '@paraph/protocol/principal'
import { DomainError } from '@paraph/protocol/errors'
import { elementAt } from '@paraph/protocol/element-at'
import { invitedWith } from '@paraph/protocol/shared-mailbox'
import { requireOwn } from '@paraph/rpc/caller-guard'
import { MAIL_KINDS, type DeliveryState, type MailKind } from './database.js'
import { addInvitation, lockParty } from './queue/add-delivery.js'
import type { MailData } from './compose/mail-data.js'
import { reasonOf, smtpCodeOf } from './queue/finish-delivery.js'

/** Pause between two repeated invitations of one party. The first invitation, from the creation, does not count. */
const RESEND_SECONDS = 3_600

type Resent =
  | { outcome: 'queued'; sendNumber: number }
  /** The previous invitation is still due, or the account is suspended. */
  | { outcome: 'still_waiting' }
  | { outcome: 'too_soon'; tryAgainAt: string }
  | { outcome: 'party_has_signed' }
  | { outcome: 'contract_final'; status: MailData['status'] }

interface MailRow {
  index: number
  kind: MailKind
  /** Starts at 1; grows when a person asks for a new mail. */
  sendNumber: number
  state: DeliveryState
  outcome: string | null
  createdAt: Date
  finishedAt: Date | null
  resendAfter: Date | null
}

export interface ContractMailsDeps {
  database: Kysely<unknown>
  /** Reads the data from the contract service; null for an unknown contract or party. */
  readMailData: (contractId: string, partyIndex: number) => Promise<MailData | null>
  /** Called after an invitation was committed. */
  triggerWorker: () => void
}

export function createContractMails({ database, readMailData, triggerWorker }: ContractMailsDeps) {
  /** @throws DomainError `not_found`, also before `contract.created`, which names the owner, is consumed */
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

  /**
   * The newest mail of each kind to each party. `isHeld`: the account is suspended, so due mails wait. `resendAfter`: when another
   * repeated invitation is allowed; null if it is allowed now.
   */
  async function ofContract(principal: Principal, contractId: string) {
    await requireOwnContract(principal, contractId)
    // One index lookup for each possible party and kind, because a party may have thousands of code mails.
    const { rows } = await sql<MailRow>`
      select party.index, newest.*
        from generate_series(0, 49) as party (index) cross join unnest(${[...MAIL_KINDS]}::text[]) as kinds (kind)
       cross join lateral (
         select kind, send_number as "sendNumber", state, outcome, created_at as "createdAt", finished_at as "finishedAt",
                case when kind = 'invitation' and send_number > 1 and ${BEFORE_HOUR_IS_OVER}
                     then ${HOUR_AFTER} end as "resendAfter"
           from delivery
          where contract_id = ${contractId} and party_index = party.index::smallint and kind = kinds.kind
          order by send_number desc limit 1) as newest
       order by party.index`.execute(database)
    const parties = [...Map.groupBy(rows, ({ index }) => index)].map(([index, mails]) => ({
      index,
      mails: mails.map(toPartyMail),
      resendAfter: mails.find(({ resendAfter }) => resendAfter)?.resendAfter?.toISOString() ?? null,
    }))
    return { isHeld: await isSuspended(database, principal.accountId), parties }
  }

  /**
   * Adds another invitation for a party that has not signed an open contract: at most one an hour by the database's clock, for all
   * parties together whom one invitation invites (P24). Adds none while the previous invitation is due, so that a double click sends one.
   * @throws DomainError `not_found`; `invalid_request` when the contract has no such party
   */
  async function resend(principal: Principal, contractId: string, partyIndex: number): Promise<Resent> {
    await requireOwnContract(principal, contractId)
    const mailData = await readMailData(contractId, partyIndex)
    if (!mailData)
      throw new DomainError('invalid_request', 'This contract has no such party. Choose one of its parties.')
    if (mailData.status !== 'pending_signature' && mailData.status !== 'partially_signed')
      return { outcome: 'contract_final', status: mailData.status }
    if (mailData.party.hasSigned) return { outcome: 'party_has_signed' }
    const resent = await database.transaction().execute(async (trx): Promise<Resent> => {
      const together = invitedWith(mailData.sameMailbox, partyIndex)
      await lockParty(trx, contractId, elementAt(together, 0))
      const { rows } = await sql<{ isDue: boolean | null; resendAfter: Date | null }>`
        select bool_or(state = 'due') as "isDue",
               max(${HOUR_AFTER}) filter (where send_number > 1 and ${BEFORE_HOUR_IS_OVER}) as "resendAfter"
          from delivery where contract_id = ${contractId} and party_index = any(${together}::smallint[]) and kind = 'invitation'`.execute(
        trx,
      )
      if (rows[0]?.isDue) return { outcome: 'still_waiting' }
      if (rows[0]?.resendAfter) return { outcome: 'too_soon', tryAgainAt: rows[0].resendAfter.toISOString() }
      const sendNumber = await addInvitation(trx, { contractId, accountId: principal.accountId, partyIndex })
      return { outcome: 'queued', sendNumber }
    })
    if (resent.outcome === 'queued') triggerWorker()
    return resent
  }

  return { ofContract, resend }
}

export type ContractMails = ReturnType<typeof createContractMails>

const HOUR_AFTER = sql`created_at + make_interval(secs => ${sql.lit(RESEND_SECONDS)})`
const BEFORE_HOUR_IS_OVER = sql`${HOUR_AFTER} > clock_timestamp()`

/** The newest mail of one kind to one party. Instants are ISO 8601. */
const toPartyMail = ({ kind, sendNumber, state, outcome, createdAt, finishedAt }: MailRow) => ({
  kind,
  sendNumber,
  state,
  /** The reason of a failed or expired mail; null for other mails. */
  reason: state === 'failed' || state === 'lapsed' ? reasonOf({ state, outcome }) : null,
  /** The last SMTP code of the server; null for an accepted mail. */
  smtpCode: smtpCodeOf(outcome),
  /** The reason why a skipped mail was no longer needed; null for other mails. */
  why: state === 'skipped' ? outcome : null,
  createdAt: createdAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
})
