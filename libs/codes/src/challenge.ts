// The rows of challenges. Each typed address creates one, also for a stranger (an address of no party). A challenge counts tries. [D16]
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type QueryExecutorProvider } from 'kysely'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { CodeDigits, CodePolicy } from './code-policy.js'
import { digitsBy } from './mailbox-guard.js'
import { SECONDS_BETWEEN_SENDS, type SendDecision } from './send-limits.js'

/** How long after a correct code a second click on the button may still arrive. */
const FRESH_SECONDS = 30

/** The state behind one code page. */
export interface Challenge {
  id: string
  mailbox: string
  /** The address as typed. */
  typed: string
  triesLeft: number
  /** Length of the address's next code. */
  digits: CodeDigits
  /** Created by "Send a new code". */
  isResend: boolean
  /** A correct code was typed for this challenge. */
  isPassed: boolean
  /** The challenge was created by the browser that asks now. */
  isSameBrowser: boolean
  /** A code works only here and in the same browser. */
  isBound: boolean
  /** A code was sent with this challenge. */
  hasCode: boolean
  /**
   * A code that belongs here was sent at most ten minutes ago. Says nothing about its use: the code of a stranger is never used, and the
   * page must not tell a stranger from a party.
   */
  hasRecentCode: boolean
  /** The next code cannot be sent yet. */
  isTooSoon: boolean
  /** The correct code and its live session, for 30 s in the same browser, because a second click on the button may still arrive. */
  freshPass: { codeId: string; sessionId: string } | undefined
  /** The reason why no code was sent, and when a code may be requested; `isOver`: that time has passed. */
  refusal: { reason: 'too_soon' | 'used_up'; tryAgainAt: Date; isOver: boolean } | undefined
}

interface ChallengeRow extends Omit<Challenge, 'freshPass' | 'refusal' | 'isSameBrowser' | 'isBound'> {
  creator: Buffer | null
  reason: NonNullable<Challenge['refusal']>['reason'] | null
  tryAgainAt: Date | null
  isOver: boolean | null
  codeId: string | null
  sessionId: string | null
  isFresh: boolean | null
}

const hashBrowser = (browser: string): Buffer => createHash('sha256').update(browser).digest()

/** Inserts a challenge; `decision` states whether a code was created in the same transaction. */
export async function addChallenge(
  trx: QueryExecutorProvider,
  challenge: Pick<Challenge, 'id' | 'mailbox' | 'typed' | 'isResend'> & {
    scope: string
    /** HMACs of the client's blocks, narrowest first. */
    client: readonly Buffer[]
    browser: string | undefined
  },
  decision: SendDecision,
): Promise<void> {
  const { id, scope, mailbox, typed, client, isResend } = challenge
  const browser = challenge.browser === undefined ? null : hashBrowser(challenge.browser)
  const { reason, tryAgainAt } = decision.send ? { reason: null, tryAgainAt: null } : decision
  await sql`
    insert into challenge (id, scope, mailbox, typed, client_hmac, client_hmac_56, client_hmac_48, is_resend, browser_sha256, send_refusal, try_again_at)
    values (${id}, ${scope}, ${mailbox}, ${typed}, ${client[0]}, ${client[1] ?? null}, ${client[2] ?? null}, ${isResend}, ${browser}, ${reason}, ${tryAgainAt})`.execute(
    trx,
  )
}

/**
 * Finds the challenge of this browser with a live code of the mailbox, and stores on it why no further code was sent. A code that works
 * at its own challenge alone would be worthless on a new page.
 */
