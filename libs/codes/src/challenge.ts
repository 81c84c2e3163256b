// The rows of challenges. Typing an address creates one, for a stranger too; it counts the tries. [D16]
import { sql, type Kysely } from 'kysely'
import type { CodeTables } from './code-tables.js'
import { CODE_TTL_SECONDS, type SendDecision } from './send-limits.js'

type Trx = Kysely<CodeTables>

/** How long after a pass a second click on the button may still arrive. */
const FRESH_SECONDS = 30

/** The state behind one code page. */
export interface Challenge {
  id: string
  mailbox: string
  /** The address as typed. */
  typed: string
  triesLeft: number
  /** Length of the address's next code. */
  digits: 6 | 12
  /** Created by "Send a new code". */
  isResend: boolean
  /** A right code was typed here. */
  isPassed: boolean
  /** The code and live session of a pass at most 30 s old: a second click on the button may still arrive. */
  freshPass: { codeId: string; sessionId: string } | undefined
  /** Why no code was sent, and when one may be requested; `isOver`: that time has come. */
  refusal: { reason: 'too_soon' | 'used_up'; tryAgainAt: Date; isOver: boolean } | undefined
  /** A code requested with this challenge no longer works. */
  isExpired: boolean
}

/** Inserts a challenge; `decision` says whether a code was created with it. */
export async function addChallenge(
  trx: Trx,
  challenge: { id: string; scope: string; mailbox: string; typed: string; isResend: boolean; client: Buffer },
  decision: SendDecision,
): Promise<void> {
  await trx
    .insertInto('challenge')
    .values({
      id: challenge.id,
      scope: challenge.scope,
      mailbox: challenge.mailbox,
      typed: challenge.typed,
      client_hmac: challenge.client,
      is_resend: challenge.isResend,
      send_refusal: decision.send ? null : decision.reason,
      try_again_at: decision.send ? null : decision.tryAgainAt,
    })
    .execute()
}

/** The challenge of this scope, or undefined. */
export async function findChallenge(
  database: Kysely<CodeTables>,
  scope: string,
  challengeId: string,
): Promise<Challenge | undefined> {
  const row = await database
    .selectFrom('challenge')
    .leftJoin('mailbox_guard', (join) =>
      join
        .onRef('mailbox_guard.scope', '=', 'challenge.scope')
        .onRef('mailbox_guard.mailbox', '=', 'challenge.mailbox'),
    )
    // A session that was ended does not join: after "Finish and leave" the code opens nothing for the next person at the machine.
    .leftJoin('mailbox_session as live', (join) =>
      join.onRef('live.id', '=', 'challenge.session_id').on('live.ended_at', 'is', null),
    )
    .select(['challenge.id', 'challenge.mailbox', 'typed', 'tries_left', 'is_resend'])
    .select(['send_refusal', 'try_again_at', 'code_digits', 'passed_code_id', 'live.id as live_session_id'])
    .select([
      sql<boolean>`coalesce(try_again_at <= clock_timestamp(), false)`.as('is_over'),
      sql<boolean>`challenge.created_at <= clock_timestamp() - make_interval(secs => ${CODE_TTL_SECONDS})`.as(
        'is_expired',
      ),
      sql<boolean>`passed_at is not null`.as('is_passed'),
      sql<boolean>`coalesce(passed_at > clock_timestamp() - make_interval(secs => ${FRESH_SECONDS}), false)`.as(
        'is_fresh',
      ),
    ])
    .where('challenge.id', '=', challengeId)
    .where('challenge.scope', '=', scope)
    .executeTakeFirst()
  if (!row) return undefined
  const { send_refusal: reason, try_again_at: tryAgainAt } = row
  return {
    id: row.id,
    mailbox: row.mailbox,
    typed: row.typed,
    triesLeft: row.tries_left,
    digits: row.code_digits === 12 ? 12 : 6,
    isResend: row.is_resend,
    isPassed: row.is_passed,
    freshPass:
      row.is_fresh && row.passed_code_id && row.live_session_id
        ? { codeId: row.passed_code_id, sessionId: row.live_session_id }
        : undefined,
    refusal: reason && tryAgainAt ? { reason, tryAgainAt, isOver: row.is_over } : undefined,
    isExpired: row.is_expired,
  }
}

/** Takes one try. @returns the tries left; 0 when none was left before */
export async function useTry(trx: Trx, challengeId: string): Promise<number> {
  const row = await trx
    .updateTable('challenge')
    .set({ tries_left: sql<number>`tries_left - 1` })
    .where('id', '=', challengeId)
    .where('tries_left', '>', 0)
    .returning('tries_left')
    .executeTakeFirst()
  return row?.tries_left ?? 0
}

/** Marks a challenge as passed, or records the session that a second click opened. */
export async function passChallenge(trx: Trx, challengeId: string, codeId: string, sessionId: string): Promise<void> {
  await trx
    .updateTable('challenge')
    .set({
      passed_at: sql<Date>`coalesce(passed_at, clock_timestamp())`,
      passed_code_id: codeId,
      session_id: sessionId,
    })
    .where('id', '=', challengeId)
    .execute()
}

/**
 * When this client may create another challenge; undefined means now. Holds a lock of the client until the commit, so that the count
 * is exact over all scopes. Always taken after the scope's lock, so that two transactions cannot deadlock.
 * @param client HMACs of the client's address under each pepper, so that a rotation does not reset the count
 */
export async function clientMayRequestAt(
  trx: Trx,
  client: readonly Buffer[],
  perHourMax: number,
): Promise<Date | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`client ${client[0]?.toString('hex')}`}, 0))`.execute(trx)
  const { rows } = await sql<{ created: number; free_at: Date }>`
    select count(*)::int as created, min(created_at) + interval '1 hour' as free_at from challenge
     where client_hmac = any(${client}::bytea[]) and created_at > clock_timestamp() - interval '1 hour'`.execute(trx)
  const [row] = rows
  return row && row.created >= perHourMax ? row.free_at : undefined
}
