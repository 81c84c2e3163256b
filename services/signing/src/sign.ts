// Signing without a lost or a ghost signature. [D41]
// Owns: the attempt's life (open → submitted → settled), asking the contract service, which alone decides whether a signature
// stands, and asking again where no answer came. Does not own: how an answer is noted, whoever brings it (settlement.ts).
import { randomUUID } from 'node:crypto'
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
import type { SigningSession } from './signing-session.js'
import type { Visitor } from './verification-code.js'

type Trx = Transaction<SigningDatabase>

export type SignOutcome =
  | Settlement
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
   * The attempt that this session's review page carries for a party, and `text.shown` once per session and party.
   * The same at every render, in every tab; a new one only after a refusal.
   */
  async function prepare(
    session: SigningSession,
    facts: ContractFacts,
    partyIndex: number,
    language: string,
  ): Promise<string> {
    const id = await database.transaction().execute(async (trx) => {
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
      await sql`
        insert into sign_attempt (id, contract_id, party_index, session_id, state)
        values (${randomUUID()}, ${facts.contractId}, ${partyIndex}, ${session.id}, 'open')
        on conflict (session_id, party_index) where state <> 'refused' do nothing`.execute(trx)
      const attempt = await trx
        .selectFrom('sign_attempt')
        .select('id')
        .where('session_id', '=', session.id)
        .where('party_index', '=', partyIndex)
        .where('state', '<>', 'refused')
        .executeTakeFirst()
      return attempt?.id
    })
    // Another tab's attempt was refused between the two statements: this render makes the next one.
    return id ?? prepare(session, facts, partyIndex, language)
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
      if (outcome.kind === 'refused' && outcome.reason === 'given_up' && (await mayStillSign(facts, form)))
        return { kind: 'unknown' }
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
  ): Promise<Settlement> {
    const answer = await contract.ceremony.sign.mutate({ contractId, partyIndex, attemptId, contentSha256 })
    failPoint('sign.answered')
    const outcome: Settlement =
      answer.outcome === 'recorded'
        ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
        : { kind: 'refused', reason: answer.reason }
    await database
      .transaction()
      .execute(async (trx) => {
        await settle(trx, attemptId, outcome)
        failPoint('sign.settling')
      })
      // The answer is known and stays what it is: the person is told, and the event or the sweeper notes it here.
      .catch((error: unknown) => logger.warn({ err: error, contractId, attemptId }, 'an attempt was not settled yet'))
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

  /** True while another attempt of the same party is on its way, from another browser: nobody can say yet that nothing is signed. */
  async function mayStillSign({ contractId }: ContractFacts, { partyIndex, attemptId }: SignForm): Promise<boolean> {
    const other = await database
      .selectFrom('sign_attempt')
      .select('id')
      .where('contract_id', '=', contractId)
      .where('party_index', '=', partyIndex)
      .where('state', '=', 'submitted')
      .where('id', '<>', attemptId)
      .executeTakeFirst()
    return other !== undefined
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
    if (!UUID.test(attemptId)) return { kind: 'no_such_attempt' }
    const attempt = await trx
      .selectFrom('sign_attempt')
      .select(['state', 'signed_at'])
      .where('id', '=', attemptId)
      .where('session_id', '=', session.id)
      .where('party_index', '=', partyIndex)
      .forUpdate()
      .executeTakeFirst()
    if (!attempt) return { kind: 'no_such_attempt' }
    if (attempt.state === 'accepted') return { kind: 'accepted', signedAt: attempt.signed_at! }
    if (attempt.state !== 'open') return attempt.state
    await trx
      .updateTable('sign_attempt')
      .set({ state: 'submitted', typed_name: typedName, submitted_at: sql<Date>`clock_timestamp()` })
      .where('id', '=', attemptId)
      .execute()
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
  return { prepare, sign, sweep, sweeper }
}

export type Signing = ReturnType<typeof createSigning>
