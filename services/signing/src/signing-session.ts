// A signing session: 24 h from the code, bound to contract and mailbox, known by the hash of a random token. [D33]
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { SigningDatabase } from './database.js'

/** From the right code on; no idle timer shortens it. [D33] */
export const SESSION_TTL_SECONDS = 86_400

export interface SigningSession {
  /** Names the session in evidence; opens nothing. */
  id: string
  contractId: string
  mailbox: string
}

/** The token goes into the cookie and is kept nowhere in clear. */
export type StartedSession = SigningSession & { token: string }

const hash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** Begins a session in the transaction that used the code up. */
export async function startSession(
  trx: Transaction<SigningDatabase>,
  contractId: string,
  mailbox: string,
): Promise<StartedSession> {
  const token = randomBytes(32).toString('base64url')
  const id = randomUUID()
  await trx
    .insertInto('signing_session')
    .values({
      id,
      token_sha256: hash(token),
      contract_id: contractId,
      mailbox,
      expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${SESSION_TTL_SECONDS})`,
    })
    .execute()
  return { id, token, contractId, mailbox }
}

/** The live session of this contract behind a cookie's token, or undefined. */
export async function findSession(
  database: Kysely<SigningDatabase>,
  contractId: string,
  token: string | undefined,
): Promise<SigningSession | undefined> {
  if (!token || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined
  const row = await database
    .selectFrom('signing_session')
    .select(['id', 'mailbox'])
    .where('token_sha256', '=', hash(token))
    .where('contract_id', '=', contractId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst()
  return row && { id: row.id, contractId, mailbox: row.mailbox }
}

/** "Finish and leave". */
export async function endSession(database: Kysely<SigningDatabase>, sessionId: string): Promise<void> {
  await database
    .updateTable('signing_session')
    .set({ ended_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}
