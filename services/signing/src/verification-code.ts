// Proving a mailbox: a code is asked for by typing an address and proven by typing the code. [D16, D42]
// Owns: the two transactions. Parties and strangers take the same path through the same statements.
import { randomBytes, randomInt } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { readClock } from '@paraph/database/clock'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { addressBlockOf } from '@paraph/service/address-block'
import { authenticateUnderEach, type Keyring } from '@paraph/service/keyring'
import { addChallenge, clientMayAskAt, findChallenge, passChallenge, useTry, type Challenge } from './challenge.js'
import { decideSend, partyMailsMax, type SendDecision } from './code-throttle.js'
import { partiesOf, type ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { holdOffErasure } from './erasure.js'
import { append, openChain } from './evidence-chain.js'
import { noteCodeLocked } from './evidence-task-queue.js'
import { Personal } from './evidence.js'
import { countWrong, digitsOf, resetGuard } from './mailbox-guard.js'
import { createOneTimeCodes, endCodes, readSends } from './one-time-code.js'
import { endSession, startSession, type StartedSession } from './signing-session.js'

type Trx = Transaction<SigningDatabase>

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

/** Who asks, as the gateway saw them. */
export interface Visitor {
  clientAddress: string
  userAgent: string
}

/** Codes and challenges. @param wakeSending called when a code is due to be pushed; @param pushAfterMs see `PUSH_AFTER_MS` */
export function createVerificationCodes({
  database,
  peppers,
  codeKeys,
  wakeSending,
  pushAfterMs = PUSH_AFTER_MS,
}: {
  database: Kysely<SigningDatabase>
  peppers: Keyring
  codeKeys: Keyring
  wakeSending: () => void
  pushAfterMs?: { min: number; max: number }
}) {
  const codes = createOneTimeCodes({ peppers, codeKeys })

  /**
   * Makes a challenge for the typed address and, where the limits allow, a code that is pushed to notification after the answer.
   * @returns when to try again, when this client asked too often
   */
  async function request(
    facts: ContractFacts,
    { typed, isResend }: { typed: string; isResend: boolean },
    visitor: Visitor,
  ): Promise<{ challengeId: string } | { tryAgainAt: Date }> {
    const { contractId } = facts
    const mailbox = mailboxOf(typed)
    const id = randomBytes(16).toString('base64url')
    const client = authenticateUnderEach(peppers, `client ${addressBlockOf(visitor.clientAddress)}`)
    const waitMs = randomInt(pushAfterMs.min, pushAfterMs.max + 1)
    const made = await database.transaction().execute(async (trx) => {
      await holdOffErasure(trx, contractId)
      await lockContract(trx, contractId)
      const tryAgainAt = await clientMayAskAt(trx, client)
      if (tryAgainAt) return { tryAgainAt }
      const decision = await send(trx, facts, mailbox, waitMs)
      await addChallenge(trx, { id, contractId, mailbox, typed, isResend, client: client[0] }, decision)
      return { challengeId: id }
    })
    if ('challengeId' in made) setTimeout(wakeSending, waitMs + 1).unref()
    return made
  }

  /** Makes a code where the limits allow it. Under the contract's lock, so that the counts are exact. */
  async function send(trx: Trx, facts: ContractFacts, mailbox: string, waitMs: number): Promise<SendDecision> {
    const { contractId } = facts
    const partyCount = facts.parties.length
    const now = await readClock(trx)
    const sends = await readSends(trx, contractId, mailbox, partyMailsMax(partyCount))
    const decision = decideSend({ ...sends, partyCount }, now)
    if (!decision.send) return decision
    const [partyIndex] = partiesOf(facts, mailbox)
    const digits = await digitsOf(trx, contractId, mailbox)
    await codes.addCode(trx, { contractId, mailbox, partyIndex, digits }, now, waitMs)
    return decision
  }

  /**
   * Checks a typed code. Right: every code of the mailbox ends, a session begins, the chain says so, all in one transaction.
   * Wrong: the challenge loses a try, and the address's count grows.
   * @returns undefined for an unknown challenge
   */
  async function verify(
    facts: ContractFacts,
    challengeId: string,
    typedCode: string,
    visitor: Visitor,
  ): Promise<CodeOutcome | undefined> {
    return database.transaction().execute(async (trx): Promise<CodeOutcome | undefined> => {
      await holdOffErasure(trx, facts.contractId)
      await lockContract(trx, facts.contractId)
      const challenge = await findChallenge(trx, facts.contractId, challengeId)
      if (!challenge) return undefined
      if (challenge.triesLeft === 0) return { kind: 'dead', challenge }
      // People group digits with spaces, hyphens and dots; full-width digits are digits.
      const code = typedCode.normalize('NFKC').replace(/[\s\p{Pd}.]/gu, '')
      if (!/^[0-9]+$/.test(code) || code.length !== challenge.digits) return { kind: 'wrong_shape', challenge }
      const matches = await codes.findMatching(trx, facts.contractId, challenge.mailbox, code)
      if (challenge.isPassed) {
        const again = matches.find(({ id }) => id === challenge.freshPass?.codeId)
        if (!again || !challenge.freshPass) {
          // Guesses cost their try here too, or a passed challenge could be guessed at for ever.
          if (matches.length === 0) await useTry(trx, challenge.id)
          return { kind: 'used', challenge }
        }
        // The browser dropped the first answer and its cookie: the same code at the same challenge opens one session in its place.
        await endSession(trx, challenge.freshPass.sessionId)
        return { kind: 'verified', session: await succeed(trx, facts, challenge, again.id, visitor) }
      }
      const live = matches.find(({ isLive }) => isLive)
      if (live) return { kind: 'verified', session: await succeed(trx, facts, challenge, live.id, visitor) }
      const after = { ...challenge, triesLeft: await useTry(trx, challenge.id) }
      if (matches.some(({ endedBy }) => endedBy === 'used' || endedBy === 'success'))
        return { kind: 'used', challenge: after }
      if (matches.length > 0) return { kind: 'expired', challenge: after }
      await fail(trx, facts, challenge)
      return { kind: after.triesLeft === 0 ? 'dead' : 'wrong', challenge: after }
    })
  }

  return {
    request,
    verify,
    find: (contractId: string, challengeId: string) => findChallenge(database, contractId, challengeId),
  }
}

export type VerificationCodes = ReturnType<typeof createVerificationCodes>

async function succeed(
  trx: Trx,
  facts: ContractFacts,
  challenge: Challenge,
  codeId: string,
  visitor: Visitor,
): Promise<StartedSession> {
  const { contractId } = facts
  await endCodes(trx, contractId, challenge.mailbox, 'success', codeId)
  await resetGuard(trx, contractId, challenge.mailbox)
  const session = await startSession(trx, contractId, challenge.mailbox)
  await passChallenge(trx, challenge.id, codeId, session.id)
  await openChain(trx, facts)
  await append(trx, contractId, 'code.verified', {
    // In clear it would say of each code that was sent to whom. [D29]
    codeId: new Personal(codeId),
    sessionId: session.id,
    mailbox: new Personal(challenge.mailbox),
    ip: new Personal(visitor.clientAddress),
    userAgent: new Personal(visitor.userAgent),
  })
  return session
}

/** `code.locked` is the moment after 100 wrong codes, once. The same statements for a party and a stranger. */
async function fail(trx: Trx, facts: ContractFacts, { id: challengeId, mailbox }: Challenge): Promise<void> {
  const { contractId } = facts
  if (!(await countWrong(trx, contractId, mailbox))) return
  await endCodes(trx, contractId, mailbox, 'locked')
  await noteCodeLocked(trx, { contractId, challengeId, lockedAt: await readClock(trx) })
}

/** Serialises what is counted per contract; released at commit. At most fifty people share one. */
async function lockContract(trx: Trx, contractId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`codes ${contractId}`}, 0))`.execute(trx)
}
