// Mails that wait for an operator after a restore: nobody knows which of them went out before the loss. [D24; docs/backup.md]
// Owns: which mails those are, how an operator sees them and names those that were sent. Does not own: that nobody claims them
// (deliveries.ts). What is held is a setting and no row: true for every replica from its first moment on, and over restarts.
import { allAtOnce } from '@paraph/service/at-once'
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import type { MailKind, NotificationDatabase, OwnerKind } from './database.js'
import type { Deliveries } from './deliveries.js'
import type { Settlement } from './settlement.js'

/** More than this is for an alert what this is. */
const COUNTED_MAX = 100_000
const NAMES_AT_ONCE = 1_000
/** What the record says of a mail that a relay's log showed as sent. */
const SENT_BEFORE = 'sent before a restore'

/** Of a row of `delivery` that is due. Codes are sent: a person is waiting, and an old one has lapsed by itself. [D42] */
export const isHeldSql = (before: Date) =>
  sql`(created_at < ${before.toISOString()}::timestamptz and kind not in ('code', 'owner_code'))`

/** What a relay's log finds a mail by: all of its Message-ID before the @, or for a mail to an owner the last part of that. [D24] */
export const NAME = sql`coalesce(request_id, concat_ws('.', kind, contract_id, party_index, send_number))`

export interface HeldKind {
  kind: MailKind | OwnerKind
  count: number
  /** When they were made. */
  oldest: string
  newest: string
}

/** How many mails are held, counted up to 100,000; 0 where `before` is not set. For the metric `paraph.email.held`. */
export async function readHeld(database: Kysely<NotificationDatabase>, before: Date | undefined): Promise<number> {
  if (before === undefined) return 0
  const { rows } = await sql<{ held: number }>`select count(*)::int as held
    from (select from delivery where state = 'due' and ${isHeldSql(before)} limit ${COUNTED_MAX}) as counted`.execute(
    database,
  )
  return rows[0]!.held
}

/** @param before the setting HOLD_MAILS_BEFORE; undefined where nothing is held */
export function createHeldMails({
  database,
  deliveries,
  settlement,
  before,
  logger,
}: {
  database: Kysely<NotificationDatabase>
  deliveries: Pick<Deliveries, 'claimHeld'>
  settlement: Settlement
  before: Date | undefined
  logger: Logger
}) {
  /** What is held, by kind. `before` is null where the setting is not there. */
  async function readKinds(): Promise<{ before: string | null; kinds: HeldKind[] }> {
    if (before === undefined) return { before: null, kinds: [] }
    const { rows } = await sql<{ kind: MailKind | OwnerKind; count: number; oldest: Date; newest: Date }>`
      select kind, count(*)::int as count, min(created_at) as oldest, max(created_at) as newest
        from delivery where state = 'due' and ${isHeldSql(before)} group by kind order by kind`.execute(database)
    const kinds = rows.map(({ oldest, newest, ...row }) => ({
      ...{ ...row, oldest: oldest.toISOString(), newest: newest.toISOString() },
    }))
    return { before: before.toISOString(), kinds }
  }

  /**
   * Names of those that were made up to an instant, the oldest first, up to 1,000 after the delivery `after`.
   * @returns with each the id to go on after
   */
  async function readNames(madeUntil: Date, after: number): Promise<{ id: number; name: string }[]> {
    if (before === undefined) return []
    const { rows } = await sql<{ id: number; name: string }>`select id, ${NAME} as name from delivery
       where state = 'due' and ${isHeldSql(before)} and created_at <= ${madeUntil.toISOString()}::timestamptz and id > ${after}
       order by id limit ${NAMES_AT_ONCE}`.execute(database)
    return rows
  }

  /**
   * Ends those of these names that are held as sent, and tells it.
   * @returns how many; the others are not held, or in hand just now. @throws when none could be ended
   */
  async function noteSent(names: readonly string[]): Promise<number> {
    return allAtOnce(
      await deliveries.claimHeld(names),
      (delivery) => settlement.settle(delivery, { state: 'accepted', why: SENT_BEFORE }),
      (error, { id }) => logger.warn({ err: error, deliveryId: id }, 'a mail could not be recorded as sent'),
    )
  }

  return {
    readKinds,
    readNames,
    noteSent,
    /** Says in the log that mails are held: who forgets the setting finds it there. */
    announce(): void {
      if (before !== undefined)
        logger.warn(
          { before: before.toISOString() },
          'mails made before HOLD_MAILS_BEFORE are held until it is taken away',
        )
    },
  }
}

export type HeldMails = ReturnType<typeof createHeldMails>
