// Signing without a lost or a ghost signature. [D41]
// Owns: the attempt's life (open → submitted → accepted or refused) and the chain entries of each step. The contract service
// alone decides whether a signature stands; this asks, and remembers the answer, whoever brings it: reply, event or sweeper.
import { randomUUID } from 'node:crypto'
import { sql, type Kysely, type Transaction } from 'kysely'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { append } from './evidence-chain.js'
import { Personal, sha256Hex } from './evidence.js'
import type { SigningSession } from './signing-session.js'
import type { Visitor } from './verification-code.js'

type Trx = Transaction<SigningDatabase>

/** Why the contract service did not record a signature. */
export type SignRefusal =
  | 'signed'
  | 'expired'
  | 'cancelled'
  | 'already_signed'
  | 'text_differs'
  | 'given_up'
  | 'unknown_party'
  | 'unknown_contract'
  | 'not_due'

export type SignOutcome =
  | { kind: 'accepted'; signedAt: Date }
  | { kind: 'refused'; reason: SignRefusal }
  /** This session has no attempt of that id for that party: an old or a forged form. */
  | { kind: 'no_such_attempt' }
  /** The answer did not come; the attempt is settled later and the link then says which. */
  | { kind: 'unknown' }

/** How an attempt ends. */
export type Settlement = Extract<SignOutcome, { kind: 'accepted' | 'refused' }>

export interface SignForm {
  partyIndex: number
  attemptId: string
  typedName: string
  consent: { id: string; text: string; language: string }
}

/** Seconds after which a submitted attempt without an answer is asked about. */
const UNSETTLED_AFTER_SECONDS = 15
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SWEEP_BATCH = 50
const SWEEP_EVERY_MS = 2_000

/** Signing and what settles it later. `sweeper` is the loop that asks about attempts without an answer. */
export function createSigning({
  database,
  contract,
  logger,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
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
    const begun = await database.transaction().execute((trx) => submit(trx, session, facts, form, visitor))
    if (begun !== 'submitted') return begun
    const { contractId, contentSha256 } = facts
    const { partyIndex, attemptId } = form
    try {
      const answer = await contract.ceremony.sign.mutate({ contractId, partyIndex, attemptId, contentSha256 })
      const outcome: Settlement =
        answer.outcome === 'recorded'
          ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
          : { kind: 'refused', reason: answer.reason }
      await database.transaction().execute((trx) => settle(trx, attemptId, outcome))
      return outcome
    } catch (error) {
      logger.warn({ err: error, contractId, attemptId }, 'a signature was submitted and its outcome is not known yet')
      return { kind: 'unknown' }
    }
  }

  /** Notes the submission before anybody is asked. A second submission of the same attempt adds nothing. */
  async function submit(
    trx: Trx,
    session: SigningSession,
    facts: ContractFacts,
    form: SignForm,
    visitor: Visitor,
  ): Promise<SignOutcome | 'submitted'> {
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
    if (attempt.state === 'refused') return { kind: 'refused', reason: 'given_up' }
    if (attempt.state === 'submitted') return 'submitted'
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
      .where('submitted_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${UNSETTLED_AFTER_SECONDS})`)
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
    const outcome: Settlement =
      answer.outcome === 'recorded'
        ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
        : { kind: 'refused', reason: 'given_up' }
    await database.transaction().execute((trx) => settle(trx, attemptId, outcome))
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

/**
 * Settles a submitted attempt, once: reply, event and sweeper all come here, and the first wins by compare-and-set.
 * An attempt that is settled already, or unknown, is left as it is.
 */
export async function settle(trx: Trx, attemptId: string, outcome: Settlement): Promise<void> {
  const accepted = outcome.kind === 'accepted'
  const attempt = await trx
    .updateTable('sign_attempt')
    .set({
      state: accepted ? 'accepted' : 'refused',
      settled_at: sql<Date>`clock_timestamp()`,
      signed_at: accepted ? outcome.signedAt : null,
    })
    .where('id', '=', attemptId)
    .where('state', '=', 'submitted')
    .returning(['contract_id', 'party_index'])
    .executeTakeFirst()
  if (!attempt) return
  const { contract_id, party_index } = attempt
  if (accepted) {
    const signedAt = outcome.signedAt.toISOString()
    await append(trx, contract_id, 'signature.accepted', { partyIndex: party_index, attemptId, signedAt })
  } else {
    await append(trx, contract_id, 'signature.refused', { partyIndex: party_index, attemptId, reason: outcome.reason })
  }
}

/** Ends the attempts of a contract that is final: none of them can land any more. Before its chain is closed. */
export async function settleRest(
  trx: Trx,
  contractId: string,
  reason: 'signed' | 'expired' | 'cancelled',
): Promise<void> {
  const attempts = await trx
    .selectFrom('sign_attempt')
    .select('id')
    .where('contract_id', '=', contractId)
    .where('state', '=', 'submitted')
    .execute()
  for (const { id } of attempts) await settle(trx, id, { kind: 'refused', reason })
}
