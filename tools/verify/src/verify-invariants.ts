// Checks the rows of a running installation against the invariants. [I1-I15]
// Owns: the order of the reads, and not reporting work that is only in progress. No snapshot spans several databases. So it reads effects
// before their causes (bus, notification, signing, then gateway and contract), and reads every suspect again after a pause. It reports
// only violations that both reads found.
// Does not own: the comparisons (checks/). Cannot detect: wrong answers to clients (I3, I6), which the fault tests record.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  add,
  beyondOf,
  once,
  type ContractBatch,
  type ContractCheck,
  type Counted,
  type Found,
  type ObjectReader,
  type Scope,
  type TableCheck,
  type Violation,
} from './check.js'
import { auditIsChained } from './checks/audit.js'
import { attemptsMatchSignatures } from './checks/attempts.js'
import { effectsHaveCauses } from './checks/causes.js'
import { contractsAreComplete, keysNameOneContract } from './checks/creation.js'
import { partiesAreInvited } from './checks/deliveries.js'
import { documentsAreStored, objectsAreDeleted } from './checks/documents.js'
import { evidenceMatchesContracts } from './checks/evidence.js'
import { consumersHandleEveryEvent } from './checks/inboxes.js'
import { noPersonalDataInEvents } from './checks/personal-data.js'
import { eventsAreInSequence } from './checks/sequences.js'
import { endsAreFinal, statesFollowSignatures } from './checks/states.js'
import { mailsKeepTheirTrace } from './checks/traces.js'
import { usageAddsUp, windowsKeepTheirLimit } from './checks/usage.js'
import { nextRange, readContracts, readDeliveries, type Range } from './rows/contract-rows.js'
import { atOneMoment, closeSessions, openSessions, type Sessions, type Source } from './sessions.js'

const CONTRACT_CHECKS: readonly ContractCheck[] = [
  contractsAreComplete,
  statesFollowSignatures,
  endsAreFinal,
  attemptsMatchSignatures,
  evidenceMatchesContracts,
  documentsAreStored,
  effectsHaveCauses,
  partiesAreInvited,
]
const TABLE_CHECKS: readonly TableCheck[] = [
  keysNameOneContract,
  eventsAreInSequence,
  consumersHandleEveryEvent,
  usageAddsUp,
  windowsKeepTheirLimit,
  mailsKeepTheirTrace,
  noPersonalDataInEvents,
  objectsAreDeleted,
  auditIsChained,
]

/** The databases that the checks of contracts read. */
const OF_CONTRACTS: readonly Source[] = ['notification', 'signing', 'contract']
const PAUSE_MS = 2_000

export interface CheckReport extends Pick<TableCheck, 'invariants' | 'compares'> {
  looked: Found['counts']
  /** Violations found, listed or not. */
  broken: number
  late: number
}

export interface Report {
  checks: CheckReport[]
  /** Up to 1,000 violations of each check. */
  violations: Violation[]
  /** Counts of the violations that are not listed. The second read does not confirm each of them. */
  beyond: Counted[]
  /** False with Kafka, whose messages are not rows. */
  busSeen: boolean
  tookMs: number
}

/** Without `bus` when the bus is Kafka. */
export type DatabaseUrls = Record<Exclude<Source, 'bus'>, string> & { bus?: string | undefined }

type Reads = Pick<ContractBatch, 'sessions' | 'objects' | 'scope'>

interface Checked<Check> {
  check: Check
  found: Found
}

/**
 * Checks everything in `scope`, over connections that cannot write.
 * @param objects the object store; without it, only the rows about its objects are checked
 * @param pauseMs between the two reads of a suspect
 * @throws the error of pg when a database cannot be read, and that of `objects`
 */
