// Limits the mails about contracts to one mailbox, over all contracts and accounts. [D24, P25]
// Owns the counts, which hold an HMAC of the mailbox, never the address. Excludes codes, which libs/codes limits and a person waits for,
// and mails to owners, which report what happened to their account.
import { authenticate, type Keyring } from '@paraph/config/keyring'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { sql, type Kysely } from 'kysely'
import { TRY_HOURS, type ClaimedDelivery } from '../database.js'

/** `perHour` and `perDay` of the clock of the database, in UTC. */
export interface MailboxLimits {
  perHour: number
  perDay: number
}

/**
 * A director who signs 200 contracts in an hour gets 200 invitations and 200 copies in it. A day leaves room for as many outcomes,
 * reminders and second roles again.
 */
export const MAILBOX_LIMITS: MailboxLimits = { perHour: 400, perDay: 1_000 }

export interface MailboxLimitDeps {
  database: Kysely<unknown>
  /** After a rotation of the current key, counts begin anew. */
  keys: Keyring
  limits?: MailboxLimits
}

/** The outcome of a postponed delivery, which waits until the end of the next day at most. */
export const POSTPONED = 'many mails to this mailbox'
export const POSTPONED_HOURS_MAX = 25

export function createMailboxLimit({ database, keys, limits = MAILBOX_LIMITS }: MailboxLimitDeps) {
  const { perHour, perDay } = limits
  const keyOf = (address: string): Buffer => authenticate(keys, `mailbox-limit:${mailboxOf(address)}`)

  return {
    /** Counts a mail to this mailbox, in one statement. @returns false, without counting, if the limit is reached */
    async take(address: string): Promise<boolean> {
      const { rows } = await sql`
        insert into mailbox_count as c (mailbox, hour, in_hour, day, in_day)
        values (${keyOf(address)}, ${THIS_HOUR}, 1, ${TODAY}, 1)
        on conflict (mailbox) do update set
          hour = excluded.hour, in_hour = case when c.hour = excluded.hour then c.in_hour else 0 end + 1,
          day = excluded.day, in_day = case when c.day = excluded.day then c.in_day else 0 end + 1
        where (c.hour <> excluded.hour or c.in_hour < ${perHour}) and (c.day <> excluded.day or c.in_day < ${perDay})
        returning 1`.execute(database)
      return rows.length > 0
    },
    /** Takes back a mail that the server did not accept, so that the retries of an outage use up no limit. */
    async giveBack(address: string): Promise<void> {
      await sql`update mailbox_count set in_hour = greatest(in_hour - 1, 0), in_day = greatest(in_day - 1, 0)
        where mailbox = ${keyOf(address)}`.execute(database)
    },
    /**
     * Makes a delivery due in the next hour, or the next day, in which the mailbox has room. Spreads the mails over an hour, and gives
     * them 48 hours from then, so that none is given up for this limit. Not an attempt.
     */
    async postpone({ id, claim }: ClaimedDelivery, address: string): Promise<void> {
      await sql`update delivery set due_at = room.at + random() * interval '1 hour', outcome = ${POSTPONED},
          lapses_at = greatest(lapses_at, room.at + make_interval(hours => ${TRY_HOURS + 1})),
          attempts = attempts - 1, claim = null, claimed_until = null
        from (select case when day = ${TODAY} and in_day >= ${perDay} then day + interval '1 day'
                else ${THIS_HOUR} + interval '1 hour' end as at
                from mailbox_count where mailbox = ${keyOf(address)}) as room
        where id = ${id} and claim = ${claim}`.execute(database)
    },
  }
}

export type MailboxLimit = ReturnType<typeof createMailboxLimit>

const THIS_HOUR = sql`date_trunc('hour', clock_timestamp(), 'UTC')`
const TODAY = sql`date_trunc('day', clock_timestamp(), 'UTC')`
