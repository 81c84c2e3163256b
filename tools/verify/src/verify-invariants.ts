// Holds what must always be so against the rows of a running installation. [I1-I14]
// Owns: the order of the looks, and that nobody is accused of what is merely under way. The databases are separate, so no look sees
// all of them at one moment: effects are read before their causes (bus, notification, signing, then gateway and contract), and what
// looks wrong is looked at again after a pause. Only what is wrong both times is said.
// Does not own: what is compared (the checks beside this file). Cannot see: what clients read (I3, I6): the fault tests record that.
import { setTimeout as sleep } from 'node:timers/promises'
import { openReadOnlySession } from '@paraph/database/read-only-session'
import { attemptsAgree } from './attempts.js'
import type {
  ContractBatch,
  ContractCheck,
  Counted,
  Found,
  Invariant,
  Looks,
  Range,
  Scope,
  Source,
  TableCheck,
  Violation,
} from './check.js'
import { firstAfter, nextRange } from './contract-ranges.js'
import { readContracts } from './contract-rows.js'
import { partiesAreWrittenTo } from './deliveries.js'
import { readDeliveries } from './delivery-rows.js'
import { endsAreEnds } from './ends.js'
import { evidenceTells } from './evidence.js'
import { add, beyondOf } from './found.js'
import { effectsHaveCauses } from './ghosts.js'
import { keysMadeOneContract } from './idempotency.js'
import { consumersMissNothing } from './inboxes.js'
import { partiesStand } from './parties.js'
import { nothingPersonalIsTold } from './secrets-shape.js'
import { eventsAreInSequence } from './sequences.js'
import { statesFollow } from './states.js'
import { mailsKeepTheirTrace } from './traces.js'
import { countsAddUp } from './usage.js'
import { windowsAreNotOver } from './windows.js'

const CONTRACT_CHECKS: readonly ContractCheck[] = [
  ...[partiesStand, statesFollow, endsAreEnds, attemptsAgree, evidenceTells, effectsHaveCauses, partiesAreWrittenTo],
]
const TABLE_CHECKS: readonly TableCheck[] = [
  ...[keysMadeOneContract, eventsAreInSequence, consumersMissNothing, countsAddUp, windowsAreNotOver],
  ...[mailsKeepTheirTrace, nothingPersonalIsTold],
]

/** Effects before causes. */
const ORDER = ['bus', 'notification', 'signing', 'gateway', 'contract'] as const satisfies readonly Source[]
/** What the checks of contracts read. */
const OF_CONTRACTS: readonly Source[] = ['notification', 'signing', 'contract']
const PAUSE_MS = 2_000

export interface CheckReport {
  invariants: readonly Invariant[]
  compares: string
  looked: Record<string, number>
  /** How many were found, listed or not. */
  broken: number
  late: number
}

export interface Report {
  checks: CheckReport[]
  /** At most 1,000 of each check. */
  violations: Violation[]
  /** What was found besides, and looked at once. */
  beyond: Counted[]
  /** False where the bus is Kafka: its messages are no rows. */
  busSeen: boolean
  tookMs: number
}

/** `bus` is left out where the bus is Kafka. */
export type DatabaseUrls = Record<Exclude<Source, 'bus'>, string> & { bus?: string | undefined }

/**
 * Looks at everything in `scope`, by connections that cannot write.
 * @param pauseMs between the two looks at what seems wrong
 * @throws what pg throws when a database cannot be read
 */
export async function verifyInvariants(
  urls: DatabaseUrls,
  scope: Scope,
  { pauseMs = PAUSE_MS }: { pauseMs?: number } = {},
): Promise<Report> {
  const startedAtMs = performance.now()
  const looks = await openLooks(urls)
  try {
    const first = await lookAtAll(looks, scope)
    if ([...first.values()].some(({ violations }) => violations.length > 0)) {
      await sleep(pauseMs)
      await lookAgain(looks, scope, first)
    }
    return {
      checks: [...first].map(([{ invariants, compares }, found]) => ({
        ...{ invariants, compares, looked: found.looked },
        ...{ broken: countOf(found, 'broken'), late: countOf(found, 'late') },
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

async function lookAtAll(looks: Looks, scope: Scope): Promise<Map<Check, Found>> {
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
  for (const check of TABLE_CHECKS) found.set(check, await lookAtTables(looks, scope, check))
  return found
}

async function lookAtTables(looks: Looks, scope: Scope, { parts }: TableCheck): Promise<Found> {
  const found: Found = { looked: {}, violations: [] }
  for (const { reads, look } of parts) add(found, await atOneMoment(looks, reads, () => look(looks, scope)))
  return found
}

/** Keeps of `found` what is still so. */
async function lookAgain(looks: Looks, scope: Scope, found: Map<Check, Found>): Promise<void> {
  // One moment serves all of them: there are few, and each of them is later than the first look.
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
    const now = await lookAtTables(looks, scope, check)
    keep(before, now, now.violations)
  }
}

/** Keeps of `before` what is still so. What is not listed is not looked at again: it counts as long as any of its check is still so. */
function keep(before: Found, { beyond }: Pick<Found, 'beyond'>, now: readonly Violation[]): void {
  const nameOf = ({ invariant, subject, fault }: Violation): string => `${invariant} ${subject} ${fault}`
  const seen = new Set(before.violations.map(nameOf))
  before.violations = now.filter((violation) => seen.has(nameOf(violation)))
  before.beyond = before.violations.length > 0 ? (beyond ?? []) : []
}

/** What several checks look at is read when the first of them asks. */
function batchOf(looks: Looks, scope: Scope, range: Range): ContractBatch {
  let contracts: ReturnType<ContractBatch['contracts']> | undefined
  let deliveries: ReturnType<ContractBatch['deliveries']> | undefined
  return {
    ...{ looks, scope, range },
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

/** @param reads the databases that `work` reads; the others are left alone */
async function atOneMoment<T>(looks: Looks, reads: readonly Source[], work: () => Promise<T>): Promise<T> {
  const sources = ORDER.filter((source) => reads.includes(source))
  for (const source of sources) await looks[source]?.beginMoment()
  try {
    return await work()
  } finally {
    await Promise.all(sources.map(async (source) => looks[source]?.endMoment()))
  }
}
