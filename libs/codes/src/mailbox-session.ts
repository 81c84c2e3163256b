// Sessions of one mailbox in one scope. The database holds only the hash of a session's random token. [D33]
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { codeTablesOf, type CodeTables } from './code-tables.js'

export interface MailboxSession {
  /** Names the session in evidence; opens nothing. */
  id: string
  scope: string
  mailbox: string
}

/** The token goes into the cookie; the database does not hold it in clear. */
export type StartedSession = MailboxSession & { token: string }

const hash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Starts a session in the transaction that used the code up. @param ttlSeconds from now; there is no idle time-out */
export async function startSession<Tables extends CodeTables>(
  trx: Transaction<Tables>,
  { scope, mailbox, ttlSeconds }: { scope: string; mailbox: string; ttlSeconds: number },
): Promise<StartedSession> {
  const token = randomBytes(32).toString('base64url')
  const id = randomUUID()
  await codeTablesOf(trx)
    .insertInto('mailbox_session')
    .values({
      id,
      token_sha256: hash(token),
      scope,
      mailbox,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${ttlSeconds})`,
    })
    .execute()
  return { id, token, scope, mailbox }
}

/** The live session of this scope behind a cookie's token, or undefined. */
export async function findSession<Tables extends CodeTables>(
  database: Kysely<Tables>,
  scope: string,
  token: string | undefined,
): Promise<MailboxSession | undefined> {
  if (!token || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined
  return codeTablesOf(database)
    .selectFrom('mailbox_session')
    .select(['id', 'scope', 'mailbox'])
    .where('token_sha256', '=', hash(token))
    .where('scope', '=', scope)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
}

/** Ends one session; idempotent. */
export async function endSession<Tables extends CodeTables>(
  database: Kysely<Tables>,
  sessionId: string,
): Promise<void> {
  await codeTablesOf(database)
    .updateTable('mailbox_session')
    .set({ ended_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}
