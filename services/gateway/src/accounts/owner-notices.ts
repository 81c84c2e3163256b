// Mails the owners what happened to their contracts: some at once, some in a daily summary, as the account wishes. [D70]
// Notification knows what happened, and not who owns the account. Each mail records its cause, so a repeated round adds none.
import type { TRPCClient } from '@trpc/client'
import { sql, type Kysely } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import { settleAll } from '@paraph/background/settle-all'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import type { OwnerMailKind } from '@paraph/protocol/owner-mail'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'
import { clock, lockAccount, type Trx } from './account-change.js'
import { nextMorning } from './zone-time.js'
import { queueMailToOwners, type NewMail } from './owner-mail-queue.js'

const PAUSE_MS = 20_000
const ACCOUNTS_MAX = 100
/** Refusals of one account that are mailed one by one within an hour; the others share one mail when the hour is over. */
const REFUSALS_AN_HOUR = 10

type Notices = TRPCClient<NotificationRouter>['notices']
type Waiting = Awaited<ReturnType<Notices['waiting']['query']>>[number]

interface OwnerNoticesDeps {
  database: Kysely<GatewayDatabase>
  notices: Notices
  /** The number of a production contract; undefined when the account has no such contract. */
  numberOf: (accountId: string, contractId: string) => Promise<string | undefined>
  /** Called after mails were queued. */
  triggerMails: () => void
  logger: Logger
}

/** Any number of gateways may run the loop. */
export function createOwnerNotices({ database, notices, numberOf, triggerMails, logger }: OwnerNoticesDeps) {
  /** Always returns false: what is left waits for the next round. */
  async function mail(): Promise<false> {
    const eager = await database
      .selectFrom('account')
      .select('id')
      .where('mails_completed', '=', 'each')
      .limit(1_000)
      .execute()
    const accountIds = eager.map(({ id }) => id)
    const waiting = [
      ...(await notices.waiting.query({ kinds: ['invitation_refused', 'party_declined'] })),
      ...(accountIds.length === 0 ? [] : await notices.waiting.query({ kinds: ['contract_completed'], accountIds })),
    ]
    await settleAll(waiting, mailNow, (error, { accountId, kind }) =>
      logger.warn(
        { err: error, accountId, kind },
        'could not mail owners what happened to a contract; retrying in 20 s',
      ),
    )
    const due = await database
      .selectFrom('account')
      .select('id')
      .where((account) => account.or([account('summary_at', 'is', null), account('summary_at', '<=', clock)]))
      .limit(ACCOUNTS_MAX)
      .execute()
    await settleAll(due, summarize, (error, { id: accountId }) =>
      logger.warn({ err: error, accountId }, 'could not mail the summary of an account; retrying in 20 s'),
    )
    return false
  }

  async function mailNow({ accountId, kind, count, upTo, first }: Waiting): Promise<void> {
    const wishes = await wishesOf(accountId)
    const isWanted = kind === 'invitation_refused' ? wishes.refused : kind === 'party_declined' ? wishes.declined : true
    if (!isWanted) return notices.report.mutate({ accountId, kind, upTo })
    if (kind !== 'invitation_refused') return mailEach(accountId, kind, first)
    const sent = await refusalsOfTheHour(accountId)
    if (sent >= REFUSALS_AN_HOUR) return
    if (count <= REFUSALS_AN_HOUR - sent) return mailEach(accountId, kind, first)
    // After a full hour more have gathered than fit into the next: one mail for all of them.
    if (sent > 0) return mailEach(accountId, kind, first.slice(0, REFUSALS_AN_HOUR - sent))
    await queue(accountId, `${kind} ${upTo}`, ({ name: accountName }) => ({
      kind: 'invitations_refused',
      data: { accountName, count },
    }))
    await notices.report.mutate({ accountId, kind, upTo })
  }

  async function mailEach(accountId: string, kind: Waiting['kind'], each: Waiting['first']): Promise<void> {
    for (const { id, contractId } of each) {
      const contractNumber = await numberOf(accountId, contractId)
      if (contractNumber !== undefined && kind !== 'contract_expired')
        await queue(accountId, `notice ${id}`, ({ name: accountName }) => ({
          kind,
          data: { accountName, contractNumber },
        }))
      await notices.report.mutate({ accountId, kind, upTo: id })
    }
  }

  /** A new account has no morning yet, and hears of its first contracts on its first one. */
  async function summarize({ id: accountId }: { id: string }): Promise<void> {
    const wishes = await wishesOf(accountId)
    if (wishes.summaryAt !== null) await mailSummary(accountId, { ...wishes, summaryAt: wishes.summaryAt })
    await database
      .updateTable('account')
      .set({ summary_at: nextMorning(wishes.now, wishes.timeZone) })
      .where('id', '=', accountId)
      .execute()
  }

  async function mailSummary(
    accountId: string,
    wishes: { completed: 'daily' | 'each' | 'off'; expired: boolean; summaryAt: Date },
  ): Promise<void> {
    const waiting = await notices.waiting.query({
      kinds: ['contract_completed', 'contract_expired'],
      accountIds: [accountId],
    })
    const countOf = (kind: Waiting['kind'], isWanted: boolean): number =>
      isWanted ? (waiting.find((each) => each.kind === kind)?.count ?? 0) : 0
    const completed = countOf('contract_completed', wishes.completed === 'daily')
    const expired = countOf('contract_expired', wishes.expired)
    if (completed + expired > 0)
      await queue(accountId, `summary ${wishes.summaryAt.toISOString()}`, ({ name: accountName }) => ({
        kind: 'daily_summary',
        data: { accountName, completed, expired },
      }))
    for (const { kind, upTo } of waiting)
      if (kind === 'contract_expired' || wishes.completed !== 'each')
        await notices.report.mutate({ accountId, kind, upTo })
  }

  const wishesOf = (accountId: string) =>
    database
      .selectFrom('account')
      .select(['mails_refused as refused', 'mails_declined as declined', 'mails_completed as completed'])
      .select(['mails_expired as expired', 'time_zone as timeZone', 'summary_at as summaryAt', clock.as('now')])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()

  async function refusalsOfTheHour(accountId: string): Promise<number> {
    const { rows } = await sql<{ sent: number }>`
      select count(distinct cause)::int as sent from owner_mail
       where account_id = ${accountId} and kind in ('invitation_refused', 'invitations_refused')
         and created_at > clock_timestamp() - interval '1 hour'`.execute(database)
    return rows[0]?.sent ?? 0
  }

  /** Queues the mail of one cause to every owner, once. */
  async function queue<Kind extends OwnerMailKind>(
    accountId: string,
    cause: string,
    write: (account: { name: string }) => Pick<NewMail<Kind>, 'kind' | 'data'>,
  ): Promise<void> {
    await database.transaction().execute(async (trx: Trx) => {
      const account = await lockAccount(trx, accountId)
      const known = await trx
        .selectFrom('owner_mail')
        .select('id')
        .where('account_id', '=', accountId)
        .where('cause', '=', cause)
        .executeTakeFirst()
      if (!known) await queueMailToOwners(trx, { accountId, cause, ...write(account) })
    })
    triggerMails()
  }

  return createLoop({
    name: 'owner notices',
    work: mail,
    pauseMs: PAUSE_MS,
    failureMessage: 'could not read from the notification service what owners should hear; retrying',
    logger,
  })
}
