// Proves a mailbox: a person types an address to request a code, then types the code. [D16, D42]
// Owns the transactions of both steps. For a party and for a stranger (an address of no party), the same statements run.
import { randomBytes, randomInt } from 'node:crypto'
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import { isPoolFull } from '@paraph/database/database-failure'
import { elementAt } from '@paraph/protocol/element-at'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { count } from '@paraph/telemetry/metrics'
import { addressBlocksOf } from '@paraph/http/address-block'
import { authenticateUnderEach, type Keyring } from '@paraph/config/keyring'
import {
  addChallenge,
  clientMayRequestAt,
  findChallenge,
  lockClient,
  passChallenge,
  refuseAtOpenChallenge,
  useTry,
  type Challenge,
} from './challenge.js'
import type { CodePolicy } from './code-policy.js'
import type { CodeTables } from './code-tables.js'
import { countWrong, digitsOf, resetGuard } from './mailbox-guard.js'
import { endSession, startSession, type StartedSession } from './mailbox-session.js'
import { createOneTimeCodes, endCodes, readSends, type MatchingCode } from './one-time-code.js'
import { decideSend, type SendDecision } from './send-limits.js'

/**
 * A random delay in milliseconds between the answer and the push of the code. A push costs CPU time for a party, but not for a stranger,
 * and the time of the next request must not reveal this difference. Without a delay, a party's page was measurably slower.
 */
const PUSH_AFTER_MS = { min: 100, max: 700 }

/** The longest wait for a lock. The wait holds a connection of the codes, but a person prefers a late page to one that says to press again. */
const LOCK_MS_MAX = 3_000

/** The result of a request for a code. `isBusy`: nothing was counted or sent, because too many requests came at the same time. */
export type RequestedCode = { challengeId: string } | { tryAgainAt: Date } | { isBusy: true }

export type CodeOutcome =
  | { kind: 'verified'; session: StartedSession }
  /** `wrong_shape` costs no try, because such a text cannot be a code. */
  /** `busy`: nothing was checked, because too many requests came at the same time. */
  /** `other_browser`: nothing was checked, because the code belongs to the browser that requested it. */
  | { kind: 'wrong_shape' | 'wrong' | 'expired' | 'used' | 'dead' | 'busy' | 'other_browser'; challenge: Challenge }

/** The scope of a proven mailbox, and the scope's own writes in the same transactions. */
export interface CodeScope<Tables> {
  id: string
  policy: CodePolicy
  /** The recipient of a code's mail, as the scope names it; undefined for a stranger, who gets no mail. */
  recipientOf: (mailbox: string, trx: Transaction<Tables>) => string | undefined | Promise<string | undefined>
  /** Runs first in every transaction. */
  begin?: (trx: Transaction<Tables>) => Promise<void>
  /** Runs when a correct code opened `session`. */
  onVerified?: (trx: Transaction<Tables>, verified: { codeId: string; session: StartedSession }) => Promise<void>
  /** Runs when the last try of a challenge was wrong; no more once wrong codes made the next codes longer. */
  onDied?: (trx: Transaction<Tables>) => Promise<void>
  /** Runs once when wrong codes make the next codes longer; with the same statements for a stranger. */
  onLocked?: (trx: Transaction<Tables>, locked: { challengeId: string; lockedAt: Date }) => Promise<void>
}

interface ScopeTransaction<Tables> {
  scope: CodeScope<Tables>
  trx: Transaction<Tables>
}

export interface CodeRequest {
  typed: string
  isResend: boolean
  clientAddress: string
  /** The cookie of the browser. */
  browser: string | undefined
  /** The mailbox was proven in this browser before. Such requests have limits of their own, which a stranger cannot use up. */
  isKnownBrowser?: boolean
}

export interface VerificationDeps<Tables> {
  database: Kysely<Tables>
  peppers: Keyring
  codeKeys: Keyring
  /** Challenges an hour from one IPv4 address or IPv6 /64; a /56 may create 4 times and a /48 16 times as many. Beyond this number, `request` returns the time to try again. */
  challengesPerClientAndHour: number
  /** Lifetime of the session that a code opens. */
  sessionSeconds: number
  /** Called when a code is due to be pushed. */
  onCodeDue: () => void
  pushAfterMs?: { min: number; max: number }
  lockMsMax?: number
}

