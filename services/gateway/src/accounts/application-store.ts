// The rows of applications: sent, changed, withdrawn by an owner; approved or refused by an operator. [Authentication, D38]
// Owns: the transactions, in which audit entry, event and mail are made too. Does not own: what an application may become
// (application.ts), what the account may do then (access.ts).
import { sql, type Kysely, type Transaction } from 'kysely'
import { DomainError } from '@paraph/protocol/errors'
import { tellOfAccount } from './account-events.js'
import { addFirstOwner } from './account-owners.js'
import { newId } from './account-store.js'
import { after, type ApplicationForm, type Volume } from './application.js'
import { noteAct, SERVICE, type Actor } from './audit.js'
import type { ApplicationState, GatewayDatabase } from './database.js'
import { queueMailToOwners } from './owner-mail-queue.js'
import type { ContractType } from '@paraph/protocol/contract'

type Trx = Transaction<GatewayDatabase>

export interface Application extends ApplicationForm {
  id: string
  accountId: string
  /** Of the applicant, who has proven it. */
  mailbox: string
  state: ApplicationState
  /** Grows when the applicant changes it. */
  revision: number
  reason: string | null
  sentAt: Date
  decidedAt: Date | null
  decidedBy: string | null
}

/** What the operator sees of one in the queue, beside what it says. */
export interface QueuedApplication extends Application {
  /** Refused before, under this mailbox or for this account. */
  earlierRefusals: number
}

const COLUMNS = [
  ...(['application.id', 'account_id as accountId', 'mailbox', 'company', 'website', 'purpose'] as const),
  ...(['contract_types as contractTypes', 'other_parties as otherParties', 'volume', 'state', 'reason'] as const),
  ...(['revision', 'sent_at as sentAt', 'decided_at as decidedAt', 'decided_by as decidedBy'] as const),
] as const

/**
 * @param autoApproves `AUTO_APPROVE=trial`: what is sent is approved at once [D38]
 * @param wakeRelay called when an event waits to be told @param wakeMails when a mail waits to be handed over
 */
