// Signs for the parties that queue-simulated.ts has queued. [D63]
// They go the way of a person: a code to their mailbox, a session, the text, the consent, the signature, each with its entry in the chain.
// Step one asks for the code. Step two begins when the code is pushed, in whichever process that happens.
import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { CodeToPush } from '@paraph/codes/code-sending'
import { createTaskQueue, QUEUED_COLUMNS, type QueuedTask, type TaskTable } from '@paraph/messaging/task-queue'
import { elementAt } from '@paraph/protocol/element-at'
import type { Logger } from '@paraph/telemetry/logger'
import type { Visitor } from '../chain/entry.js'
import { partiesOf, type ContractClient, type ContractView } from '../clients/contract.js'
import type { VerificationCodes } from '../codes/verification-code.js'
import type { SigningDatabase } from '../database.js'
import { CONSENT } from '../signature/consent-text.js'
import type { Decline } from '../decline/decline.js'
import type { Signing } from '../signature/sign.js'

/** A client of its own for each contract, because codes have limits for each client. The address is a private one. [RFC 4193] */
function visitorOf(contractId: string): Visitor {
  const digits = createHash('sha256').update(contractId).digest('hex')
  const groups = [`fd${digits.slice(0, 2)}`, digits.slice(2, 6), digits.slice(6, 10)]
  return { clientAddress: `${groups.join(':')}::1`, userAgent: 'Paraph simulator' }
}

/** A party that has not signed by then asks for another code. Longer than the pause between two codes of a mailbox. */
const LEASE_SECONDS = 90

interface SimulatedParty extends QueuedTask {
  id: number
  contractId: string
  partyIndex: number
}

const QUEUE: TaskTable = {
  table: 'simulated_party',
  lease: { column: 'leased_until', seconds: LEASE_SECONDS },
  due: sql`finished_at is null and due_at <= clock_timestamp()`,
  order: sql`due_at`,
  batch: 8,
  columns: sql`id, contract_id as "contractId", party_index as "partyIndex", ${QUEUED_COLUMNS}`,
}

interface SimulatedPartiesDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  codes: Pick<VerificationCodes, 'request' | 'verify'>
  signing: Pick<Signing, 'prepare' | 'sign'>
  decline: Decline
  logger: Logger
}

export function createSimulatedParties({ database, contract, codes, signing, decline, logger }: SimulatedPartiesDeps) {
  const finish = (contractId: string, partyIndex: number) =>
    sql`update simulated_party set finished_at = clock_timestamp()
         where contract_id = ${contractId} and party_index = ${partyIndex} and finished_at is null`.execute(database)

  /** The contract if the party can still sign it. */
  async function openView(contractId: string, partyIndex: number): Promise<ContractView | undefined> {
    const view = await contract.ceremony.byId.query({ contractId })
    const isOpen = view?.status === 'pending_signature' || view?.status === 'partially_signed'
    return view && isOpen && view.parties[partyIndex]?.signedAt === null ? view : undefined
  }

  async function askForCode({ contractId, partyIndex }: SimulatedParty): Promise<void> {
    const view = await openView(contractId, partyIndex)
    if (!view) return void (await finish(contractId, partyIndex))
    const { email } = elementAt(view.parties, partyIndex)
    await codes.request(view, { typed: email, isResend: false }, visitorOf(contractId))
  }

  const queue = createTaskQueue<SimulatedParty>({
    database,
    queue: QUEUE,
    span: 'simulate a party',
    subjectOf: ({ contractId }) => contractId,
    perform: askForCode,
    onFailure: (error, { contractId }, waitMs) =>
      logger.warn(
        { err: error, contractId, retryInMs: waitMs },
        'could not ask for the code of a simulated party; retrying',
      ),
    failureMessage: 'could not read the simulated parties; retrying with back-off',
    logger,
  })

  return {
    ...queue,
    /** A code went to a mailbox: its parties that are due sign with it. A failure waits for the next code. */
    async hear({ scope: contractId, mailbox, code }: CodeToPush): Promise<void> {
      try {
        await signWith(contractId, mailbox, code)
      } catch (error) {
        logger.warn({ err: error, contractId }, 'a simulated party could not sign; it asks for another code')
      }
    },
  }

  async function signWith(contractId: string, mailbox: string, code: string): Promise<void> {
    const { rows: queued } = await sql<{ partyIndex: number; act: 'sign' | 'decline' }>`
      select party_index as "partyIndex", act from simulated_party
       where contract_id = ${contractId} and finished_at is null and due_at <= clock_timestamp()`.execute(database)
    const view = queued.length === 0 ? null : await contract.ceremony.byId.query({ contractId })
    if (view?.environment !== 'sandbox') return
    const due = partiesOf(view, mailbox).filter(({ index }) => queued.some(({ partyIndex }) => partyIndex === index))
    const challenge = await database
      .selectFrom('challenge')
      .select('id')
      .where('scope', '=', contractId)
      .where('mailbox', '=', mailbox)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (due.length === 0 || !challenge) return
    const visitor = visitorOf(contractId)
    const outcome = await codes.verify(view, challenge.id, code, visitor)
    if (outcome?.kind !== 'verified') throw new Error(`the code was not accepted (${outcome?.kind ?? 'no challenge'})`)
    const { session } = outcome
    for (const { index: partyIndex, legalName } of due) {
      if (queued.some((each) => each.partyIndex === partyIndex && each.act === 'decline')) {
        await decline(session, view, { partyIndex, reason: 'other', note: '' }, visitor)
        await finish(contractId, partyIndex)
        continue
      }
      const attemptId = await signing.prepare(session, view, partyIndex, 'en')
      const consent = { id: CONSENT.id, text: CONSENT.text.en, language: 'en' }
      const form = { partyIndex, attemptId, typedName: legalName, consent }
      const { kind } = await signing.sign(session, view, form, visitor)
      if (kind !== 'unknown') await finish(contractId, partyIndex)
    }
  }
}
