// A session of the console: who proved which mailbox, in which browser, looking at which account. [D33]
// Owns: the rows. Does not own: how a mailbox is proven (@paraph/codes), what the mailbox may do (roles.ts).
import { createHash } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { noteAct } from '../audit.js'
import type { GatewayDatabase } from '../database.js'

/** From the right code on; no idle timer shortens it. */
export const SESSION_SECONDS = 86_400
/** A browser says a lot of itself; this much tells one from another. */
const USER_AGENT_LENGTH_MAX = 300

export interface ConsoleSession {
  id: string
  mailbox: string
  /** The account whose pages it shows; null until one is chosen, or while there is none. */
  accountId: string | null
}

export interface ListedSession {
  id: string
  createdAt: Date
  lastSeenAt: Date | null
  userAgent: string
}

/** The rows of sessions. */
export function createConsoleSessions(database: Kysely<GatewayDatabase>) {
  return {
    /** The live session behind a cookie's token, or undefined. Notes about once a minute that it was seen. */
    async find(token: string | undefined): Promise<ConsoleSession | undefined> {
      if (!token || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined
      const row = await database
        .selectFrom('mailbox_session')
        .select(['id', 'mailbox', 'account_id as accountId'])
        .select(
          sql<boolean>`last_seen_at is null or last_seen_at < clock_timestamp() - interval '1 minute'`.as('isUnseen'),
        )
        .where('token_sha256', '=', createHash('sha256').update(token).digest())
        .where('ended_at', 'is', null)
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .executeTakeFirst()
      if (!row) return undefined
      const { isUnseen, ...session } = row
      if (isUnseen)
        await database
          .updateTable('mailbox_session')
          .set({ last_seen_at: sql<Date>`clock_timestamp()` })
          .where('id', '=', row.id)
          .execute()
      return session
    },

    /** The account whose pages the session shows from now on. Whether it may is checked at each request. */
    async choose(sessionId: string, accountId: string): Promise<void> {
      await database.updateTable('mailbox_session').set({ account_id: accountId }).where('id', '=', sessionId).execute()
    },

    /** The live sessions of a mailbox, newest first. */
    async list(mailbox: string): Promise<ListedSession[]> {
      const rows = await database
        .selectFrom('mailbox_session')
        .select(['id', 'created_at as createdAt', 'last_seen_at as lastSeenAt', 'user_agent as userAgent'])
        .where('mailbox', '=', mailbox)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', sql<Date>`clock_timestamp()`)
        .orderBy('created_at', 'desc')
        .execute()
      return rows.map((row) => ({ ...row, userAgent: row.userAgent ?? '' }))
    },

    /** Ends every session of the mailbox, this one too. */
    async endAll(mailbox: string, accountId: string | null): Promise<void> {
      await database.transaction().execute(async (trx) => {
        await trx
          .updateTable('mailbox_session')
          .set({ ended_at: sql<Date>`clock_timestamp()` })
          .where('mailbox', '=', mailbox)
          .where('ended_at', 'is', null)
          .execute()
        await noteAct(trx, { actor: { kind: 'owner', mailbox }, act: 'owner.signed_out_everywhere', accountId })
      })
    },
  }
}

export type ConsoleSessions = ReturnType<typeof createConsoleSessions>

/** What a new session knows of its browser, in the transaction that opened it. */
export async function noteBrowser(
  trx: Transaction<GatewayDatabase>,
  sessionId: string,
  userAgent: string,
): Promise<void> {
  await trx
    .updateTable('mailbox_session')
    .set({ user_agent: userAgent.slice(0, USER_AGENT_LENGTH_MAX), last_seen_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', sessionId)
    .execute()
}