export function createApplicationStore({
  database,
  autoApproves,
  wakeRelay,
  wakeMails,
}: {
  database: Kysely<GatewayDatabase>
  autoApproves: boolean
  wakeRelay: () => void
  wakeMails: () => void
}) {
  const inTransaction = async <Result>(act: (trx: Trx) => Promise<Result>): Promise<Result> => {
    const result = await database.transaction().execute(act)
    wakeRelay()
    wakeMails()
    return result
  }

  const ofAccount = (accountId: string) =>
    database
      .selectFrom('application')
      .select(COLUMNS)
      .where('account_id', '=', accountId)
      .orderBy('sent_at', 'desc')
      .orderBy('id')

  /** The newest application of an account. */
  async function newestOf(accountId: string): Promise<Application | undefined> {
    const row = await ofAccount(accountId).limit(1).executeTakeFirst()
    return row && toApplication(row)
  }

  /** Every application of an account, the newest first. */
  async function listOf(accountId: string): Promise<Application[]> {
    return (await ofAccount(accountId).execute()).map(toApplication)
  }

  /**
   * Sends an application: for a new account of this owner, or again for one that was refused or withdrawn. The session shows that
   * account from then on.
   * @param owner as typed at sign-in, and proven there; the session with the account that it showed to whoever sent the form
   * @throws DomainError `invalid_request` while one is pending, or for an approved account
   */
  async function send(
    form: ApplicationForm,
    owner: { mailbox: string; address: string; session: { id: string; accountId: string | null } },
    accountId: string | undefined,
  ): Promise<void> {
    await inTransaction(async (trx) => {
      // A second click waits here for the first, and finds what that one made.
      const session = await trx
        .selectFrom('mailbox_session')
        .select('account_id as accountId')
        .where('id', '=', owner.session.id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (session.accountId !== owner.session.accountId) return
      const account = accountId ?? (await addAccount(trx, form.company, owner))
      await trx.updateTable('mailbox_session').set({ account_id: account }).where('id', '=', owner.session.id).execute()
      if ((await lockAccount(trx, account)).approvedAt !== null) throw refused('This account is approved already.')
      const id = newId('app')
      const added = await trx
        .insertInto('application')
        .values({ id, account_id: account, mailbox: owner.mailbox, ...columnsOf(form), sent_at: clock })
        .onConflict((conflict) => conflict.columns(['account_id']).where('state', '=', 'pending').doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) throw refused('An application of this account is being read already. Change or withdraw that one.')
      await trx.updateTable('account').set({ name: form.company }).where('id', '=', account).execute()
      await tellOfAccount(trx, account, 'application.submitted', { applicationId: id })
      await noteAct(trx, {
        ...{
          actor: { kind: 'owner', mailbox: owner.mailbox },
          act: 'application.sent',
          accountId: account,
          subject: id,
        },
      })
      if (autoApproves) await approveLocked(trx, { id, accountId: account, company: form.company }, SERVICE)
    })
  }

  /** Changes what a pending application says. @throws DomainError `invalid_request` when it was decided meanwhile */
  async function change(accountId: string, form: ApplicationForm, actor: Actor): Promise<void> {
    await inTransaction(async (trx) => {
      const { id } = await lockPending(trx, accountId, 'change')
      await trx
        .updateTable('application')
        .set({ ...columnsOf(form), revision: sql<number>`revision + 1` })
        .where('id', '=', id)
        .execute()
      await trx.updateTable('account').set({ name: form.company }).where('id', '=', accountId).execute()
      await noteAct(trx, { actor, act: 'application.changed', accountId, subject: id })
    })
  }

  /** Takes a pending application back. @throws DomainError `invalid_request` when it was decided meanwhile */
  async function withdraw(accountId: string, actor: Actor): Promise<void> {
    await inTransaction(async (trx) => {
      const { id } = await lockPending(trx, accountId, 'withdraw')
      await trx.updateTable('application').set({ state: 'withdrawn' }).where('id', '=', id).execute()
      await noteAct(trx, { actor, act: 'application.withdrawn', accountId, subject: id })
    })
  }

  /**
   * Approves; the applicant hears by mail.
   * @param revision that was read; undefined for whichever there is
   * @throws DomainError `not_found`; `invalid_request` when it was decided or changed meanwhile
   */
  async function approve(id: string, actor: Actor, reason?: string, revision?: number): Promise<{ accountId: string }> {
    return inTransaction(async (trx) => {
      const application = await lockById(trx, id, 'approve', revision)
      await approveLocked(trx, application, actor, reason)
      return { accountId: application.accountId }
    })
  }

  /** Refuses; the applicant reads the reason. @throws as `approve` */
  async function refuse(id: string, actor: Actor, reason: string, revision?: number): Promise<{ accountId: string }> {
    return inTransaction(async (trx) => {
      const { accountId, company } = await lockById(trx, id, 'refuse', revision)
      await decide(trx, id, 'refused', actor, reason)
      await tellOfAccount(trx, accountId, 'application.refused', { applicationId: id })
      await noteAct(trx, { actor, act: 'application.refused', accountId, subject: id, facts: { reason } })
      await queueMailToOwners(trx, { accountId, kind: 'application_refused', facts: { accountName: company, reason } })
      return { accountId }
    })
  }

  /** What waits for the operator, the oldest first. */
  async function queue(limit = 50): Promise<{ waiting: number; applications: QueuedApplication[] }> {
    const rows = await database
      .selectFrom('application')
      .select(COLUMNS)
      .select(
        sql<number>`(select count(*)::int from application earlier where earlier.state = 'refused'
          and (earlier.mailbox = application.mailbox or earlier.account_id = application.account_id))`.as(
          'earlierRefusals',
        ),
      )
      .select(sql<number>`count(*) over ()::int`.as('waiting'))
      .where('state', '=', 'pending')
      .orderBy('sent_at')
      .orderBy('id')
      .limit(limit)
      .execute()
    return {
      waiting: rows[0]?.waiting ?? 0,
      applications: rows.map((row) => ({ ...toApplication(row), earlierRefusals: row.earlierRefusals })),
    }
  }

  return { newestOf, listOf, send, change, withdraw, approve, refuse, queue }
}

export type ApplicationStore = ReturnType<typeof createApplicationStore>

const clock = sql<Date>`clock_timestamp()`

const refused = (sentence: string) => new DomainError('invalid_request', sentence)

const columnsOf = (form: ApplicationForm) => ({
  ...{ company: form.company, website: form.website, purpose: form.purpose, volume: form.volume },
  ...{ contract_types: form.contractTypes, other_parties: form.otherParties },
})

const toApplication = <Row extends { contractTypes: string[]; volume: string }>(row: Row) => ({
  ...row,
  contractTypes: row.contractTypes as ContractType[],
  volume: row.volume as Volume,
})

async function addAccount(trx: Trx, name: string, owner: { address: string }): Promise<string> {
  const id = newId('acc')
  await trx.insertInto('account').values({ id, name }).execute()
  await addFirstOwner(trx, id, owner.address)
  return id
}

/** Before its applications, in every transaction that locks one: in two orders two of them could wait for each other. */
const lockAccount = (trx: Trx, id: string) =>
  trx
    .selectFrom('account')
    .select('approved_at as approvedAt')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()

async function lockPending(trx: Trx, accountId: string, step: 'change' | 'withdraw'): Promise<{ id: string }> {
  await lockAccount(trx, accountId)
  const row = await trx
    .selectFrom('application')
    .select(['id', 'state'])
    .where('account_id', '=', accountId)
    .orderBy('sent_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!row || after(row.state, step) === undefined) throw refused('This application has been decided already.')
  return row
}

async function lockById(
  trx: Trx,
  id: string,
  step: 'approve' | 'refuse',
  revision: number | undefined,
): Promise<{ id: string; accountId: string; company: string }> {
  const found = await trx.selectFrom('application').select('account_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw new DomainError('not_found', 'There is no application with this id. List them to find it.')
  await lockAccount(trx, found.account_id)
  const row = await trx
    .selectFrom('application')
    .select(['id', 'account_id as accountId', 'company', 'state', 'revision'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (after(row.state, step) === undefined)
    throw refused(`This application is ${row.state}; only one that is pending can be decided.`)
  if (revision !== undefined && row.revision !== revision)
    throw refused('The applicant has changed this application. Read it again, then decide.')
  return row
}

async function decide(
  trx: Trx,
  id: string,
  state: 'approved' | 'refused',
  actor: Actor,
  reason: string | undefined,
): Promise<void> {
  await trx
    .updateTable('application')
    .set({ state, reason: reason ?? null, decided_at: clock, decided_by: actor.mailbox ?? actor.kind })
    .where('id', '=', id)
    .execute()
}

/** Under the application's lock. */
async function approveLocked(
  trx: Trx,
  { id, accountId, company }: { id: string; accountId: string; company: string },
  actor: Actor,
  reason?: string,
): Promise<void> {
  await decide(trx, id, 'approved', actor, reason)
  await trx.updateTable('account').set({ approved_at: clock }).where('id', '=', accountId).execute()
  await tellOfAccount(trx, accountId, 'application.approved', { applicationId: id })
  await noteAct(trx, {
    ...{ actor, act: 'application.approved', accountId, subject: id },
    facts: reason === undefined ? {} : { reason },
  })
  await queueMailToOwners(trx, { accountId, kind: 'application_approved', facts: { accountName: company } })
}
