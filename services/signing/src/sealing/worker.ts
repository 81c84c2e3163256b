// Seals contracts that all parties have signed: one transaction stores the signed chain, the PDF and the event of the sealing. With an
// object store, their bytes are written to it before. [P43]
// If the process is killed at any step, the task becomes due again. The first stored bytes stay. [D30, evidence: the sealed PDF]
import type { Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/environment'
import { mailboxOf } from '@paraph/protocol/text-rules'
import { VERSION } from '@paraph/protocol/version'
import { failPoint } from '@paraph/testing/fail-point'
import { createTaskQueue } from '@paraph/messaging/task-queue'
import type { Logger } from '@paraph/telemetry/logger'
import { measure } from '@paraph/telemetry/metrics'
import { type ContractClient, type ContractView, readSignedText } from '../clients/contract.js'
import type { Brands } from '../brand/brands.js'
import type { SigningDatabase } from '../database.js'
import { readLines, readDisclosures } from '../chain/chain-store.js'
import type { Documents } from '../documents/documents.js'
import { signEvidence } from './jws.js'
import { type Entry, readChain, readSignatures } from '../chain/chain-reader.js'
import { findForeignMailbox } from '../chain/disclosures.js'
import type { EvidenceKeys } from './keys.js'
import { toPdfInput } from './pdf/pdf-input.js'
import type { PdfJob } from './pdf/pdf-worker.js'
import type { WorkerPool } from './pdf/worker-pool.js'
import { SEALS, storeSealed, type Sealed, type SealTask } from './queue.js'

interface SealingDeps {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  documents: Pick<Documents, 'place'>
  brands: Pick<Brands, 'ofWithLogo'>
  /** The name of the installation. [D59] */
  footName: string
  keys: Readonly<Record<Environment, EvidenceKeys>>
  workerPool: Pick<WorkerPool, 'make'>
  /** Called after an event was committed to the outbox. */
  notifyRelay: () => void
  logger: Logger
}

/** The loop that seals contracts. */
export function createSealing(deps: SealingDeps) {
  const { database, contract, documents, brands, footName, keys, workerPool, notifyRelay, logger } = deps

  async function sealTask({ id: contractId, ageMs }: SealTask): Promise<void> {
    failPoint('seal.claimed')
    const claimedAtMs = performance.now()
    const view = await contract.ceremony.byId.query({ contractId })
    if (!view) throw new Error('the contract service does not know the contract')
    const sealed = await makeSealed(view)
    failPoint('seal.made')
    const { accountId, environment, parties } = view
    const isFirst = await database.transaction().execute(async (trx) => {
      const stored = await storeSealed(trx, { contractId, accountId, environment, partyCount: parties.length }, sealed)
      failPoint('seal.stored')
      return stored
    })
    failPoint('seal.committed')
    if (isFirst) {
      const afterMs = ageMs + (performance.now() - claimedAtMs)
      measure('paraph.seal.duration', afterMs / 1_000, {})
      logger.info({ contractId, afterMs: Math.round(afterMs) }, 'sealed a contract')
    }
    notifyRelay()
  }

  async function makeSealed(view: ContractView): Promise<Sealed> {
    const { contractId, environment } = view
    const { evidence, seal } = keys[environment]
    const lines = await readLines(database, contractId)
    const entries = readComplete(lines, view)
    const content = await readSignedText(contract, view)
    // An erasure leaves nothing to compare the commitments with.
    if (content === null) {
      const jws = await signEvidence(lines, evidence)
      return { keyId: evidence.keyId, jws: await documents.place(contractId, 'jws', Buffer.from(jws)), pdf: null }
    }
    const disclosures = await readDisclosures(database, contractId)
    const foreign = findForeignMailbox(disclosures, entries, mailboxesOf(view))
    if (foreign !== undefined)
      throw new Error(`party ${foreign + 1} signed after a code to another mailbox than its own`)
    const jws = await signEvidence(lines, evidence)
    // Before the PDF, so that no PDF is made while the object store is unavailable.
    const placed = await documents.place(contractId, 'jws', Buffer.from(jws))
    // At the last moment, so that a brand that was removed since the signatures is not shown.
    const brand = await brands.ofWithLogo(view.accountId)
    const input = toPdfInput({ view, content, lines, disclosures, jws, evidence, version: VERSION, brand, footName })
    const bytes = await makePdf({ sealKey: seal, reason: view.contractNumber, input }, contractId)
    return { keyId: evidence.keyId, jws: placed, pdf: await documents.place(contractId, 'pdf', Buffer.from(bytes)) }
  }

  /** No picture prevents a seal. One that pdfkit cannot read may end the thread, or use up its time. */
  async function makePdf(job: PdfJob, contractId: string): Promise<Uint8Array> {
    const { brand } = job.input
    if (!brand?.logo) return workerPool.make(job)
    try {
      return await workerPool.make(job)
    } catch (error) {
      logger.warn({ err: error, contractId }, 'could not make a PDF with the logo of its account; making it without')
      return workerPool.make({ ...job, input: { ...job.input, brand: { ...brand, logo: null } } })
    }
  }

  return createTaskQueue<SealTask>({
    database,
    queue: SEALS,
    span: 'seal evidence',
    subjectOf: ({ id }) => id,
    perform: sealTask,
    onFailure: (error, { id: contractId, attempts }, waitMs) =>
      logger.error({ err: error, contractId, attempts, retryInMs: waitMs }, 'could not seal a contract; retrying'),
    failureMessage: 'could not read or reschedule seal tasks; sealing waits and retries',
    logger,
  })
}

const mailboxesOf = ({ parties }: ContractView): string[] => parties.map(({ email }) => mailboxOf(email))

/**
 * The entries of a chain. Refuses to seal a chain that the verification of evidence would reject, or a text other than that of the chain.
 * @throws Error that says what is missing, without personal data
 */
function readComplete(lines: readonly string[], { contentSha256 }: ContractView): readonly Entry[] {
  const chain = readChain(lines)
  if ('fault' in chain) throw new Error(chain.fault)
  const signed = readSignatures(chain.entries)
  if ('fault' in signed) throw new Error(signed.fault)
  if (chain.entries[0]?.data['contentSha256'] !== contentSha256)
    throw new Error('the contract service has another hash than the chain')
  return chain.entries
}
