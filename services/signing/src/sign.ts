// Signing without a lost or a ghost signature. [D41]
// Owns: the attempt's life (shown → submitted → settled), asking the contract service, which alone decides whether a signature
// stands, and asking again where no answer came. Does not own: how an answer is noted, whoever brings it (settlement.ts).
import { sql, type Kysely, type Transaction } from 'kysely'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { append } from './evidence-chain.js'
import { Personal, sha256Hex } from './evidence.js'
import { settle, type Settlement } from './settlement.js'
import { attemptIdOf } from './sign-attempt-id.js'
import type { SigningSession } from './signing-session.js'
import type { Visitor } from './verification-code.js'

type Trx = Transaction<SigningDatabase>

export type SignOutcome =
  | Settlement
  /** Recorded by the contract service, which is what counts; but it could not be noted here yet, and pages that show it may fail. */
  | { kind: 'recorded_only'; signedAt: Date }
  /** This session has no attempt of that id for that party: an old or a forged form. */
  | { kind: 'no_such_attempt' }
  /** The answer did not come; the attempt is settled later and the link then says which. */
  | { kind: 'unknown' }

export interface SignForm {
  partyIndex: number
  attemptId: string
  typedName: string
  consent: { id: string; text: string; language: string }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SWEEP_BATCH = 50
const SWEEP_EVERY_MS = 2_000

/**
 * Signing and what settles it later. `sweeper` is the loop that asks about attempts without an answer.
 * @param unsettledAfterSeconds how long a submitted attempt waits for its answer before it is asked about
 */
export function createSigning({
  database,
  contract,
  unsettledAfterSeconds,
  logger,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  unsettledAfterSeconds: number
  logger: Logger
}) {
  /**
   * The id of the attempt that this session's review page carries for a party; notes that the text was shown, once per session and
   * party, and nothing else. The same id at every render, in every tab; a new one only after a refusal. [D31, D41]
   */
  async function prepare(
    session: SigningSession,
    facts: ContractFacts,
    partyIndex: number,
    language: string,
  ): Promise<string> {
    return database.transaction().execute(async (trx) => {
      const { rows } = await sql`
        insert into text_shown (session_id, party_index) values (${session.id}, ${partyIndex})
        on conflict do nothing returning 1`.execute(trx)
      if (rows.length === 1) {
        const { contentSha256 } = facts
        await append(trx, facts.contractId, 'text.shown', {
          partyIndex,
          contentSha256,
          language,
          sessionId: session.id,
        })
      }
      return nextAttemptId(trx, session, partyIndex)
    })
  }

  /** Signs for one party of the session's mailbox; the caller has checked name, consent and text. */
  async function sign(
    session: SigningSession,
    facts: ContractFacts,
    form: SignForm,
    visitor: Visitor,
  ): Promise<SignOutcome> {
    failPoint('sign.begun')
    const begun = await database.transaction().execute(async (trx) => {
      const state = await submit(trx, session, facts, form, visitor)
      failPoint('sign.noting')
      return state
    })
    failPoint('sign.submitted')
    if (typeof begun === 'object') return begun
    try {
      const outcome = begun === 'refused' ? await whatStands(facts, form) : await askToSign(facts, form)
      const isGivenUp = outcome.kind === 'refused' && outcome.reason === 'given_up'
      if (isGivenUp && (await isOnItsWay(facts.contractId, form.partyIndex, form.attemptId))) return { kind: 'unknown' }
      return outcome
    } catch (error) {
      const { contractId } = facts
      const { attemptId } = form
      logger.warn({ err: error, contractId, attemptId }, 'a signature was submitted and its outcome is not known yet')
      return { kind: 'unknown' }
    }
  }

  /** Has the contract service decide, and notes what it said. */
  async function askToSign(
    { contractId, contentSha256 }: ContractFacts,
    { partyIndex, attemptId }: SignForm,
  ): Promise<Settlement | Extract<SignOutcome, { kind: 'recorded_only' }>> {
    const answer = await contract.ceremony.sign.mutate({ contractId, partyIndex, attemptId, contentSha256 })
    failPoint('sign.answered')
    const outcome: Settlement =
      answer.outcome === 'recorded'
        ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
        : { kind: 'refused', reason: answer.reason }
    try {
      await database.transaction().execute(async (trx) => {
        await settle(trx, attemptId, outcome)
        failPoint('sign.settling')
      })
    } catch (error) {
      // The answer is known and stays what it is: the person is told, and the event or the sweeper notes it here.
      logger.warn({ err: error, contractId, attemptId }, 'an attempt was not settled yet')
      if (outcome.kind === 'accepted') return { kind: 'recorded_only', signedAt: outcome.signedAt }
    }
    failPoint('sign.settled')
    return outcome
  }

  /**
   * For an attempt that was refused before: it never asks again. What the person reads is what stands now and not what stood
   * then, for the party may have signed in another tab since.
   */
  async function whatStands({ contractId }: ContractFacts, { partyIndex }: SignForm): Promise<Settlement> {
    const now = await contract.ceremony.byId.query({ contractId })
    if (now?.parties[partyIndex]?.signedAt) return { kind: 'refused', reason: 'already_signed' }
    if (now?.status === 'expired' || now?.status === 'cancelled') return { kind: 'refused', reason: now.status }
    return { kind: 'refused', reason: 'given_up' }
  }

  /**
   * True while an attempt of this party is on its way, from whatever browser: nobody can say yet that nothing is signed.
   * @param exceptId an attempt whose end is known
   */
  async function isOnItsWay(contractId: string, partyIndex: number, exceptId?: string): Promise<boolean> {
    const attempts = await database
      .selectFrom('sign_attempt')
      .select('id')
      .where('contract_id', '=', contractId)
      .where('party_index', '=', partyIndex)
      .where('state', '=', 'submitted')
      .execute()
    return attempts.some(({ id }) => id !== exceptId)
  }

  /** Notes the submission before anybody is asked. A second submission of the same attempt adds nothing. */
  async function submit(
    trx: Trx,
    session: SigningSession,
    facts: ContractFacts,
    form: SignForm,
    visitor: Visitor,
  ): Promise<SignOutcome | 'submitted' | 'refused'> {
    const { contractId, contentSha256 } = facts
    const { partyIndex, attemptId, typedName, consent } = form
    const known = await readAttempt(trx, session, form)
    if (known) return known
    if (attemptId !== (await nextAttemptId(trx, session, partyIndex))) return { kind: 'no_such_attempt' }
    const { rows } = await sql`
      insert into sign_attempt (id, contract_id, party_index, session_id, state, typed_name, submitted_at)
      values (${attemptId}, ${contractId}, ${partyIndex}, ${session.id}, 'submitted', ${typedName}, clock_timestamp())
      on conflict do nothing returning 1`.execute(trx)
    // The other click of a double click was faster.
    if (rows.length === 0) return (await readAttempt(trx, session, form)) ?? { kind: 'no_such_attempt' }
    const sessionId = session.id
    await append(trx, contractId, 'consent.given', {
      ...{ partyIndex, sessionId },
      ...{ consentId: consent.id, consentSha256: sha256Hex(consent.text), language: consent.language },
    })
    await append(trx, contractId, 'signature.submitted', {
      ...{ partyIndex, attemptId, contentSha256, sessionId },
      typedName: new Personal(typedName),
      ip: new Personal(visitor.clientAddress),
      userAgent: new Personal(visitor.userAgent),
    })
    return 'submitted'
  }

  /** Asks about attempts that were submitted and never answered. @returns true when more may wait */
  async function sweep(): Promise<boolean> {
    const attempts = await database
      .selectFrom('sign_attempt')
      .select(['id', 'contract_id'])
      .where('state', '=', 'submitted')
      .where('submitted_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${unsettledAfterSeconds})`)
      .orderBy('submitted_at')
      .limit(SWEEP_BATCH)
      .execute()
    const settled = await Promise.allSettled(attempts.map(({ id, contract_id }) => ask(contract_id, id)))
    const failed = settled.filter((result) => result.status === 'rejected')
    // One that cannot be settled does not hold up the others.
    if (failed.length > 0 && failed.length === attempts.length) throw failed[0]?.reason
    return attempts.length === SWEEP_BATCH
  }

  /** Settles one attempt by what the contract service says of it; an attempt it has not heard of can no longer land. */
  async function ask(contractId: string, attemptId: string): Promise<void> {
    const answer = await contract.ceremony.settleSignature.mutate({ contractId, attemptId })
    failPoint('sweep.answered')
    const outcome: Settlement =
      answer.outcome === 'recorded'
        ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
        : { kind: 'refused', reason: 'given_up' }
    await database.transaction().execute(async (trx) => {
      await settle(trx, attemptId, outcome)
      failPoint('sweep.settling')
    })
    failPoint('sweep.settled')
  }

  const sweeper = createLoop({
    work: sweep,
    pauseMs: SWEEP_EVERY_MS,
    trouble: 'signatures cannot be settled at the moment; it is tried again',
    logger,
  })
  return { prepare, sign, isOnItsWay, sweep, sweeper }
}

export type Signing = ReturnType<typeof createSigning>

/** Where this session's attempt stands; undefined while it was never submitted. */
async function readAttempt(
  trx: Trx,
  session: SigningSession,
  { attemptId, partyIndex }: SignForm,
): Promise<SignOutcome | 'submitted' | 'refused' | undefined> {
  if (!UUID.test(attemptId)) return { kind: 'no_such_attempt' }
  const attempt = await trx
    .selectFrom('sign_attempt')
    .select(['state', 'signed_at'])
    .where('id', '=', attemptId)
    .where('session_id', '=', session.id)
    .where('party_index', '=', partyIndex)
    .forUpdate()
    .executeTakeFirst()
  return attempt?.state === 'accepted' ? { kind: 'accepted', signedAt: attempt.signed_at! } : attempt?.state
}

/**
 * The id of the session's live attempt for a party, or of its next one: made from what stays the same until a refusal, so that
 * showing a form writes nothing. It is no secret: only its own session can submit it.
 */
async function nextAttemptId(trx: Trx, session: SigningSession, partyIndex: number): Promise<string> {
  const { refused } = await trx
    .selectFrom('sign_attempt')
    .select(sql<number>`count(*)::int`.as('refused'))
    .where('session_id', '=', session.id)
    .where('party_index', '=', partyIndex)
    .where('state', '=', 'refused')
    .executeTakeFirstOrThrow()
  return attemptIdOf(session.id, partyIndex, refused)
}
