// Proving a mailbox: a code is asked for by typing an address and proven by typing the code. [D16, D42]
// Owns: the two transactions. Whoever gets a mail and whoever gets none take the same path through the same statements.
import { randomBytes, randomInt } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { count } from '@paraph/telemetry/metrics'
import { addressBlockOf } from '@paraph/service/address-block'
import { authenticateUnderEach, type Keyring } from '@paraph/service/keyring'
import { addChallenge, clientMayAskAt, findChallenge, passChallenge, useTry, type Challenge } from './challenge.js'
import { codeTablesOf, type CodeTables } from './code-tables.js'
import { countWrong, digitsOf, resetGuard } from './mailbox-guard.js'
import { endSession, startSession, type StartedSession } from './mailbox-session.js'
import { createOneTimeCodes, endCodes, readSends } from './one-time-code.js'
import { decideSend, type SendDecision } from './send-limits.js'

/**
 * A code is pushed so many milliseconds after the answer, by chance: the push of a party's costs a processor's time that a
 * stranger's does not, and it must fall neither on the page that follows nor on whoever asks next. Begun at once it made the page
 * of a party measurably slower.
 */
const PUSH_AFTER_MS = { min: 100, max: 700 }

export type CodeOutcome =
  | { kind: 'verified'; session: StartedSession }
  /** `wrong_shape` costs no try: it cannot be a code. */
  | { kind: 'wrong_shape' | 'wrong' | 'expired' | 'used' | 'dead'; challenge: Challenge }

/** What codes are asked for and proven in, and what else happens there in the same transaction. */
export interface CodeScope<Tables> {
  id: string
  /** Whose mail a code is, in the scope's own words; undefined for a stranger, who gets none. */
  recipientOf: (mailbox: string) => string | undefined
  /** Real mails an hour that the scope may send. */
  mailsPerHourMax: number
  /** The first thing in every transaction. */
  begin?: (trx: Transaction<Tables>) => Promise<void>
  /** A right code opened `session`. */
  onVerified?: (trx: Transaction<Tables>, verified: { codeId: string; session: StartedSession }) => Promise<void>
  /** The moment after 100 wrong codes in a row, once; the same statements for a stranger. */
  onLocked?: (trx: Transaction<Tables>, locked: { challengeId: string; lockedAt: Date }) => Promise<void>
}

/**
 * Codes and challenges.
 * @param challengesPerClientAndHour new challenges from one client address; who asks for more is told when to come again
 * @param sessionSeconds how long a session lives that a code opens
 * @param wakeSending called when a code is due to be pushed
 * @param pushAfterMs see `PUSH_AFTER_MS`
 */