/** Requests and verifies one-time codes. */
export function createVerification<Tables extends CodeTables>(deps: VerificationDeps<Tables>) {
  const { database, peppers, pushAfterMs = PUSH_AFTER_MS, lockMsMax = LOCK_MS_MAX } = deps
  const codes = createOneTimeCodes(deps)

  /**
   * Creates a challenge for the typed address and, if the limits allow, a code that is pushed after the answer.
   * @returns the id of the challenge, or the time to try again if this client has requested too many codes, or `isBusy`
   */
  async function request(
    scope: CodeScope<Tables>,
    { typed, isResend, clientAddress, browser, isKnownBrowser = false }: CodeRequest,
  ): Promise<RequestedCode> {
    const mailbox = mailboxOf(typed)
    const id = randomBytes(16).toString('base64url')
    const client = addressBlocksOf(clientAddress).map((block) => authenticateUnderEach(peppers, `client ${block}`))
    const delayMs = randomInt(pushAfterMs.min, pushAfterMs.max + 1)
    const mayRequestAt = (reader: QueryExecutorProvider) =>
      clientMayRequestAt(reader, client, deps.challengesPerClientAndHour)
    let outcome: 'sent' | 'limited' | 'refused' | 'busy' = 'refused'
    // A client that is over its limit waits for no lock and holds no connection.
    const refusedUntil = await mayRequestAt(database)
    const created = refusedUntil
      ? { tryAgainAt: refusedUntil }
      : await inScope(lockMsMax, database, scope, async (inside) => {
          await lockClient(inside.trx, client)
          const tryAgainAt = await mayRequestAt(inside.trx)
          if (tryAgainAt) return { tryAgainAt }
          const decision = await addCodeWithinLimits(inside, { mailbox, isKnownBrowser, challengeId: id, delayMs })
          if (!decision.send && scope.policy.isBound && browser !== undefined) {
            const open = await refuseAtOpenChallenge(inside.trx, { scope: scope.id, mailbox, browser }, decision)
            outcome = 'limited'
            if (open !== undefined) return { challengeId: open }
          }
          const challenge = {
            id,
            scope: scope.id,
            mailbox,
            typed,
            isResend,
            client: client.map((hmacs) => elementAt(hmacs, 0)),
            browser,
          }
          await addChallenge(inside.trx, challenge, decision)
          outcome = decision.send ? 'sent' : 'limited'
          return { challengeId: id }
        })
    if (created === 'busy') outcome = 'busy'
    count('paraph.code.requests', { 'paraph.outcome': outcome })
    if (created === 'busy') return { isBusy: true }
    if ('challengeId' in created) setTimeout(deps.onCodeDue, delayMs + 1).unref()
    return created
  }

  async function addCodeWithinLimits(
    { scope, trx }: ScopeTransaction<Tables>,
    asked: { mailbox: string; isKnownBrowser: boolean; challengeId: string; delayMs: number },
  ): Promise<SendDecision> {
    const now = await readClock(trx)
    const { mailbox, isKnownBrowser, challengeId, delayMs } = asked
    const decision = decideSend(await readSends(trx, scope.id, mailbox, isKnownBrowser), now)
    if (decision.send) {
      const { id, policy } = scope
      const code = { scope: id, mailbox, challengeId, isKnownBrowser, isBound: policy.isBound }
      const [digits, recipient] = [await digitsOf(trx, scope, mailbox), await scope.recipientOf(mailbox, trx)]
      await codes.addCode(trx, { ...code, digits, recipient }, now, delayMs)
    }
    return decision
  }

  /**
   * Checks a typed code. A correct code ends every code of the mailbox and starts a session, in one transaction with the scope's own
   * writes. A wrong code costs the challenge a try and increases the count of the address.
   * @returns undefined for an unknown challenge
   */
  async function verify(
    scope: CodeScope<Tables>,
    challengeId: string,
    typedCode: string,
    browser: string | undefined,
  ): Promise<CodeOutcome | undefined> {
    const checked = await inScope(lockMsMax, database, scope, async (inside) => {
      const challenge = await findChallenge(inside.trx, scope, challengeId, browser)
      return challenge && checkCode(inside, challenge, typedCode)
    })
    const outcome = checked === 'busy' ? await busyOutcome(scope, challengeId, browser) : checked
    if (outcome) count('paraph.code.checks', { 'paraph.outcome': outcome.kind })
    return outcome
  }

  async function busyOutcome(
    scope: CodeScope<Tables>,
    challengeId: string,
    browser: string | undefined,
  ): Promise<CodeOutcome | undefined> {
    const challenge = await findChallenge(database, scope, challengeId, browser)
    return challenge && { kind: 'busy', challenge }
  }

  async function checkCode(
    inside: ScopeTransaction<Tables>,
    challenge: Challenge,
    typedCode: string,
  ): Promise<CodeOutcome> {
    const { id: scope, policy } = inside.scope
    if (policy.isBound && !challenge.isSameBrowser) return { kind: 'other_browser', challenge }
    if (challenge.triesLeft === 0) return { kind: 'dead', challenge }
    // People group digits with spaces, hyphens and dots. Full-width digits count as digits.
    const code = typedCode.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')
    // A code that was sent before wrong codes made the next one longer, or before midnight made it shorter, gets a page that explains it.
    const lengths = policy.isBound ? [policy.digits, 12] : [challenge.digits]
    if (!/^[0-9]+$/.test(code) || !lengths.includes(code.length)) return { kind: 'wrong_shape', challenge }
    const own = policy.isBound ? challenge.id : undefined
    const matches = await codes.findMatching(inside.trx, scope, challenge.mailbox, code, own)
    if (challenge.isPassed) return repeatPass(inside, challenge, matches)
    const live = matches.find(({ isLive }) => isLive)
    return live ? openSession(inside, challenge, live.id) : rejectCode(inside, challenge, matches)
  }

  /** Handles a repeated correct code: replaces the session, because its cookie may not have reached the browser. */
  async function repeatPass(
    inside: ScopeTransaction<Tables>,
    challenge: Challenge,
    matches: readonly MatchingCode[],
  ): Promise<CodeOutcome> {
    const { freshPass } = challenge
    if (!freshPass || !matches.some(({ id }) => id === freshPass.codeId)) {
      // A guess costs a try here too; otherwise a passed challenge would allow unlimited guesses.
      if (matches.length === 0) await useTry(inside.trx, challenge.id)
      return { kind: 'used', challenge }
    }
    await endSession(inside.trx, freshPass.sessionId)
    return openSession(inside, challenge, freshPass.codeId)
  }

  async function openSession(
    { scope, trx }: ScopeTransaction<Tables>,
    { id, mailbox }: Challenge,
    codeId: string,
  ): Promise<CodeOutcome> {
    await endCodes(trx, scope.id, mailbox, 'success', codeId)
    await resetGuard(trx, scope, mailbox)
    const session = await startSession(trx, { scope: scope.id, mailbox, ttlSeconds: deps.sessionSeconds })
    await passChallenge(trx, id, codeId, session.id)
    await scope.onVerified?.(trx, { codeId, session })
    return { kind: 'verified', session }
  }

  return {
    request,
    verify,
    /** The challenge of this scope, or undefined. */
    find: (scope: Pick<CodeScope<Tables>, 'id' | 'policy'>, challengeId: string, browser: string | undefined) =>
      findChallenge(database, scope, challengeId, browser),
  }
}

