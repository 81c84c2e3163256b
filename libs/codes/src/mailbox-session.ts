// Sessions of one mailbox in one scope. The database holds only the hash of a session's random token. [D33]
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql, type QueryExecutorProvider } from 'kysely'

export interface MailboxSession {
  /** Identifies the session in evidence; grants no access. */
  id: string
  scope: string
  mailbox: string
}

/** The token goes into the cookie; the database stores only its hash. */
export type StartedSession = MailboxSession & { token: string }

const hash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Starts a session in the transaction that used the code up. @param ttlSeconds from now; there is no idle time-out */
export async function startSession(
  trx: QueryExecutorProvider,
  { scope, mailbox, ttlSeconds }: { scope: string; mailbox: string; ttlSeconds: number },
): Promise<StartedSession> {
  const token = randomBytes(32).toString('base64url')
  const id = randomUUID()
  await sql`
    insert into mailbox_session (id, token_sha256, scope, mailbox, expires_at)
    values (${id}, ${hash(token)}, ${scope}, ${mailbox},
            clock_timestamp() + make_interval(secs => ${ttlSeconds}))`.execute(trx)
  return { id, token, scope, mailbox }
}

/** The live session of this scope for the token of a cookie, or undefined. */
export async function findSession(
  database: QueryExecutorProvider,
  scope: string,
  token: string | undefined,
): Promise<MailboxSession | undefined> {
  if (!token || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined
  const { rows } = await sql<MailboxSession>`
    select id, scope, mailbox from mailbox_session
     where token_sha256 = ${hash(token)} and scope = ${scope} and ended_at is null
       and expires_at > clock_timestamp()`.execute(database)
  return rows[0]
}

/** Ends one session; idempotent. */
export async function endSession(database: QueryExecutorProvider, sessionId: string): Promise<void> {
  await sql`
    update mailbox_session set ended_at = clock_timestamp()
     where id = ${sessionId} and ended_at is null`.execute(database)
}
