// The people of an account: mailboxes that accepted an invitation, each with a role. Somebody always is an owner. [D72]
import { sql } from 'kysely'
import type { AccountRole } from '@paraph/protocol/account-role'
import { DomainError } from '@paraph/protocol/errors'
import { mailboxOf } from '@paraph/protocol/text-rules'
import {
  clock,
  createTransactions,
  lockAccount,
  type LockedAccount,
  type StoreDeps,
  type Trx,
} from './account-change.js'
import { recordAct, type Actor } from './audit.js'
import { queueMailTo, queueMailToOwners, type NewMail } from './owner-mail-queue.js'

/** Maximum of people of one account, including invited mailboxes. */
export const OWNERS_MAX = 20
/** Maximum of mailboxes that one account may invite in 24 hours, including those removed since; prevents spam. */
const INVITATIONS_PER_DAY = 20

/** The result of an invitation; only `invited` changes data. `not_approved`: no operator has approved the account's name yet. [D36] */
export type InvitationOutcome = 'invited' | 'owns_already' | 'full' | 'too_many_today' | 'on_hold' | 'not_approved'

/** Adds an invited mailbox; without `invited`, the first owner, in the transaction that creates the account. */
export async function addOwner(
  trx: Trx,
  accountId: string,
  address: string,
  invited?: { by: string; role: AccountRole },
): Promise<void> {
  const mailbox = mailboxOf(address)
  const { by = null, role = 'owner' } = invited ?? {}
  const confirmed_at = invited === undefined ? clock : null
  await trx
    .insertInto('account_owner')
    .values({ account_id: accountId, mailbox, address, role, invited_by: by, invited_at: clock, confirmed_at })
    .execute()
}

const isConfirmed = sql<boolean>`confirmed_at is not null`.as('isConfirmed')

/** The store of the people of accounts. */
export function createAccountOwners({ database, triggerMails }: Pick<StoreDeps, 'database' | 'triggerMails'>) {
  const inTransaction = createTransactions(database, triggerMails)
  return {
    /** Every account that `mailbox` belongs or is invited to, with its role there, oldest first. */
    accountsOf: (mailbox: string) =>
      database
        .selectFrom('account_owner')
        .innerJoin('account', 'account.id', 'account_owner.account_id')
        .select(['account.id as accountId', 'account.name as accountName', 'role', 'invited_by as invitedBy'])
        .select(isConfirmed)
        .where('mailbox', '=', mailbox)
        .orderBy('account.created_at')
        .orderBy('account.id')
        .execute(),

    /** People and invited mailboxes, earliest first. */
    list: (accountId: string) =>
      database
        .selectFrom('account_owner')
        .select(['mailbox', 'address', 'role', 'invited_by as invitedBy', 'invited_at as invitedAt'])
        .select('confirmed_at as confirmedAt')
        .where('account_id', '=', accountId)
        .orderBy('invited_at')
        .orderBy('mailbox')
        .execute(),

    /** Invites `address` into the account. A second invitation within 24 hours sends no second mail. */
    async invite(
      accountId: string,
      { address, role }: { address: string; role: AccountRole },
      actor: Actor & { mailbox: string },
    ): Promise<InvitationOutcome> {
      const mailbox = mailboxOf(address)
      return inTransaction(async (trx) => {
        const account = await lockAccount(trx, accountId)
        if (account.approvedAt === null) return 'not_approved'
        if (account.status === 'suspended') return 'on_hold'
        const owners = await readOwners(trx, accountId)
        if (owners.some((owner) => owner.mailbox === mailbox)) return 'owns_already'
        if (owners.length >= OWNERS_MAX) return 'full'
        const invitedToday = await readInvitedToday(trx, accountId)
        if (!invitedToday.has(mailbox) && invitedToday.size >= INVITATIONS_PER_DAY) return 'too_many_today'
        await addOwner(trx, accountId, address, { by: actor.mailbox, role })
        const data = { accountName: account.name, by: actor.mailbox, role }
        if (!invitedToday.has(mailbox)) await queueMailTo(trx, { accountId, address, kind: 'owner_invited', data })
        await mailOwners(trx, account, { owner: mailbox, role, by: actor.mailbox, change: 'invited' })
        await recordAct(trx, { actor, act: 'owner.invited', accountId, facts: { owner: mailbox, role } })
        return 'invited'
      })
    },

    /** Accepts or declines an invitation. @returns false if there is no such invitation */
    async answerInvitation(accountId: string, mailbox: string, accepts: boolean): Promise<boolean> {
      return inTransaction(async (trx) => {
        const account = await lockAccount(trx, accountId)
        const invitation = sql`account_id = ${accountId} and mailbox = ${mailbox} and confirmed_at is null returning role`
        const { rows } = accepts
          ? await sql<Invited>`update account_owner set confirmed_at = clock_timestamp() where ${invitation}`.execute(
              trx,
            )
          : await sql<Invited>`delete from account_owner where ${invitation}`.execute(trx)
        const role = rows[0]?.role
        if (!role) return false
        const act = accepts ? 'owner.joined' : 'owner.removed'
        await mailOwners(trx, account, { owner: mailbox, role, by: mailbox, change: accepts ? 'joined' : 'declined' })
        await recordAct(trx, { actor: { kind: role, mailbox }, act, accountId, facts: { owner: mailbox } })
        return true
      })
    },

    /**
     * Gives a person or an invited mailbox another role, which counts from the next request of their sessions.
     * @throws DomainError `invalid_request` for the last owner
     */
    async changeRole(
      accountId: string,
      { mailbox, role }: { mailbox: string; role: AccountRole },
      actor: Actor & { mailbox: string },
    ): Promise<void> {
      await inTransaction(async (trx) => {
        const account = await lockAccount(trx, accountId)
        const owners = await readOwners(trx, accountId)
        const before = owners.find((owner) => owner.mailbox === mailbox)?.role
        if (before === undefined || before === role) return
        requireAnotherOwner(owners, mailbox)
        await trx
          .updateTable('account_owner')
          .set({ role })
          .where('account_id', '=', accountId)
          .where('mailbox', '=', mailbox)
          .execute()
        await mailOwners(trx, account, { owner: mailbox, role, by: actor.mailbox, change: 'role_changed' })
        await recordAct(trx, { actor, act: 'owner.role_changed', accountId, facts: { owner: mailbox, role } })
      })
    },

    /**
     * Removes a person or an invitation; the mailbox's sessions lose access to the account.
     * @throws DomainError `invalid_request` for the last owner
     */
    async remove(accountId: string, mailbox: string, actor: Actor & { mailbox: string }): Promise<void> {
      await inTransaction(async (trx) => {
        const account = await lockAccount(trx, accountId)
        const owners = await readOwners(trx, accountId)
        const role = owners.find((owner) => owner.mailbox === mailbox)?.role
        if (role === undefined) return
        requireAnotherOwner(owners, mailbox)
        // Before the removal, so that the removed person gets the mail too.
        const change = mailbox === actor.mailbox ? 'left' : 'removed'
        await mailOwners(trx, account, { owner: mailbox, role, by: actor.mailbox, change })
        await trx
          .deleteFrom('account_owner')
          .where('account_id', '=', accountId)
          .where('mailbox', '=', mailbox)
          .execute()
        await recordAct(trx, { actor, act: 'owner.removed', accountId, facts: { owner: mailbox } })
      })
    },
  }
}

