// The sessions of the console: a proven mailbox, its browser and the account that the session shows. [D33]
// Owns the rows. Does not own: the proof of a mailbox (@paraph/codes), the permissions (routes.ts).
import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import { clock, type Trx } from '../accounts/account-change.js'
import type { OwnedAccount } from '../accounts/account-owners.js'
import type { GatewayDatabase } from '../database.js'
import type { SignInRecord } from './sign-in-record.js'

/** Lifetime of a session, from the verified code. */
export const SESSION_SECONDS = 86_400
/** A session ends this long after its last request. Longer than a person reads a contract, shorter than an unlocked computer stays alone. */
const IDLE_SECONDS = 7_200
/** The cookie of a browser, for as long as browsers keep one. [P30] */
export const CONSOLE_BROWSER = { name: 'console-browser', maxAgeSeconds: 400 * 86_400 }

/** How old the newest proof of a person may be before a grave act. [D73] */
export const PROOF_MINUTES = 10

export interface ConsoleSession {
  id: string
  mailbox: string
  /** The account that the person chose to see; null until that choice. */
  accountId: string | null
  /** The newest proof of the person: the sign-in, or a later one. [D73] */
  provenAt: Date
  /** A passkey, a recovery code or an issuer has proven the person in this session. */
  hasSecondFactor: boolean
  /** The issuer that opened the session; null: a code did. */
  issuer: 'owners' | 'operators' | null
}

/** `group_removed`, `issuer_refused`: the issuer of the session no longer allows it. [D73] */
type EndReason = 'signed_out' | 'replaced' | 'group_removed' | 'issuer_refused'

/** Deletes what an issuer gave for ended sessions. */
async function forgetTokens(trx: Trx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('issuer_session').where('session_id', 'in', ids).execute()
}

/** Ends every session of the mailbox, and deletes what an issuer gave for it. @returns those that were open */
export async function endSessionsOf(trx: Trx, mailbox: string) {
  const rows = await trx
    .updateTable('mailbox_session')
    .set({ ended_at: clock })
    .where('mailbox', '=', mailbox)
    .where('ended_at', 'is', null)
    .returning(['id', 'issuer'])
    .execute()
  await forgetTokens(
    trx,
    rows.map(({ id }) => id),
  )
  return rows
}

/** Neither ended nor expired nor idle, and opened by a sign-in: a code for a reply address proves no more than that address. */
const isOpen = sql<boolean>`ended_at is null and expires_at > clock_timestamp() and scope = 'sign-in ' || mailbox
  and coalesce(last_seen_at, created_at) > clock_timestamp() - make_interval(secs => ${IDLE_SECONDS})`
/** Not recorded as seen within the last minute. */
const isUnseen = sql<boolean>`last_seen_at is null or last_seen_at < clock_timestamp() - interval '1 minute'`.as(
  'isUnseen',
)

/** A session is signed in, or `pending`: the code was right, and the second factor is missing. [D73] */
export interface FoundSession {
  session?: ConsoleSession
  pending?: ConsoleSession
}

export function createConsoleSessions(
  database: Kysely<GatewayDatabase>,
  { record, operatorEmails }: { record: SignInRecord; operatorEmails: readonly string[] },
) {
  /** A session that a code opened needs a passkey if its mailbox has one, or is an operator's. An issuer's sign-in counts as both. */
  const isPending = sql<boolean>`second_factor_at is null and issuer is null
    and (mailbox = any(${[...operatorEmails]}::text[])
         or exists (select from passkey where passkey.mailbox = mailbox_session.mailbox))`.as('isPending')

  return {
    /** The active session of a cookie's token. Updates `last_seen_at` at most once a minute. */
    async find(token: string | undefined): Promise<FoundSession> {
      if (!token || !/^[A-Za-z0-9_-]{43}$/.test(token)) return {}
      const row = await database
        .selectFrom('mailbox_session')
        .select(['id', 'mailbox', 'account_id as accountId', 'proven_at as provenAt', 'issuer', isUnseen, isPending])
        .select(sql<boolean>`second_factor_at is not null`.as('hasSecondFactor'))
        .where('token_sha256', '=', createHash('sha256').update(token).digest())
        .where(isOpen)
        .executeTakeFirst()
      if (!row) return {}
      const { isUnseen: mustRecord, isPending: isHalf, ...session } = row
      if (mustRecord)
        await database.updateTable('mailbox_session').set({ last_seen_at: clock }).where('id', '=', row.id).execute()
      return isHalf ? { pending: session } : { session }
    },

    /** Stores the chosen account. Every request reads the mailbox's role there. [D72] */
    async choose(sessionId: string, accountId: string): Promise<void> {
      await database.updateTable('mailbox_session').set({ account_id: accountId }).where('id', '=', sessionId).execute()
    },

    /** The active sessions of a mailbox, newest first. */
    list: (mailbox: string) =>
      database
        .selectFrom('mailbox_session')
        .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'network'])
        .select(sql<string>`coalesce(user_agent, '')`.as('userAgent'))
        .where('mailbox', '=', mailbox)
        .where(isOpen)
        .orderBy('created_at', 'desc')
        .execute(),

    /** Ends one session of the mailbox; idempotent. */
    async end(mailbox: string, sessionId: string, reason: EndReason): Promise<void> {
      await database.transaction().execute(async (trx) => {
        const row = await trx
          .updateTable('mailbox_session')
          .set({ ended_at: clock })
          // As text, because a form may name anything.
          .where(sql<boolean>`id::text = ${sessionId}`)
          .where('mailbox', '=', mailbox)
          .where('ended_at', 'is', null)
          .returning(['id', 'issuer'])
          .executeTakeFirst()
        if (!row) return
        await forgetTokens(trx, [row.id])
        const act = reason === 'signed_out' || reason === 'replaced' ? 'session.ended' : 'session.withdrawn'
        await record.record(trx, act, { mailbox, subject: sessionId, facts: { reason }, issuer: row.issuer })
      })
    },

    /** Ends every session of the mailbox, including the current one. */
    async endAll(mailbox: string): Promise<void> {
      await database.transaction().execute(async (trx) => {
        const rows = await endSessionsOf(trx, mailbox)
        const issuer = rows.find((row) => row.issuer === 'operators')?.issuer
        await record.record(trx, 'owner.signed_out_everywhere', { mailbox, issuer })
      })
    },
  }
}

/** True while the newest proof of the person is young enough for a grave act. [D73] */
export const isFresh = ({ provenAt }: ConsoleSession, now: Date): boolean =>
  now.getTime() - provenAt.getTime() <= PROOF_MINUTES * 60_000

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>
export type ListedSession = Awaited<ReturnType<ConsoleSessions['list']>>[number]

/** The chosen account while the mailbox belongs to it; else the mailbox's only account. Pending invitations do not count. */
export function shownAccount({ accountId }: ConsoleSession, owned: readonly OwnedAccount[]): OwnedAccount | undefined {
  const confirmed = owned.filter(({ isConfirmed }) => isConfirmed)
  const chosen = confirmed.find((each) => each.accountId === accountId)
  return chosen ?? (confirmed.length === 1 ? confirmed[0] : undefined)
}
