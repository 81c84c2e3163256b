// The queue of mails to owners: filled in the transaction of an act, pushed to notification with retries, wiped after that. [D24, D42]
import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { continueTrace } from '@paraph/messaging/trace'
import type { MailLanguage } from '@paraph/protocol/principal'
import { OWNER_MAIL_DATA, ownerMailSchema, type OwnerMail, type OwnerMailKind } from '@paraph/protocol/owner-mail'
import { settleAll } from '@paraph/background/settle-all'
import { failPoint } from '@paraph/testing/fail-point'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { z } from 'zod'
import type { GatewayDatabase } from '../database.js'

const POLL_MS = 1_000
/** After this any process may claim the row again. */
const LEASE_SECONDS = 12
const BATCH = 16

type Trx = Transaction<GatewayDatabase>

interface NewMail<Kind extends OwnerMailKind> {
  accountId: string
  kind: Kind
  facts: z.infer<(typeof OWNER_MAIL_DATA)[Kind]>
}

/** Queues one mail to one address, in the transaction of the act that it reports. */
export async function queueMailTo<Kind extends OwnerMailKind>(
  trx: Trx,
  { accountId, address, kind, facts }: NewMail<Kind> & { address: string },
): Promise<void> {
  await trx
    .insertInto('owner_mail')
    .values({
      id: randomUUID(),
      account_id: accountId,
      kind,
      address,
      facts: JSON.stringify(OWNER_MAIL_DATA[kind].parse(facts)),
      traceparent: currentTraceparent() ?? null,
    })
    .execute()
}

/** Queues the same mail to every confirmed owner of the account. */
export async function queueMailToOwners<Kind extends OwnerMailKind>(trx: Trx, mail: NewMail<Kind>): Promise<void> {
  const owners = await trx
    .selectFrom('account_owner')
    .select('address')
    .where('account_id', '=', mail.accountId)
    .where('confirmed_at', 'is not', null)
    .execute()
  for (const { address } of owners) await queueMailTo(trx, { ...mail, address })
}

interface QueuedMail {
  id: string
  kind: OwnerMailKind
  address: string
  facts: Record<string, string | null>
  language: MailLanguage
  age_ms: number
  traceparent: string | null
}

interface OwnerMailsDeps {
  database: Kysely<GatewayDatabase>
  /** Hands a mail to notification; idempotent by its id. A rejection is retried. */
  push: (mail: OwnerMail) => Promise<unknown>
  logger: Logger
}

/** The loop that pushes queued mails; `pushWaiting` is one round of it. */
export function createOwnerMails({ database, push, logger }: OwnerMailsDeps) {
  /** Pushes one batch. @returns true if more may be queued @throws if no mail of the batch could be pushed */
  async function pushWaiting(): Promise<boolean> {
    const rows = await claim()
    await settleAll(rows, pushTraced, (error, { id }) =>
      logger.warn({ err: error, mailId: id }, `could not push an owner mail; retrying in ${LEASE_SECONDS} s`),
    )
    return rows.length === BATCH
  }

  const pushTraced = (row: QueuedMail): Promise<void> =>
    continueTrace(
      { name: 'push owner mail', attributes: {}, traceparent: row.traceparent, ageMs: row.age_ms },
      async () => {
        const { id, kind, address: to, facts, language } = row
        await push(ownerMailSchema.parse({ id, kind, to, facts, language }))
        failPoint('owner-mail.pushed')
        await sql`update owner_mail set settled_at = clock_timestamp(), address = null, facts = null
          where id = ${id} and settled_at is null`.execute(database)
      },
    )

  async function claim(): Promise<QueuedMail[]> {
    const { rows } = await sql<QueuedMail>`
      with claimed as (
        update owner_mail set leased_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
         where id in (select id from owner_mail
                       where settled_at is null and (leased_until is null or leased_until < clock_timestamp())
                       order by created_at limit ${BATCH} for update skip locked)
        returning *)
      select claimed.id, kind, address, facts, coalesce(language, 'en+fr') as language, traceparent,
             (extract(epoch from clock_timestamp() - claimed.created_at) * 1000)::float8 as age_ms
        from claimed left join account on account.id = claimed.account_id`.execute(database)
    return rows
  }

  const loop = createLoop({
    work: pushWaiting,
    pauseMs: POLL_MS,
    trouble: 'could not push owner mails to the notification service; they stay queued, retrying with back-off',
    logger,
  })
  return { ...loop, pushWaiting }
}