export function createVerification<Tables extends CodeTables>({
  database,
  peppers,
  codeKeys,
  challengesPerClientAndHour,
  sessionSeconds,
  wakeSending,
  pushAfterMs = PUSH_AFTER_MS,
}: {
  database: Kysely<Tables>
  peppers: Keyring
  codeKeys: Keyring
  challengesPerClientAndHour: number
  sessionSeconds: number
  wakeSending: () => void
  pushAfterMs?: { min: number; max: number }
}) {
  const codes = createOneTimeCodes({ peppers, codeKeys })

  /** One transaction of a scope; what is counted in it is counted exactly. */
  const inScope = <Result>(
    scope: CodeScope<Tables>,
    act: (tables: Transaction<CodeTables>, trx: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result> =>
    database.transaction().execute(async (trx) => {
      await scope.begin?.(trx)
      await sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${scope.id}`}, 0))`.execute(trx)
      return act(codeTablesOf(trx), trx)
    })

  /**
   * Makes a challenge for the typed address and, where the limits allow, a code that is pushed after the answer.
   * @returns when to try again, when this client asked too often
   */
  async function request(
    scope: CodeScope<Tables>,
    { typed, isResend, clientAddress }: { typed: string; isResend: boolean; clientAddress: string },
  ): Promise<{ challengeId: string } | { tryAgainAt: Date }> {
    const mailbox = mailboxOf(typed)
    const id = randomBytes(16).toString('base64url')
    const client = authenticateUnderEach(peppers, `client ${addressBlockOf(clientAddress)}`)
    const waitMs = randomInt(pushAfterMs.min, pushAfterMs.max + 1)
    let outcome: 'sent' | 'limited' | 'refused' = 'refused'
    const made = await inScope(scope, async (tables) => {
      const tryAgainAt = await clientMayAskAt(tables, client, challengesPerClientAndHour)
      if (tryAgainAt) return { tryAgainAt }
      const decision = await send(tables, scope, mailbox, waitMs)
      await addChallenge(tables, { id, scope: scope.id, mailbox, typed, isResend, client: client[0] }, decision)
      outcome = decision.send ? 'sent' : 'limited'
      return { challengeId: id }
    })
    count('paraph.code.requests', { 'paraph.outcome': outcome })
    if ('challengeId' in made) setTimeout(wakeSending, waitMs + 1).unref()
    return made
  }

  /** Makes a code where the limits allow it. */
  async function send(
    tables: Transaction<CodeTables>,
    { id: scope, recipientOf, mailsPerHourMax }: CodeScope<Tables>,
    mailbox: string,
    waitMs: number,
  ): Promise<SendDecision> {
    const now = await readClock(tables)
    const sends = await readSends(tables, scope, mailbox, mailsPerHourMax)
    const decision = decideSend({ ...sends, scopeMailsMax: mailsPerHourMax }, now)
    if (!decision.send) return decision
    const digits = await digitsOf(tables, scope, mailbox)
    await codes.addCode(tables, { scope, mailbox, recipient: recipientOf(mailbox), digits }, now, waitMs)
    return decision
  }

  /**
   * Checks a typed code. Right: every code of the mailbox ends and a session begins, in one transaction with what the scope adds.
   * Wrong: the challenge loses a try, and the address's count grows.
   * @returns undefined for an unknown challenge
   */
  async function verify(
    scope: CodeScope<Tables>,
    challengeId: string,
    typedCode: string,
  ): Promise<CodeOutcome | undefined> {
    const outcome = await inScope(scope, async (tables, trx): Promise<CodeOutcome | undefined> => {
      const challenge = await findChallenge(tables, scope.id, challengeId)
      if (!challenge) return undefined
      if (challenge.triesLeft === 0) return { kind: 'dead', challenge }
      // People group digits with spaces, hyphens and dots; full-width digits are digits.
      const code = typedCode.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')
      if (!/^[0-9]+$/.test(code) || code.length !== challenge.digits) return { kind: 'wrong_shape', challenge }
      const matches = await codes.findMatching(tables, scope.id, challenge.mailbox, code)
      const succeed = async (codeId: string): Promise<CodeOutcome> => {
        const session = await open(tables, scope.id, challenge, codeId)
        await scope.onVerified?.(trx, { codeId, session })
        return { kind: 'verified', session }
      }
      if (challenge.isPassed) {
        const again = matches.find(({ id }) => id === challenge.freshPass?.codeId)
        if (!again || !challenge.freshPass) {
          // Guesses cost their try here too, or a passed challenge could be guessed at for ever.
          if (matches.length === 0) await useTry(tables, challenge.id)
          return { kind: 'used', challenge }
        }
        // The browser dropped the first answer and its cookie: the same code at the same challenge opens one session in its place.
        await endSession(tables, challenge.freshPass.sessionId)
        return succeed(again.id)
      }
      const live = matches.find(({ isLive }) => isLive)
      if (live) return succeed(live.id)
      const after = { ...challenge, triesLeft: await useTry(tables, challenge.id) }
      if (matches.some(({ endedBy }) => endedBy === 'used' || endedBy === 'success'))
        return { kind: 'used', challenge: after }
      if (matches.length > 0) return { kind: 'expired', challenge: after }
      if (await countWrong(tables, scope.id, challenge.mailbox)) {
        await endCodes(tables, scope.id, challenge.mailbox, 'locked')
        await scope.onLocked?.(trx, { challengeId, lockedAt: await readClock(tables) })
      }
      return { kind: after.triesLeft === 0 ? 'dead' : 'wrong', challenge: after }
    })
    if (outcome) count('paraph.code.checks', { 'paraph.outcome': outcome.kind })
    return outcome
  }

  async function open(
    tables: Transaction<CodeTables>,
    scope: string,
    { id, mailbox }: Challenge,
    codeId: string,
  ): Promise<StartedSession> {
    await endCodes(tables, scope, mailbox, 'success', codeId)
    await resetGuard(tables, scope, mailbox)
    const session = await startSession(tables, { scope, mailbox, ttlSeconds: sessionSeconds })
    await passChallenge(tables, id, codeId, session.id)
    return session
  }

  return {
    request,
    verify,
    /** The challenge of this scope, or undefined. */
    find: (scope: string, challengeId: string): Promise<Challenge | undefined> =>
      findChallenge(codeTablesOf(database), scope, challengeId),
  }
}