export async function refuseAtOpenChallenge(
  trx: QueryExecutorProvider,
  { scope, mailbox, browser }: { scope: string; mailbox: string; browser: string },
  { reason, tryAgainAt }: Exclude<SendDecision, { send: true }>,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update challenge set send_refusal = ${reason}, try_again_at = ${tryAgainAt}
     where id = (select open.id from one_time_code code join challenge open on open.id = code.challenge_id
                  where code.scope = ${scope} and code.mailbox = ${mailbox} and code.ended_at is null
                    and code.expires_at > clock_timestamp() and open.browser_sha256 = ${hashBrowser(browser)} and open.tries_left > 0
                  order by code.created_at desc limit 1)
    returning id`.execute(trx)
  return rows[0]?.id
}

/** The challenge of this scope, or undefined. @param browser the cookie of the browser that asks */
export async function findChallenge(
  database: QueryExecutorProvider,
  { id: scope, policy }: { id: string; policy: CodePolicy },
  challengeId: string,
  browser: string | undefined,
): Promise<Challenge | undefined> {
  // Ignores an ended session, so that after "Finish and leave" the code opens no session for the next person at the computer.
  const { rows } = await sql<ChallengeRow>`
    select challenge.id, challenge.mailbox, typed, tries_left as "triesLeft", is_resend as "isResend",
           ${digitsBy(policy)} as digits, passed_at is not null as "isPassed", browser_sha256 as creator,
           own.id is not null as "hasCode",
           exists (select from one_time_code code
                    where code.scope = challenge.scope and code.mailbox = challenge.mailbox and code.expires_at > clock_timestamp()
                      and (code.challenge_id = challenge.id or not ${policy.isBound}::boolean)) as "hasRecentCode",
           coalesce(coalesce(try_again_at, own.created_at + make_interval(secs => ${SECONDS_BETWEEN_SENDS})) > clock_timestamp(),
                    false) as "isTooSoon",
           send_refusal as reason, try_again_at as "tryAgainAt", try_again_at <= clock_timestamp() as "isOver",
           passed_code_id as "codeId", live.id as "sessionId",
           passed_at > clock_timestamp() - make_interval(secs => ${FRESH_SECONDS}) as "isFresh"
      from challenge
      left join mailbox_guard guard on guard.scope = challenge.scope and guard.mailbox = challenge.mailbox
      left join one_time_code own on own.scope = challenge.scope and own.mailbox = challenge.mailbox
                                 and own.challenge_id = challenge.id
      left join mailbox_session live on live.id = challenge.session_id and live.ended_at is null
     where challenge.id = ${challengeId} and challenge.scope = ${scope}`.execute(database)
  return rows.map(({ reason, tryAgainAt, isOver, codeId, sessionId, isFresh, creator, ...challenge }) => {
    const isSameBrowser = creator !== null && browser !== undefined && timingSafeEqual(creator, hashBrowser(browser))
    return {
      ...challenge,
      isSameBrowser,
      isBound: policy.isBound,
      freshPass: isFresh && isSameBrowser && codeId && sessionId ? { codeId, sessionId } : undefined,
      refusal: reason && tryAgainAt ? { reason, tryAgainAt, isOver: isOver ?? false } : undefined,
    }
  })[0]
}

/** Takes one try. @returns the tries left; 0 when none was left before */
export async function useTry(trx: QueryExecutorProvider, challengeId: string): Promise<number> {
  const { rows } = await sql<{ triesLeft: number }>`
    update challenge set tries_left = tries_left - 1 where id = ${challengeId} and tries_left > 0
    returning tries_left as "triesLeft"`.execute(trx)
  return rows[0]?.triesLeft ?? 0
}

/** Marks a challenge as passed, or records the session that a second click opened. */
export async function passChallenge(
  trx: QueryExecutorProvider,
  challengeId: string,
  codeId: string,
  sessionId: string,
): Promise<void> {
  await sql`
    update challenge
       set passed_at = coalesce(passed_at, clock_timestamp()), passed_code_id = ${codeId}, session_id = ${sessionId}
     where id = ${challengeId}`.execute(trx)
}

/** HMACs of a client's block under each pepper, newest first, so that a rotation does not reset the count. */
type BlockHmacs = readonly Buffer[]

/** The columns of the blocks, narrowest first, and how many times the limit of the narrowest each may reach. */
const BLOCKS = [
  { column: 'client_hmac', times: 1 },
  { column: 'client_hmac_56', times: 4 },
  { column: 'client_hmac_48', times: 16 },
] as const

/**
 * Locks the client until the commit, by its widest block, so that the counts of all its blocks are exact. Call it only after the lock of the
 * scope, so that two transactions cannot deadlock.
 */
export async function lockClient(trx: QueryExecutorProvider, client: readonly BlockHmacs[]): Promise<void> {
  const widest = client.at(-1)?.[0]?.toString('hex')
  await sql`select pg_advisory_xact_lock(hashtextextended(${`client ${widest}`}, 0))`.execute(trx)
}

/**
 * When this client may create another challenge; undefined means now. The counts are exact over all scopes under `lockClient`.
 * @param client its blocks, narrowest first
 * @param perHourMax of the narrowest block
 */
export async function clientMayRequestAt(
  database: QueryExecutorProvider,
  client: readonly BlockHmacs[],
  perHourMax: number,
): Promise<Date | undefined> {
  for (const [index, { column, times }] of BLOCKS.slice(0, client.length).entries()) {
    const { rows } = await sql<{ created: number; free_at: Date }>`
      select count(*)::int as created, min(created_at) + interval '1 hour' as free_at from challenge
       where ${sql.ref(column)} = any(${client[index]}::bytea[]) and created_at > clock_timestamp() - interval '1 hour'`.execute(
      database,
    )
    const { created, free_at } = elementAt(rows, 0)
    if (created >= perHourMax * times) return free_at
  }
  return undefined
}
