// The queue of mails to owners. An act adds a mail in its transaction; a loop pushes it to notification, then wipes its content. [D24, D42]
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { createTaskQueue, QUEUED_COLUMNS, type QueuedTask, type TaskTable } from '@paraph/messaging/task-queue'
import type { AccountRole } from '@paraph/protocol/account-role'
import type { MailLanguage } from '@paraph/protocol/principal'
import { OWNER_MAIL_DATA, ownerMailSchema, type OwnerMail, type OwnerMailKind } from '@paraph/protocol/owner-mail'
import { failPoint } from '@paraph/testing/fail-point'
import type { Logger } from '@paraph/telemetry/logger'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { z } from 'zod'
import type { GatewayDatabase } from '../database.js'
import type { Trx } from './account-change.js'

export interface NewMail<Kind extends OwnerMailKind> {
  accountId: string
  kind: Kind
  data: z.infer<(typeof OWNER_MAIL_DATA)[Kind]>
  /** Names what happened, for a mail that a loop may queue again. */
  cause?: string
  /** The mailbox that the mail is about, which gets it too. */
  about?: string
  /** A mailbox that gets no mail: it hears of it otherwise. */
  except?: string
}

/** Queues one mail to one address, in the transaction of the act that it reports. Without an account it is in both languages. */
export async function queueMailTo<Kind extends OwnerMailKind>(
  trx: Trx,
  {
    accountId,
    address,
    kind,
    data,
    cause,
  }: Omit<NewMail<Kind>, 'accountId' | 'about' | 'except'> & { accountId: string | null; address: string },
): Promise<void> {
  await trx
    .insertInto('owner_mail')
    .values({
      id: randomUUID(),
      account_id: accountId,
      kind,
      address,
      data: JSON.stringify(OWNER_MAIL_DATA[kind].parse(data)),
      cause: cause ?? null,
      traceparent: currentTraceparent() ?? null,
    })
    .execute()
}

/** Mails about what developers run; they go to developers too. [D72] */
const FOR_DEVELOPERS: ReadonlySet<OwnerMailKind> = new Set(['key_created', 'key_revoked', 'webhook_disabled'])

/** Queues the same mail to every confirmed owner of the account. */
export async function queueMailToOwners<Kind extends OwnerMailKind>(trx: Trx, mail: NewMail<Kind>): Promise<void> {
  const { about, except, ...each } = mail
  const roles: AccountRole[] = FOR_DEVELOPERS.has(mail.kind) ? ['owner', 'developer'] : ['owner']
  const people = await trx
    .selectFrom('account_owner')
    .select('address')
    .where('account_id', '=', mail.accountId)
    .where('confirmed_at', 'is not', null)
    .where((where) => where.or([where('role', 'in', roles), where('mailbox', '=', about ?? '')]))
    .where('mailbox', '<>', except ?? '')
    .execute()
  for (const { address } of people) await queueMailTo(trx, { ...each, address })
}

interface OwnerMailTask extends QueuedTask {
  id: string
  kind: OwnerMailKind
  address: string
  data: Record<string, string | null>
  language: MailLanguage
}

interface OwnerMailsDeps {
  database: Kysely<GatewayDatabase>
  /** Sends a mail to the notification service; idempotent by the mail's id. The queue retries after a rejection. */
  push: (mail: OwnerMail) => Promise<unknown>
  logger: Logger
}

const QUEUE: TaskTable = {
  table: 'owner_mail',
  lease: { column: 'leased_until', seconds: 12 },
  due: sql`finished_at is null`,
  order: sql`created_at`,
  batch: 16,
  columns: sql`id, kind, address, data, ${QUEUED_COLUMNS},
    coalesce((select language from account where account.id = owner_mail.account_id), 'en+fr') as language`,
}

/** The loop that pushes queued mails. */
export const createOwnerMails = ({ database, push, logger }: OwnerMailsDeps) =>
  createTaskQueue<OwnerMailTask>({
    database,
    queue: QUEUE,
    span: 'push owner mail',
    perform: async ({ id, kind, address: to, data, language }) => {
      await push(ownerMailSchema.parse({ id, kind, to, data, language }))
      failPoint('owner-mail.pushed')
      await sql`update owner_mail set finished_at = clock_timestamp(), address = null, data = null
        where id = ${id} and finished_at is null`.execute(database)
    },
    onFailure: (error, { id }, waitMs) =>
      logger.warn({ err: error, mailId: id, retryInMs: waitMs }, 'could not push an owner mail; retrying'),
    failureMessage: 'could not push owner mails to the notification service; the queue retries with back-off',
    logger,
  })