export async function verifyInvariants(
  urls: DatabaseUrls,
  scope: Scope,
  { objects, pauseMs = PAUSE_MS }: { objects?: ObjectReader | undefined; pauseMs?: number } = {},
): Promise<Report> {
  const startedAtMs = performance.now()
  const sessions = await openSessions(urls)
  const reads: Reads = { sessions, objects, scope }
  try {
    const ofContracts = await checkContracts(reads)
    const ofTables: Checked<TableCheck>[] = []
    for (const check of TABLE_CHECKS) ofTables.push({ check, found: await checkTables(sessions, scope, check) })
    const checked = [...ofContracts, ...ofTables]
    if (checked.some(({ found }) => found.violations.length > 0)) {
      await sleep(pauseMs)
      await recheckContracts(reads, ofContracts)
      await recheckTables(sessions, scope, ofTables)
    }
    return {
      checks: checked.map(({ check: { invariants, compares }, found }) => ({
        invariants,
        compares,
        looked: found.counts,
        broken: countOf(found, 'broken'),
        late: countOf(found, 'late'),
      })),
      violations: checked.flatMap(({ found }) => found.violations),
      beyond: checked.flatMap(({ found }) => found.beyond ?? []),
      busSeen: sessions.bus !== undefined,
      tookMs: Math.round(performance.now() - startedAtMs),
    }
  } finally {
    await closeSessions(sessions)
  }
}

const countOf = (found: Found, wanted: Violation['kind']): number =>
  found.violations.filter(({ kind }) => kind === wanted).length + beyondOf(found, ({ kind }) => kind === wanted)

async function checkContracts(reads: Reads): Promise<Checked<ContractCheck>[]> {
  const { sessions, scope } = reads
  const { contractId, since } = scope
  const checked = CONTRACT_CHECKS.map((check) => ({ check, found: { counts: {}, violations: [] } as Found }))
  // Ids begin with the millisecond of their creation. [D21]
  let after = since ? `contract-${since.getTime()}` : ''
  for (let isLast = false; !isLast;) {
    await atOneMoment(sessions, OF_CONTRACTS, async () => {
      const range = contractId === undefined ? await nextRange(sessions, after) : oneContract(contractId)
      isLast = range?.isLast ?? true
      if (!range) return
      const batch = batchOf(reads, range)
      for (const { check, found } of checked) add(found, await check.check(batch))
      after = range.to
    })
  }
  return checked
}

const oneContract = (id: string) => ({ from: id, to: id, isLast: true })

async function checkTables(sessions: Sessions, scope: Scope, { parts }: TableCheck): Promise<Found> {
  const found: Found = { counts: {}, violations: [] }
  for (const { reads, check } of parts) add(found, await atOneMoment(sessions, reads, () => check(sessions, scope)))
  return found
}

/** Reads the suspected contracts again, and keeps the violations that this read finds again. */
async function recheckContracts(reads: Reads, checked: Checked<ContractCheck>[]): Promise<void> {
  // One snapshot is enough: there are few suspects, and it is later than each first read.
  await atOneMoment(reads.sessions, OF_CONTRACTS, async () => {
    const batches = new Map<string, ContractBatch>()
    for (const { check, found } of checked) {
      const now: Violation[] = []
      for (const id of new Set(found.violations.map(({ subject }) => subject))) {
        const batch = batches.get(id) ?? batchOf(reads, oneContract(id))
        batches.set(id, batch)
        now.push(...(await check.check(batch)).violations)
      }
      keep(found, { ...found, violations: now })
    }
  })
}

async function recheckTables(sessions: Sessions, scope: Scope, checked: Checked<TableCheck>[]): Promise<void> {
  for (const { check, found } of checked)
    if (found.violations.length > 0) keep(found, await checkTables(sessions, scope, check))
}

/**
 * Removes violations from `before` that the second read no longer finds. If none remains, also removes the counts of unlisted violations.
 */
function keep(before: Found, { violations, beyond = [] }: Found): void {
  const nameOf = ({ invariant, subject, fault }: Violation): string => `${invariant} ${subject} ${fault}`
  const seen = new Set(before.violations.map(nameOf))
  before.violations = violations.filter((violation) => seen.has(nameOf(violation)))
  before.beyond = before.violations.length > 0 ? beyond : []
}

/** Rows that several checks share are read on first use. */
const batchOf = (reads: Reads, range: Range): ContractBatch => ({
  ...reads,
  range,
  contracts: once(() => readContracts(reads.sessions.contract, range)),
  deliveries: once(() => readDeliveries(reads.sessions.notification, range)),
})
