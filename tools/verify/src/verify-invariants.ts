// Checks the rows of a running installation against the invariants. [I1-I14]
// Owns: the order of the reads, and not reporting work that is merely in progress. The databases are separate, so no read sees all of
// them at one moment: effects are read before their causes (bus, notification, signing, then gateway and contract), and every suspect
// is read again after a pause. Only what is wrong both times is reported.
// Does not own: the comparisons (checks/). Cannot see: what clients read (I3, I6); the fault tests record that.
import { setTimeout as sleep } from 'node:timers/promises'
import { openReadOnlySession } from '@paraph/database/read-only-session'
import { attemptsAgree } from './checks/attempts.js'
import type {
  ContractBatch,
  ContractCheck,
  Counted,
  Found,
  Invariant,
  Looks,
  Scope,
  Source,
  TableCheck,
  Violation,
} from './check.js'
import type { Range } from './rows/range.js'
import { firstAfter, nextRange } from './rows/contract-ranges.js'
import { readContracts } from './rows/contract-rows.js'
import { partiesAreWrittenTo } from './checks/deliveries.js'
import { readDeliveries } from './rows/delivery-rows.js'
import { endsAreEnds } from './checks/endings.js'
import { evidenceTells } from './checks/evidence.js'
import { add, beyondOf } from './violations.js'
import { effectsHaveCauses } from './checks/causes.js'
import { keysMadeOneContract } from './checks/idempotency.js'
import { consumersMissNothing } from './checks/inboxes.js'
import { partiesStand } from './checks/parties.js'
import { noPersonalDataInEvents } from './checks/personal-data.js'
import { eventsAreInSequence } from './checks/sequences.js'
import { statesFollow } from './checks/states.js'
import { mailsKeepTheirTrace } from './checks/traces.js'
import { countsAddUp } from './checks/usage.js'
import { windowsAreNotOver } from './checks/windows.js'

const CONTRACT_CHECKS: readonly ContractCheck[] = [
  partiesStand,
  statesFollow,
  endsAreEnds,
  attemptsAgree,
  evidenceTells,
  effectsHaveCauses,
  partiesAreWrittenTo,
]
const TABLE_CHECKS: readonly TableCheck[] = [
  keysMadeOneContract,
  eventsAreInSequence,
  consumersMissNothing,
  countsAddUp,
  windowsAreNotOver,
  mailsKeepTheirTrace,
  noPersonalDataInEvents,
]

/** Effects before causes. */
const ORDER = ['bus', 'notification', 'signing', 'gateway', 'contract'] as const satisfies readonly Source[]
/** The databases that the checks of contracts read. */
const OF_CONTRACTS: readonly Source[] = ['notification', 'signing', 'contract']
const PAUSE_MS = 2_000

export interface CheckReport {
  invariants: readonly Invariant[]
  compares: string
  looked: Record<string, number>
  /** Violations found, listed or not. */
  broken: number
  late: number
}

export interface Report {
  checks: CheckReport[]
  /** At most 1,000 of each check. */
  violations: Violation[]
  /** Violations that are not listed, and were read once. */
  beyond: Counted[]
  /** False with Kafka, whose messages are no rows. */
  busSeen: boolean
  tookMs: number
}

/** Without `bus` when the bus is Kafka. */
export type DatabaseUrls = Record<Exclude<Source, 'bus'>, string> & { bus?: string | undefined }

/**
 * Checks everything in `scope`, over connections that cannot write.
 * @param pauseMs between the two reads of a suspect
 * @throws the error of pg when a database cannot be read
 */
export async function verifyInvariants(
  urls: DatabaseUrls,
  scope: Scope,
  { pauseMs = PAUSE_MS }: { pauseMs?: number } = {},
): Promise<Report> {
  const startedAtMs = performance.now()
  const looks = await openLooks(urls)
  try {
    const first = await checkAll(looks, scope)
    if ([...first.values()].some(({ violations }) => violations.length > 0)) {
      await sleep(pauseMs)
      await recheck(looks, scope, first)
    }
    return {
      checks: [...first].map(([{ invariants, compares }, found]) => ({
        invariants,
        compares,
        looked: found.looked,
        broken: countOf(found, 'broken'),
        late: countOf(found, 'late'),
      })),
      violations: [...first.values()].flatMap(({ violations }) => violations),
      beyond: [...first.values()].flatMap(({ beyond = [] }) => beyond),
      busSeen: looks.bus !== undefined,
      tookMs: Math.round(performance.now() - startedAtMs),
    }
  } finally {
    await closeLooks(looks)
  }
}

type Check = ContractCheck | TableCheck

