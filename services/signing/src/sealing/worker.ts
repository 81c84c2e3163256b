// Seals what everyone has signed: the chain's signature, the PDF, both stored and told in one commit. [D30, evidence: the sealed PDF]
// Nobody waits for it but the page that says so. A kill at any step leaves the task due again, and the first bytes that are stored stay.
import type { Kysely } from 'kysely'
import { createHash } from 'node:crypto'
import { continueTrace } from '@paraph/messaging/trace'
import type { Environment } from '@paraph/protocol/caller'
import { backOffMs } from '@paraph/service/back-off'
import { failPoint } from '@paraph/service/fail-point'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { measure } from '@paraph/telemetry/metrics'
import { markFailed } from '@paraph/telemetry/trace-context'
import type { ContractClient } from './contract-client.js'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { readLines, readOpenings } from './evidence-chain.js'
import { signEvidence } from './evidence-jws.js'
import { readChain, readSignatures } from './evidence-story.js'
import type { EvidenceKeys } from './evidence-keys.js'
import { toPdfInput } from './sealed-pdf/pdf-input.js'
import type { Workshop } from './sealed-pdf/pdf-workshop.js'
import { readSignedText } from './signed-text.js'
import { claimSeal, putOffSeal, storeSealed, type Sealed, type SealTask } from './seal-queue.js'

const POLL_MS = 1_000
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 600_000

/** The loop that seals; `sealNext` is one round of it. @param wakeRelay called when something was sealed and is to be told */
export function createSealing({
  database,
  contract,
  keys,
  workshop,
  version,
  wakeRelay,
  logger,
}: {
  database: Kysely<SigningDatabase>
  contract: ContractClient
  keys: Readonly<Record<Environment, EvidenceKeys>>
  workshop: Pick<Workshop, 'make'>
  version: string
  wakeRelay: () => void
  logger: Logger
}) {
  /** @returns false when nothing is due */
  async function sealNext(): Promise<boolean> {
    const task = await claimSeal(database)
    if (!task) return false
    failPoint('seal.claimed')
    const { contractId, traceparent, ageMs } = task
    await continueTrace(
      { name: 'seal evidence', attributes: { 'paraph.subject': contractId }, traceparent, ageMs },
      () => sealTask(task),
    )
    return true
  }

  async function sealTask(task: SealTask): Promise<void> {
    const { contractId, attempts, ageMs } = task
    const claimedAtMs = performance.now()
    try {
      const facts = await contract.ceremony.byId.query({ contractId })
      if (!facts) throw new Error('the contract is not known')
      const sealed = await make(facts)
      failPoint('seal.made')
      const { accountId, environment, parties } = facts
      const isFirst = await database.transaction().execute(async (trx) => {
        const stored = await storeSealed(
          trx,
          { contractId, accountId, environment, partyCount: parties.length },
          sealed,
        )
        failPoint('seal.stored')
        return stored
      })
      failPoint('seal.committed')
      if (isFirst) {
        const afterMs = ageMs + (performance.now() - claimedAtMs)
        measure('paraph.seal.duration', afterMs / 1_000, {})
        logger.info({ contractId, afterMs: Math.round(afterMs) }, 'a contract was sealed')
      }
      wakeRelay()
    } catch (error) {
      markFailed()
      const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown'
      logger.error({ err: error, contractId, attempts }, 'a contract could not be sealed; it is tried again')
      await putOffSeal(database, task, backOffMs(attempts, RETRY_FIRST_MS, RETRY_MAX_MS, Math.random()), reason)
    }
  }

  async function make(facts: ContractFacts): Promise<Sealed> {
    const { contractId, environment } = facts
    const { evidence, seal } = keys[environment]
    const lines = await readLines(database, contractId)
    assertComplete(lines, facts)
    const jws = await signEvidence(lines, evidence)
    const content = await readSignedText(contract, facts)
    if (content === null) return { keyId: evidence.keyId, jws, pdf: null }
    const openings = await readOpenings(database, contractId)
    const bytes = await workshop.make({
      sealKey: seal,
      reason: facts.contractNumber,
      input: toPdfInput({ facts, content, lines, openings, jws, evidence, version }),
    })
    return { keyId: evidence.keyId, jws, pdf: { bytes, sha256: createHash('sha256').update(bytes).digest('hex') } }
  }

  const loop = createLoop({
    work: sealNext,
    pauseMs: POLL_MS,
    trouble: 'nothing can be sealed at the moment; it waits',
    logger,
  })
  return { ...loop, sealNext }
}

/**
 * Nothing is sealed that a reader of the seal would find wanting, nor a text that is not the one of the chain.
 * @throws Error with what is missing; it names nobody
 */
function assertComplete(lines: readonly string[], { contentSha256 }: ContractFacts): void {
  const chain = readChain(lines)
  const signed = 'fault' in chain ? chain : readSignatures(chain.entries)
  if ('fault' in signed) throw new Error(signed.fault)
  if ('entries' in chain && chain.entries[0]?.data['contentSha256'] !== contentSha256)
    throw new Error('the contract service has another hash than the chain')
}
