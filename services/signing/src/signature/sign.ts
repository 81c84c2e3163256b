// Signs for a party without losing or inventing a signature. [D41]
// Owns the order of the steps (record the submission, call the contract service, which alone decides, record its answer) and the outcome
// that the page shows. Does not own: the rows (attempt-store.ts), recording an answer, and lost answers (finish-attempt.ts).
import { sql, type Kysely } from 'kysely'
import { elementAt } from '@paraph/protocol/element-at'
import { failPoint } from '@paraph/testing/fail-point'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractClient, ContractView } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { appendSql } from '../chain/chain-store.js'
import { finishAttempt, type AttemptOutcome } from './finish-attempt.js'
import { nextAttemptId, readTypedName, readUnrefused, submitAttempt, type SignForm } from './attempt-store.js'
import type { MailboxSession } from '@paraph/codes/mailbox-session'
import type { Visitor } from '../chain/entry.js'

export type SignOutcome =
  | AttemptOutcome
  /** The contract service recorded the signature, so it is valid. This service has not recorded it yet, so its pages may fail. */
  | { kind: 'recorded_only'; signedAt: Date }
  /** This session has no attempt with that id for that party: the form is old or forged. */
  | { kind: 'no_such_attempt' }
  /** The outcome is not known yet. An event or the sweep of unfinished attempts finishes the attempt; the link then shows the outcome. */
  | { kind: 'unknown' }

interface SigningDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  logger: Logger
}

/** Signing, for the handlers of the ceremony. */
export function createSigning({ database, contract, logger }: SigningDeps) {
  /**
   * The attempt id for the session's review page of a party. Records once per session and party that the text was shown. The id is
   * the same at every render and in every tab; it changes only after a refusal. [D31]
   */
  async function prepare(
    session: MailboxSession,
    { contractId, contentSha256 }: ContractView,
    partyIndex: number,
    language: string,
  ): Promise<string> {
    const shown = { partyIndex, contentSha256, language, sessionId: session.id }
    await sql`
      with shown as (
        insert into text_shown (session_id, party_index) values (${session.id}, ${partyIndex}) on conflict do nothing returning 1)
      select ${appendSql(contractId, [{ type: 'text.shown', data: shown }])} from shown`.execute(database)
    return nextAttemptId(database, session, partyIndex)
  }

  /** Signs for one party of the session's mailbox. The caller has checked name, consent and text. */
  async function sign(
    session: MailboxSession,
    view: ContractView,
    form: SignForm,
    visitor: Visitor,
  ): Promise<SignOutcome> {
    failPoint('sign.begun')
    const attempt = await submitAttempt(database, session, view, form, visitor)
    failPoint('sign.submitted')
    try {
      switch (attempt.state) {
        case 'unknown':
          return { kind: 'no_such_attempt' }
        case 'accepted':
          return { kind: 'accepted', signedAt: attempt.signedAt! }
        case 'refused':
          return await unlessSigned(view, form, await readRefusal(view, form))
        case 'submitted':
          return await unlessSigned(view, form, await requestSignature(view, form))
      }
    } catch (error) {
      const { contractId } = view
      const { attemptId } = form
      const consequence = 'a contract event or the sweep of unfinished attempts finishes the attempt later'
      logger.warn({ err: error, contractId, attemptId }, `could not get the outcome of a signature; ${consequence}`)
      return { kind: 'unknown' }
    }
  }

  /** Requests that the contract service records the signature, and records its answer. */
  async function requestSignature(
    { contractId, contentSha256, parties }: ContractView,
    { partyIndex, attemptId }: SignForm,
  ): Promise<SignOutcome> {
    const { addressNumber } = elementAt(parties, partyIndex)
    const answer = await contract.ceremony.sign.mutate({
      contractId,
      partyIndex,
      addressNumber,
      attemptId,
      contentSha256,
    })
    failPoint('sign.answered')
    const outcome: AttemptOutcome =
      answer.outcome === 'recorded'
        ? { kind: 'accepted', signedAt: new Date(answer.signedAt) }
        : { kind: 'refused', reason: answer.reason }
    try {
      await finishAttempt(database, { contractId, partyIndex, attemptId }, outcome)
    } catch (error) {
      // The answer is final: the page shows it, and a contract event or the sweep records it in this service later.
      logger.warn(
        { err: error, contractId, attemptId },
        'could not record the outcome of a signature; a contract event or the sweep of unfinished attempts records the outcome later',
      )
      if (outcome.kind === 'accepted') return { kind: 'recorded_only', signedAt: outcome.signedAt }
    }
    failPoint('sign.finished')
    return outcome
  }

  /**
   * The outcome to show for an attempt that was refused earlier, without a new request to sign. Reads the present state, because
   * the party may have signed in another tab since.
   */
  async function readRefusal({ contractId, parties }: ContractView, { partyIndex }: SignForm): Promise<AttemptOutcome> {
    const now = await contract.ceremony.byId.query({ contractId })
    if (now?.parties[partyIndex]?.signedAt) return { kind: 'refused', reason: 'already_signed' }
    if (now && now.parties[partyIndex]?.addressNumber !== parties[partyIndex]?.addressNumber)
      return { kind: 'refused', reason: 'readdressed' }
    if (now?.status === 'expired' || now?.status === 'cancelled') return { kind: 'refused', reason: now.status }
    return { kind: 'refused', reason: 'given_up' }
  }

  /** Replaces the outcome `given_up` ("nothing was signed") by `unknown` while another attempt of the party is pending or accepted. */
  async function unlessSigned(
    { contractId }: ContractView,
    { partyIndex, attemptId }: SignForm,
    outcome: SignOutcome,
  ): Promise<SignOutcome> {
    if (outcome.kind !== 'refused' || outcome.reason !== 'given_up') return outcome
    const others = (await readUnrefused(database, contractId, partyIndex)).filter(({ id }) => id !== attemptId)
    return others.length > 0 ? { kind: 'unknown' } : outcome
  }

  return {
    prepare,
    sign,
    /** True while an attempt of this party has no outcome yet. */
    isPending: async (contractId: string, partyIndex: number): Promise<boolean> =>
      (await readUnrefused(database, contractId, partyIndex)).some(({ state }) => state === 'submitted'),
    /** True while a page must not deny a signature: an attempt is pending, or was accepted after the contract was queried. */
    mayHaveSigned: async (contractId: string, partyIndex: number): Promise<boolean> =>
      (await readUnrefused(database, contractId, partyIndex)).length > 0,
    typedNameOf: (contractId: string, partyIndex: number) => readTypedName(database, contractId, partyIndex),
  }
}

export type Signing = ReturnType<typeof createSigning>