/** The column that an answered invitation returns. */
interface Invited {
  role: AccountRole
}

/** Mails a change of the people to every confirmed owner, and to the person. [P33] */
const mailOwners = (
  trx: Trx,
  { id: accountId, name: accountName }: LockedAccount,
  change: Omit<NewMail<'owners_changed'>['data'], 'accountName'>,
): Promise<void> =>
  queueMailToOwners(trx, { accountId, about: change.owner, kind: 'owners_changed', data: { accountName, ...change } })

export type AccountOwners = ReturnType<typeof createAccountOwners>
export type AccountOwner = Awaited<ReturnType<AccountOwners['list']>>[number]
export type OwnedAccount = Awaited<ReturnType<AccountOwners['accountsOf']>>[number]

const readOwners = (trx: Trx, accountId: string) =>
  trx.selectFrom('account_owner').select(['mailbox', 'role', isConfirmed]).where('account_id', '=', accountId).execute()

/** @throws DomainError `invalid_request` if nobody but `mailbox` is a confirmed owner */
function requireAnotherOwner(owners: Awaited<ReturnType<typeof readOwners>>, mailbox: string): void {
  if (!owners.some((owner) => owner.isConfirmed && owner.role === 'owner' && owner.mailbox !== mailbox))
    throw new DomainError('invalid_request', 'An account needs an owner. Make somebody else an owner first.')
}

/** Reads the mailboxes invited in the last 24 hours, from the audit log because it also contains removed mailboxes. */
async function readInvitedToday(trx: Trx, accountId: string): Promise<Set<string>> {
  const query = sql<{ mailbox: string }>`
    select distinct facts ->> 'owner' as mailbox from audit_entry
     where account_id = ${accountId} and act = 'owner.invited' and at > clock_timestamp() - interval '24 hours'`
  const { rows } = await query.execute(trx)
  return new Set(rows.map(({ mailbox }) => mailbox))
}