const countOf = (found: Found, wanted: Violation['kind']): number =>
  found.violations.filter(({ kind }) => kind === wanted).length + beyondOf(found, ({ kind }) => kind === wanted)

async function checkAll(looks: Looks, scope: Scope): Promise<Map<Check, Found>> {
  const found = new Map<Check, Found>(
    [...CONTRACT_CHECKS, ...TABLE_CHECKS].map((check) => [check, { looked: {}, violations: [] }]),
  )
  const { contractId } = scope
  let after = firstAfter(scope)
  for (;;) {
    const range = await atOneMoment(looks, OF_CONTRACTS, async () => {
      const next =
        contractId === undefined ? await nextRange(looks, after) : { from: contractId, to: contractId, isLast: true }
      if (next) {
        const batch = batchOf(looks, scope, next)
        for (const check of CONTRACT_CHECKS) add(found.get(check)!, await check.look(batch))
      }
      return next
    })
    if (!range || range.isLast || contractId !== undefined) break
    after = range.to
  }
  for (const check of TABLE_CHECKS) found.set(check, await checkTables(looks, scope, check))
  return found
}

async function checkTables(looks: Looks, scope: Scope, { parts }: TableCheck): Promise<Found> {
  const found: Found = { looked: {}, violations: [] }
  for (const { reads, look } of parts) add(found, await atOneMoment(looks, reads, () => look(looks, scope)))
  return found
}

/** Reads the suspects in `found` again and keeps those that are still wrong. */
async function recheck(looks: Looks, scope: Scope, found: Map<Check, Found>): Promise<void> {
  // One moment is enough: there are few suspects, and it is later than each first read.
  await atOneMoment(looks, OF_CONTRACTS, async () => {
    const batches = new Map<string, ContractBatch>()
    for (const check of CONTRACT_CHECKS) {
      const before = found.get(check)!
      const now: Violation[] = []
      for (const id of new Set(before.violations.map(({ subject }) => subject))) {
        const batch = batches.get(id) ?? batchOf(looks, scope, { from: id, to: id })
        batches.set(id, batch)
        now.push(...(await check.look(batch)).violations)
      }
      keep(before, before, now)
    }
  })
  for (const check of TABLE_CHECKS) {
    const before = found.get(check)!
    if (before.violations.length === 0) continue
    const now = await checkTables(looks, scope, check)
    keep(before, now, now.violations)
  }
}

/** Keeps of `before` what is still wrong. Unlisted violations are not read again: they count while any of their check is still wrong. */
function keep(before: Found, { beyond }: Pick<Found, 'beyond'>, now: readonly Violation[]): void {
  const nameOf = ({ invariant, subject, fault }: Violation): string => `${invariant} ${subject} ${fault}`
  const seen = new Set(before.violations.map(nameOf))
  before.violations = now.filter((violation) => seen.has(nameOf(violation)))
  before.beyond = before.violations.length > 0 ? (beyond ?? []) : []
}

/** Rows that several checks share are read on first use. */
function batchOf(looks: Looks, scope: Scope, range: Range): ContractBatch {
  let contracts: ReturnType<ContractBatch['contracts']> | undefined
  let deliveries: ReturnType<ContractBatch['deliveries']> | undefined
  return {
    looks,
    scope,
    range,
    contracts: () => (contracts ??= readContracts(looks.contract, range)),
    deliveries: () => (deliveries ??= readDeliveries(looks.notification, range)),
  }
}

async function openLooks(urls: DatabaseUrls): Promise<Looks> {
  const open = async (source: Source) => {
    const url = urls[source]
    return url === undefined ? undefined : openReadOnlySession(url, 'paraph verify')
  }
  const opened = await Promise.allSettled(ORDER.map(open))
  const looks = Object.fromEntries(
    opened.map((each, index) => [ORDER[index], each.status === 'fulfilled' ? each.value : undefined]),
  ) as Looks
  const failed = opened.find((each) => each.status === 'rejected')
  if (failed) {
    await closeLooks(looks)
    throw failed.reason
  }
  return looks
}

async function closeLooks(looks: Looks): Promise<void> {
  await Promise.all(ORDER.map(async (source) => looks[source]?.close()))
}

/** Runs `work` in a snapshot of each database in `reads`. */
async function atOneMoment<T>(looks: Looks, reads: readonly Source[], work: () => Promise<T>): Promise<T> {
  const sources = ORDER.filter((source) => reads.includes(source))
  for (const source of sources) await looks[source]?.beginSnapshot()
  try {
    return await work()
  } finally {
    await Promise.all(sources.map(async (source) => looks[source]?.endSnapshot()))
  }
}
