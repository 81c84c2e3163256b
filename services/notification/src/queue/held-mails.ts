// Held mails: after a restore, they wait for an operator, because some of them were sent before the data loss. [D24; docs/how-to/operators/backup-restore.md]
// Owns which mails are held, their list, and recording mails as sent. Does not own: excluding held mails from claims (claim-delivery.ts).
// A setting, not a row, decides which mails are held, so that every replica applies it from its start.
import { elementAt } from '@paraph/protocol/element-at'
import { settleAll } from '@paraph/background/settle-all'
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import type { ClaimedDelivery } from '../database.js'
import type { FinishDelivery } from './finish-delivery.js'

/** An alert needs no higher count. */
const COUNTED_MAX = 100_000
const NAMES_AT_ONCE = 1_000
/** The recorded outcome of a mail that the log of the SMTP server shows as sent. */
const SENT_BEFORE = 'sent before a restore'

/** A condition on a due row of `delivery`. Excludes codes: a person waits for a new code, and an old code has expired. [D42] */
export const isHeldSql = (before: Date) =>
  sql`(created_at < ${before.toISOString()}::timestamptz and kind not in ('code', 'owner_code'))`

/** The name of a mail for an operator: the part of its Message-ID before the @; for a mail to an owner, the end of this part. [D24] */
export const NAME = sql`coalesce(request_id, concat_ws('.', kind, contract_id, party_index, send_number))`

/** The number of held mails, at most 100,000; 0 when `before` is not set. For the metric `paraph.email.held`. */
export async function readHeld(database: Kysely<unknown>, before: Date | undefined): Promise<number> {
  if (before === undefined) return 0
  const { rows } = await sql<{ held: number }>`select count(*)::int as held
    from (select from delivery where state = 'due' and ${isHeldSql(before)} limit ${COUNTED_MAX}) as counted`.execute(
    database,
  )
  return elementAt(rows, 0).held
}

export interface HeldMailsDeps {
  database: Kysely<unknown>
  claims: { claimHeld: (names: readonly string[]) => Promise<ClaimedDelivery[]> }
  finishDelivery: FinishDelivery
  /** The setting HOLD_MAILS_BEFORE; undefined when no mail is held. */
  before: Date | undefined
  logger: Logger
}

export function createHeldMails({ database, claims, finishDelivery, before, logger }: HeldMailsDeps) {
  /** The held mails by kind, with the creation times of the oldest and the newest mail. `before` is null without the setting. */
  async function readKinds() {
    if (before === undefined) return { before: null, kinds: [] }
    const { rows } = await sql<{ kind: ClaimedDelivery['kind']; count: number; oldest: Date; newest: Date }>`
      select kind, count(*)::int as count, min(created_at) as oldest, max(created_at) as newest
        from delivery where state = 'due' and ${isHeldSql(before)} group by kind order by kind`.execute(database)
    const kinds = rows.map(({ oldest, newest, ...row }) => ({
      ...row,
      oldest: oldest.toISOString(),
      newest: newest.toISOString(),
    }))
    return { before: before.toISOString(), kinds }
  }

  /**
   * A page of up to 1,000 names of held mails that were created until `madeUntil`, in order of id, after the delivery `after`.
   * @returns each name with the id of its delivery; the last id is `after` for the next page
   */
  async function readNames(madeUntil: Date, after: number): Promise<{ id: number; name: string }[]> {
    if (before === undefined) return []
    const { rows } = await sql<{ id: number; name: string }>`select id, ${NAME} as name from delivery
       where state = 'due' and ${isHeldSql(before)} and created_at <= ${madeUntil.toISOString()}::timestamptz and id > ${after}
       order by id limit ${NAMES_AT_ONCE}`.execute(database)
    return rows
  }

  /**
   * Ends the held mails with these names as sent, and publishes the ends.
   * @returns the number of ended mails; the other names are not held, or claimed now. @throws Error if no claimed mail could be ended
   */
  async function recordSent(names: readonly string[]): Promise<number> {
    return settleAll(
      await claims.claimHeld(names),
      (delivery) => finishDelivery(delivery, { state: 'accepted', why: SENT_BEFORE }),
      (error, { id }) =>
        logger.warn({ err: error, deliveryId: id }, 'could not record a paused mail as sent; the mail stays paused'),
    )
  }

  return {
    readKinds,
    readNames,
    recordSent,
    /** Warns in the log at start, so that an operator does not forget the setting. */
    logSetting(): void {
      if (before !== undefined)
        logger.warn(
          { before: before.toISOString() },
          'mails created before HOLD_MAILS_BEFORE stay paused until the setting is removed',
        )
    },
  }
}

export type HeldMails = ReturnType<typeof createHeldMails>
