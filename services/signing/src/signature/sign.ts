// Signing without a lost or a ghost signature. [D41]
// Owns: the order of the steps - note the submission, ask the contract service, which alone decides whether a signature stands,
// note its answer - and what a person is told. Does not own: the rows (sign-attempt.ts), how an answer is noted, whoever brings it
// (settlement.ts), asking again where none came (sign-sweep.ts).
import { sql, type Kysely } from 'kysely'
import { failPoint } from '@paraph/service/fail-point'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { holdOffErasure } from './erasure.js'
import { append } from './evidence-chain.js'
import { settle, type Settlement } from './settlement.js'
import {
  isOnItsWay,
  mayHaveSigned,
  nextAttemptId,
  readTypedName,
  submitAttempt,
  type SignForm,
} from './sign-attempt.js'
import type { MailboxSession } from '@paraph/codes/mailbox-session'
import type { Visitor } from './verification-code.js'

export type SignOutcome =
  | Settlement
  /** Recorded by the contract service, which is what counts; but it could not be noted here yet, and pages that show it may fail. */
  | { kind: 'recorded_only'; signedAt: Date }
  /** This session has no attempt of that id for that party: an old or a forged form. */
  | { kind: 'no_such_attempt' }
  /** The answer did not come; the attempt is settled later and the link then says which. */
  | { kind: 'unknown' }

/** Signing, for the steps of the ceremony. */
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
   * The id of the attempt that this session's review page carries for a party; notes that the text was shown, once per session and
   * party, and nothing else. The same id at every render, in every tab; a new one only after a refusal. [D31]
   */
  async function prepare(
    session: MailboxSession,
    { contractId, contentSha256 }: ContractFacts,
    partyIndex: number,
    language: string,
  ): Promise<string> {
    return database.transaction().execute(async (trx) => {
      const { rows } = await sql`
        insert into text_shown (session_id, party_index) values (${session.id}, ${partyIndex})
        on conflict do nothing returning 1`.execute(trx)
      if (rows.length === 1) {
        const sessionId = session.id
        await append(trx, contractId, 'text.shown', { partyIndex, contentSha256, language, sessionId })
      }
      return nextAttemptId(trx, session, partyIndex)
    })
  }

  /** Signs for one party of the session's mailbox; the caller has checked name, consent and text. */
  async function sign(
    session: MailboxSession,
    facts: ContractFacts,
    form: SignForm,
    visitor: Visitor,
  ): Promise<SignOutcome> {
    failPoint('sign.begun')
    const attempt = await database.transaction().execute(async (trx) => {
      await holdOffErasure(trx, facts.contractId)
      const submitted = await submitAttempt(trx, session, facts, form, visitor)
      failPoint('sign.noting')
      return submitted
    })
    failPoint('sign.submitted')
    try {
      switch (attempt.state) {
        case 'unknown':
          return { kind: 'no_such_attempt' }
        case 'accepted':
          return { kind: 'accepted', signedAt: attempt.signedAt! }
        case 'refused':
          return await unlessSigned(facts, form, await whatStands(facts, form))
        case 'submitted':
          return await unlessSigned(facts, form, await askToSign(facts, form))
      }
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
  ): Promise<SignOutcome> {
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

  /** "Nothing was signed" is not said while another browser's attempt for the same party has no answer, or a good one. */
  async function unlessSigned(
    { contractId }: ContractFacts,
    { partyIndex, attemptId }: SignForm,
    outcome: SignOutcome,
  ): Promise<SignOutcome> {
    if (outcome.kind !== 'refused' || outcome.reason !== 'given_up') return outcome
    return (await mayHaveSigned(database, contractId, partyIndex, attemptId)) ? { kind: 'unknown' } : outcome
  }

  return {
    prepare,
    sign,
    isOnItsWay: (contractId: string, partyIndex: number) => isOnItsWay(database, contractId, partyIndex),
    mayHaveSigned: (contractId: string, partyIndex: number) => mayHaveSigned(database, contractId, partyIndex),
    typedNameOf: (contractId: string, partyIndex: number) => readTypedName(database, contractId, partyIndex),
  }
}

export type Signing = ReturnType<typeof createSigning>
