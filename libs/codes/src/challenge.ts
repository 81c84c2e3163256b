// A challenge: made by typing an address, for strangers too; holds only the tries. [D16]
import { sql, type Kysely } from 'kysely'
import type { CodeTables } from './code-tables.js'
import { CODE_TTL_SECONDS, type SendDecision } from './send-limits.js'

type Trx = Kysely<CodeTables>

/** How long a second click on the button may take to arrive. */
const FRESH_SECONDS = 30

/** What a person meets as the code page. */
export interface Challenge {
  id: string
  mailbox: string
  /** The address as typed. */
  typed: string
  triesLeft: number
  /** Length of the address's next code. */
  digits: 6 | 12
  /** Made by "Send a new code". */
  isResend: boolean
  /** A right code was typed here. */
  isPassed: boolean
  /** The code and session of a pass that is at most 30 s old: a second click on the button may still be on its way. */
  freshPass: { codeId: string; sessionId: string } | undefined
  /** Why no code was sent for it, and from when on one may be asked for; `isOver`: that is now. */
  refusal: { reason: 'too_soon' | 'used_up'; tryAgainAt: Date; isOver: boolean } | undefined
  /** A code that was asked for with it no longer works. */
  isLapsed: boolean
}

/** Adds a challenge; `decision` says whether a code went with it. */
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
    // Whoever has left has ended it: their code opens nothing to the next person at the same machine.
    .leftJoin('mailbox_session as live', (join) =>
      join.onRef('live.id', '=', 'challenge.session_id').on('live.ended_at', 'is', null),
    )
    .select(['challenge.id', 'challenge.mailbox', 'typed', 'tries_left', 'is_resend'])
    .select(['send_refusal', 'try_again_at', 'code_digits', 'passed_code_id', 'live.id as live_session_id'])
    .select([
      sql<boolean>`coalesce(try_again_at <= clock_timestamp(), false)`.as('is_over'),
      sql<boolean>`challenge.created_at <= clock_timestamp() - make_interval(secs => ${CODE_TTL_SECONDS})`.as(
        'is_lapsed',
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
    isLapsed: row.is_lapsed,
  }
}

/** Takes one try. @returns how many are left; 0 when there was none */
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

/** Ends a challenge that was passed, or notes the session that a second click opened. */
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
 * When this client may make another challenge: undefined for now, else when the oldest of the last hour is over. Under a lock of the
 * client until the commit, so that the count is exact over all scopes; taken after the scope's, never before.
 * @param client HMACs of the client's address, under each pepper, so that a rotation begins no new count
 */
export async function clientMayAskAt(
  trx: Trx,
  client: readonly Buffer[],
  perHourMax: number,
): Promise<Date | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`client ${client[0]?.toString('hex')}`}, 0))`.execute(trx)
  const { rows } = await sql<{ made: number; free_at: Date }>`
    select count(*)::int as made, min(created_at) + interval '1 hour' as free_at from challenge
     where client_hmac = any(${client}::bytea[]) and created_at > clock_timestamp() - interval '1 hour'`.execute(trx)
  const [row] = rows
  return row && row.made >= perHourMax ? row.free_at : undefined
}
