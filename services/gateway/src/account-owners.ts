// Who owns an account: mailboxes that said yes. Several may; all of them may do the same.
import { sql, type Kysely, type Transaction } from 'kysely'
import { DomainError } from '@paraph/protocol/errors'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { noteAct, type Actor } from './audit.js'
import type { GatewayDatabase } from './database.js'
import { queueMailTo } from './owner-mail-queue.js'

/** Owners of one account, invited ones among them: enough for any team, too few to send mail to strangers with. */
export const OWNERS_MAX = 20
/** Invitations that an account may mail in 24 hours, one to each address, whatever was answered or taken back meanwhile. */
const INVITATIONS_PER_DAY = 20

/** Why nobody was asked. `not_approved`: nobody has checked yet in whose name the mail would go out. [D36] */
export type InvitationRefusal = 'not_approved' | 'owns_already' | 'too_many_owners' | 'enough_for_today'

export interface AccountOwner {
  mailbox: string
  /** As it was typed. */
  address: string
  invitedBy: string | null
  invitedAt: Date
  /** Null until who reads the mailbox has said yes. */
  confirmedAt: Date | null
}

/** An account that a mailbox owns, or was asked to. */
export interface OwnedAccount {
  accountId: string
  accountName: string
  invitedBy: string | null
  isConfirmed: boolean
}

/** The first owner, in the transaction that makes the account. */
export async function addFirstOwner(
  trx: Transaction<GatewayDatabase>,
  accountId: string,
  address: string,
): Promise<void> {
  await trx
    .insertInto('account_owner')
    .values({
      ...{ account_id: accountId, mailbox: mailboxOf(address), address, invited_by: null },
      ...{ invited_at: sql<Date>`clock_timestamp()`, confirmed_at: sql<Date>`clock_timestamp()` },
    })
    .execute()
}

/** The rows of owners. @param wakeMails called when a mail waits to be handed over */
export function createAccountOwners({
  database,
  wakeMails,
}: {
  database: Kysely<GatewayDatabase>
  wakeMails: () => void
}) {
  return {
    /** Every account of `mailbox`, those it was asked to own among them; the oldest first. */
    async accountsOf(mailbox: string): Promise<OwnedAccount[]> {
      return database
        .selectFrom('account_owner')
        .innerJoin('account', 'account.id', 'account_owner.account_id')
        .select(['account.id as accountId', 'account.name as accountName', 'invited_by as invitedBy'])
        .select(sql<boolean>`confirmed_at is not null`.as('isConfirmed'))
        .where('mailbox', '=', mailbox)
        .orderBy('account.created_at')
        .orderBy('account.id')
        .execute()
    },

    /** Owners and those who were asked, the first one first. */
    async list(accountId: string): Promise<AccountOwner[]> {
      return database
        .selectFrom('account_owner')
        .select(['mailbox', 'address', 'invited_by as invitedBy', 'invited_at as invitedAt'])
        .select('confirmed_at as confirmedAt')
        .where('account_id', '=', accountId)
        .orderBy('invited_at')
        .orderBy('mailbox')
        .execute()
    },

    /** Asks whoever reads `address` to own the account, too. @returns why nobody was asked */
    async invite(
      accountId: string,
      address: string,
      actor: Actor & { mailbox: string },
    ): Promise<InvitationRefusal | undefined> {
      const mailbox = mailboxOf(address)
      const refusal = await database.transaction().execute(async (trx) => {
        const account = await trx
          .selectFrom('account')
          .select(['name', 'approved_at as approvedAt'])
          .where('id', '=', accountId)
          .forUpdate()
          .executeTakeFirstOrThrow()
        if (account.approvedAt === null) return 'not_approved'
        const owners = await trx
          .selectFrom('account_owner')
          .select('mailbox')
          .where('account_id', '=', accountId)
          .execute()
        if (owners.some((owner) => owner.mailbox === mailbox)) return 'owns_already'
        if (owners.length >= OWNERS_MAX) return 'too_many_owners'
        if (await hasMailedEnough(trx, accountId, mailbox)) return 'enough_for_today'
        await trx
          .insertInto('account_owner')
          .values({
            ...{ account_id: accountId, mailbox, address, invited_by: actor.mailbox },
            ...{ invited_at: sql<Date>`clock_timestamp()`, confirmed_at: null },
          })
          .execute()
        const facts = { accountName: account.name, by: actor.mailbox }
        await queueMailTo(trx, { accountId, address, kind: 'owner_invited', facts })
        await noteAct(trx, { actor, act: 'owner.invited', accountId, facts: { owner: mailbox } })
        return undefined
      })
      if (refusal === undefined) wakeMails()
      return refusal
    },

    /** The answer of who was asked. @returns false where there is no such question (any more) */
    async answerInvitation(accountId: string, mailbox: string, accepts: boolean): Promise<boolean> {
      return database.transaction().execute(async (trx) => {
        const open = (query: { accountId: string; mailbox: string }) =>
          sql`account_id = ${query.accountId} and mailbox = ${query.mailbox} and confirmed_at is null`
        const { numAffectedRows } = accepts
          ? await sql`update account_owner set confirmed_at = clock_timestamp() where ${open({ accountId, mailbox })}`.execute(
              trx,
            )
          : await sql`delete from account_owner where ${open({ accountId, mailbox })}`.execute(trx)
        if (!numAffectedRows) return false
        const act = accepts ? 'owner.joined' : 'owner.removed'
        await noteAct(trx, { actor: { kind: 'owner', mailbox }, act, accountId, facts: { owner: mailbox } })
        return true
      })
    },

    /**
     * Takes an owner, or an invitation, away; their sessions show nothing of the account from then on.
     * @throws DomainError `invalid_request` for the last owner
     */
    async remove(accountId: string, mailbox: string, actor: Actor): Promise<void> {
      await database.transaction().execute(async (trx) => {
        await trx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().executeTakeFirstOrThrow()
        const owners = await trx
          .selectFrom('account_owner')
          .select(['mailbox', 'confirmed_at'])
          .where('account_id', '=', accountId)
          .execute()
        const goes = owners.find((owner) => owner.mailbox === mailbox)
        if (!goes) return
        const stay = owners.filter((owner) => owner.confirmed_at !== null && owner.mailbox !== mailbox)
        if (stay.length === 0)
          throw new DomainError('invalid_request', 'An account needs an owner. Invite another one first.')
        await trx
          .deleteFrom('account_owner')
          .where('account_id', '=', accountId)
          .where('mailbox', '=', mailbox)
          .execute()
        await noteAct(trx, { actor, act: 'owner.removed', accountId, facts: { owner: mailbox } })
      })
    },
  }
}

/** By the audit log, which keeps what was taken back too; under the account's lock. */
async function hasMailedEnough(
  trx: Transaction<GatewayDatabase>,
  accountId: string,
  mailbox: string,
): Promise<boolean> {
  const { rows } = await sql<{ sent: number; sentThere: number }>`
    select count(*)::int as sent, count(*) filter (where facts ->> 'owner' = ${mailbox})::int as "sentThere"
      from audit_entry
     where account_id = ${accountId} and act = 'owner.invited' and at > clock_timestamp() - interval '24 hours'`.execute(
    trx,
  )
  return rows[0]!.sent >= INVITATIONS_PER_DAY || rows[0]!.sentThere > 0
}

export type AccountOwners = ReturnType<typeof createAccountOwners>
