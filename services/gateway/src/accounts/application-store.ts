// The store of applications: an owner sends, changes or withdraws an application; an operator approves or refuses it. [Authentication, D38]
// Each change writes its audit entry and its mails in one transaction. Does not own: which changes are allowed (application.ts), what
// the account may do after the decision (access.ts).
import { sql, type Kysely } from 'kysely'
import { DomainError } from '@paraph/protocol/errors'
import { clock, createTransactions, lockAccount, newId, type StoreDeps, type Trx } from './account-change.js'
import { addOwner } from './account-owners.js'
import { stateAfter, type ApplicationForm } from './application.js'
import { recordAct, SERVICE, type Actor } from './audit.js'
import type { GatewayDatabase } from '../database.js'
import { queueMailToOwners } from './owner-mail-queue.js'

export type Application = Awaited<ReturnType<ApplicationStore['listOf']>>[number]

/** An application in the operator's queue, with the number of earlier refusals of its mailbox or account. */
export type QueuedApplication = Awaited<ReturnType<ApplicationStore['queue']>>['applications'][number]

const selectApplications = (database: Kysely<GatewayDatabase>) =>
  database
    .selectFrom('application')
    .select(['id', 'account_id as accountId', 'mailbox', 'company', 'website', 'purpose', 'volume', 'state', 'reason'])
    .select(['contract_types as contractTypes', 'other_parties as otherParties', 'revision', 'sent_at as sentAt'])
    .select(['decided_at as decidedAt', 'decided_by as decidedBy'])

/** The applications of an account, newest first. */
const selectOf = (database: Kysely<GatewayDatabase>, accountId: string) =>
  selectApplications(database).where('account_id', '=', accountId).orderBy('sent_at', 'desc').orderBy('id')

const earlierRefusals = sql<number>`(select count(*)::int from application earlier where earlier.state = 'refused'
  and (earlier.mailbox = application.mailbox or earlier.account_id = application.account_id))`.as('earlierRefusals')

interface ApplicationStoreDeps extends Pick<StoreDeps, 'database' | 'triggerMails'> {
  /** True with `AUTO_APPROVE=trial`: `send` approves each application immediately. [D38] */
  autoApproves: boolean
}

