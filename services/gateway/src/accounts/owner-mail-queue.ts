// Mails to owners on their way to notification: queued with the act, pushed until it has them, wiped then. [D24, D42]
import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { continueTrace } from '@paraph/messaging/trace'
import type { MailLanguage } from '@paraph/protocol/caller'
import { OWNER_MAIL_FACTS, ownerMailSchema, type OwnerMail, type OwnerMailKind } from '@paraph/protocol/owner-mail'
import { allAtOnce } from '@paraph/service/at-once'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { z } from 'zod'
import type { GatewayDatabase } from './database.js'

const POLL_MS = 1_000
/** After this a row is tried again, by whichever process comes first. */
const LEASE_SECONDS = 12
const BATCH = 16

type Trx = Transaction<GatewayDatabase>

interface NewMail<Kind extends OwnerMailKind> {
  accountId: string
  kind: Kind
  facts: z.infer<(typeof OWNER_MAIL_FACTS)[Kind]>
}

/** One mail to one address, in the transaction of what it tells. */
export async function queueMailTo<Kind extends OwnerMailKind>(
  trx: Trx,
  { accountId, address, kind, facts }: NewMail<Kind> & { address: string },
): Promise<void> {
  await trx
    .insertInto('owner_mail')
    .values({
      ...{ id: randomUUID(), account_id: accountId, kind, address },
      facts: JSON.stringify(OWNER_MAIL_FACTS[kind].parse(facts)),
      traceparent: currentTraceparent() ?? null,
    })
    .execute()
}

/** The same mail to every owner of the account. */
export async function queueMailToOwners<Kind extends OwnerMailKind>(trx: Trx, mail: NewMail<Kind>): Promise<void> {
  const owners = await trx
    .selectFrom('account_owner')
    .select('address')
    .where('account_id', '=', mail.accountId)
    .where('confirmed_at', 'is not', null)
    .execute()
  for (const { address } of owners) await queueMailTo(trx, { ...mail, address })
}

interface Waiting {
  id: string
  kind: OwnerMailKind
  address: string
  facts: Record<string, string | null>
  language: MailLanguage
  age_ms: number
  traceparent: string | null
}

/**
 * The loop that hands mails over; `pushWaiting` is one round of it.
 * @param push takes a mail; taken again under its id it is one mail. What it throws is tried again.
 */
export function createOwnerMails({
  database,
  push,
  logger,
}: {
  database: Kysely<GatewayDatabase>
  push: (mail: OwnerMail) => Promise<unknown>
  logger: Logger
}) {
  /** One round over what waits. @returns true when more may wait @throws what stopped them when not one could be handed over */
  async function pushWaiting(): Promise<boolean> {
    const rows = await claim()
    await allAtOnce(rows, pushTraced, (error, { id }) =>
      logger.warn({ err: error, mailId: id }, 'a mail to an owner was not handed over yet'),
    )
    return rows.length === BATCH
  }

  const pushTraced = (row: Waiting): Promise<void> =>
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

  async function claim(): Promise<Waiting[]> {
    const { rows } = await sql<Waiting>`
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
    trouble: 'mails to owners cannot be handed over at the moment; they wait',
    logger,
  })
  return { ...loop, pushWaiting }
}