/** Runs one transaction under the scope's lock, so that the counts of the scope are exact. @returns 'busy' if a wait was too long */
const inScope = <Tables, Result>(
  lockMsMax: number,
  database: Kysely<Tables>,
  scope: CodeScope<Tables>,
  act: (inside: ScopeTransaction<Tables>) => Promise<Result>,
): Promise<Result | 'busy'> =>
  database
    .transaction()
    .execute(async (trx): Promise<Result | 'busy'> => {
      await sql`select set_config('lock_timeout', ${String(lockMsMax)}, true)`.execute(trx)
      await scope.begin?.(trx)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${scope.id}`}, 0))`.execute(trx)
      return act({ scope, trx })
    })
    .catch((error: unknown) => {
      if (isPoolFull(error) || isLockTimeout(error)) return 'busy'
      throw error
    })

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === '55P03'

/** Takes a try for a code that opens nothing. Only a code that never existed counts as wrong for the address. */
async function rejectCode<Tables>(
  { scope, trx }: ScopeTransaction<Tables>,
  challenge: Challenge,
  matches: readonly MatchingCode[],
): Promise<CodeOutcome> {
  const after = { ...challenge, triesLeft: await useTry(trx, challenge.id) }
  if (matches.some(({ endedBy }) => endedBy === 'used' || endedBy === 'success'))
    return { kind: 'used', challenge: after }
  if (matches.length > 0) return { kind: 'expired', challenge: after }
  const count = await countWrong(trx, scope, challenge.mailbox)
  if (count === 'at_limit') {
    await endCodes(trx, scope.id, challenge.mailbox, 'locked')
    await scope.onLocked?.(trx, { challengeId: challenge.id, lockedAt: await readClock(trx) })
  }
  if (after.triesLeft > 0) return { kind: 'wrong', challenge: after }
  if (count !== 'beyond') await scope.onDied?.(trx)
  return { kind: 'dead', challenge: after }
}