export function createApplicationStore({ database, autoApproves, triggerMails }: ApplicationStoreDeps) {
  const inTransaction = createTransactions(database, triggerMails)

  /** The newest application of an account. */
  const newestOf = (accountId: string) => selectOf(database, accountId).limit(1).executeTakeFirst()

  /** Every application of an account, newest first. */
  const listOf = (accountId: string) => selectOf(database, accountId).execute()

  /**
   * Sends an application for a new account of this owner, or again for an account after a refusal or withdrawal. The owner's session then
   * shows the account.
   * @param owner `address` as typed and proven at sign-in; `session.accountId` is the account that the session showed with the form
   * @throws DomainError `invalid_request` while another application is pending, or for an approved account
   */
  async function send(
    form: ApplicationForm,
    owner: { mailbox: string; address: string; session: { id: string; accountId: string | null } },
    accountId: string | undefined,
  ): Promise<void> {
    await inTransaction(async (trx) => {
      // A second click waits for this lock, and then finds the account that the first click created.
      const session = await trx
        .selectFrom('mailbox_session')
        .select('account_id as accountId')
        .where('id', '=', owner.session.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (session.accountId !== owner.session.accountId) return
      const account = accountId ?? newId('acc')
      if (accountId === undefined) {
        await trx.insertInto('account').values({ id: account, name: form.company }).execute()
        await addOwner(trx, account, owner.address)
      }
      await trx.updateTable('mailbox_session').set({ account_id: account }).where('id', '=', owner.session.id).execute()
      if ((await lockAccount(trx, account)).approvedAt !== null) throw refusal('This account is approved already.')
      const id = newId('app')
      const added = await trx
        .insertInto('application')
        .values({ id, account_id: account, mailbox: owner.mailbox, ...columnsOf(form), sent_at: clock })
        .onConflict((conflict) => conflict.columns(['account_id']).where('state', '=', sql.lit('pending')).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) throw refusal('An application of this account is being read already. Change or withdraw that one.')
      await trx.updateTable('account').set(settingsOf(form)).where('id', '=', account).execute()
      const actor = { kind: 'owner', mailbox: owner.mailbox } as const
      await recordAct(trx, { actor, act: 'application.sent', accountId: account, subject: id })
      if (autoApproves) await approveLocked(trx, { id, accountId: account, company: form.company }, SERVICE)
    })
  }

  /** Changes a pending application. @throws DomainError `invalid_request` if the application is not pending */
  async function change(accountId: string, form: ApplicationForm, actor: Actor): Promise<void> {
    await inTransaction(async (trx) => {
      const { id } = await lockPending(trx, accountId, 'change')
      await trx
        .updateTable('application')
        .set({ ...columnsOf(form), revision: sql<number>`revision + 1` })
        .where('id', '=', id)
        .execute()
      await trx.updateTable('account').set(settingsOf(form)).where('id', '=', accountId).execute()
      await recordAct(trx, { actor, act: 'application.changed', accountId, subject: id })
    })
  }

  /** Withdraws a pending application. @throws DomainError `invalid_request` if the application is not pending */
  async function withdraw(accountId: string, actor: Actor): Promise<void> {
    await inTransaction(async (trx) => {
      const { id } = await lockPending(trx, accountId, 'withdraw')
      await trx.updateTable('application').set({ state: 'withdrawn' }).where('id', '=', id).execute()
      await recordAct(trx, { actor, act: 'application.withdrawn', accountId, subject: id })
    })
  }

  /**
   * Approves a pending application and queues a mail to the owners.
   * @param revision the revision that the operator read; undefined accepts any revision
   * @throws DomainError `not_found`; `invalid_request` if the application is not pending or has another revision
   */
  async function approve(id: string, actor: Actor, reason?: string, revision?: number): Promise<{ accountId: string }> {
    return inTransaction(async (trx) => {
      const application = await lockById(trx, id, 'approve', revision)
      await approveLocked(trx, application, actor, reason)
      return { accountId: application.accountId }
    })
  }

  /** Refuses a pending application; the mail to the owners gives the reason. @throws as `approve` */
  async function refuse(id: string, actor: Actor, reason: string, revision?: number): Promise<{ accountId: string }> {
    return inTransaction(async (trx) => {
      const { accountId, company } = await lockById(trx, id, 'refuse', revision)
      await decide(trx, id, 'refused', actor, reason)
      await recordAct(trx, { actor, act: 'application.refused', accountId, subject: id, facts: { reason } })
      await queueMailToOwners(trx, { accountId, kind: 'application_refused', data: { accountName: company, reason } })
      return { accountId }
    })
  }

  /** @throws DomainError `not_found` */
  async function show(id: string): Promise<Application> {
    const application = await selectApplications(database).where('id', '=', id).executeTakeFirst()
    if (!application) throw applicationNotFound()
    return application
  }

  /** At most `limit` pending applications, oldest first, and the number of all pending applications. */
  async function queue(limit = 50) {
    const rows = await selectApplications(database)
      .select(earlierRefusals)
      .select(sql<number>`count(*) over ()::int`.as('waiting'))
      .where('state', '=', sql.lit('pending'))
      .orderBy('sent_at')
      .orderBy('id')
      .limit(limit)
      .execute()
    return { waiting: rows[0]?.waiting ?? 0, applications: rows.map(({ waiting: _, ...application }) => application) }
  }

  return { newestOf, listOf, send, change, withdraw, approve, refuse, show, queue }
}

export type ApplicationStore = ReturnType<typeof createApplicationStore>

const applicationNotFound = () =>
  new DomainError('not_found', 'There is no application with this id. List them to find it.')

const refusal = (sentence: string) => new DomainError('invalid_request', sentence)

/** What the account takes over from its application. */
const settingsOf = ({ company, timeZone }: ApplicationForm) => ({ name: company, time_zone: timeZone })

const columnsOf = ({ contractTypes, otherParties, timeZone: _, ...sameNames }: ApplicationForm) => ({
  ...sameNames,
  contract_types: contractTypes,
  other_parties: otherParties,
})

/** Locks the account before its application, as every transaction in this file, so that two transactions cannot deadlock. */
async function lockPending(trx: Trx, accountId: string, action: 'change' | 'withdraw'): Promise<{ id: string }> {
  await lockAccount(trx, accountId)
  const row = await selectOf(trx, accountId).limit(1).forUpdate().executeTakeFirst()
  if (!row || stateAfter(row.state, action) === undefined) throw refusal('This application has been decided already.')
  return row
}

async function lockById(trx: Trx, id: string, action: 'approve' | 'refuse', revision: number | undefined) {
  const found = await trx.selectFrom('application').select('account_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw applicationNotFound()
  await lockAccount(trx, found.account_id)
  const row = await selectApplications(trx).where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  if (stateAfter(row.state, action) === undefined)
    throw refusal(`This application is ${row.state}; only one that is pending can be decided.`)
  if (revision !== undefined && row.revision !== revision)
    throw refusal('The applicant has changed this application. Read it again, then decide.')
  return row
}

async function decide(trx: Trx, id: string, state: 'approved' | 'refused', actor: Actor, reason?: string) {
  await trx
    .updateTable('application')
    .set({ state, reason: reason ?? null, decided_at: clock, decided_by: actor.mailbox ?? actor.kind })
    .where('id', '=', id)
    .execute()
}

/** Requires the application's lock. */
async function approveLocked(
  trx: Trx,
  { id, accountId, company }: { id: string; accountId: string; company: string },
  actor: Actor,
  reason?: string,
): Promise<void> {
  await decide(trx, id, 'approved', actor, reason)
  await trx.updateTable('account').set({ approved_at: clock }).where('id', '=', accountId).execute()
  const facts = reason === undefined ? {} : { reason }
  await recordAct(trx, { actor, act: 'application.approved', accountId, subject: id, facts })
  await queueMailToOwners(trx, { accountId, kind: 'application_approved', data: { accountName: company } })
}
