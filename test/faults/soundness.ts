// The checks after any fault: no confirmed work is lost, nothing happened twice, and no client saw a false outcome.
// Reads every database without the proxies, every accepted mail, and the histories of the clients. [I1-I10]
// Owns: the checks. Does not own: the invariants of the operator's command (test/harness/stack/invariants.ts).
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '@paraph/database/pool'
import type { ContractDatabase } from '@paraph/contract/database'
import type { ServiceName } from '@paraph/protocol/services'
import type { Invariant } from '@paraph/verify/check'
import { CONSUMERS, PRODUCERS } from '@paraph/verify/rows/outboxes'
import { contradictionsIn, readAftermath } from '@paraph/signing/test/aftermath-fixture'
import type { SigningDatabase } from '@paraph/signing/database'
import { openPool } from '@paraph/database/pool'
import { databaseUrlOf } from '../harness/stack/local-stack.js'
import { verifyInvariants } from '../harness/stack/invariants.js'
import { compareReceipts } from '../harness/stack/receipts.js'
import type { Death, BaseStack } from './base-stack.js'
import { describeCalls, explain } from './history-checker.js'
import { mailFaults } from './soundness-of-mail.js'
import type { Workload } from './workload.js'

const POLL_EVERY_MS = 50

/** The effects that a scenario may have. */
export interface Allowance {
  /** Names of the processes that the scenario ended. */
  deaths?: readonly string[]
  /** The allowed surplus copies of one mail. Default: as in `inProgress`; without it 3, but at most `totalCopies`. [I8] */
  extraCopies?: number
  /**
   * The allowed surplus copies of all mails together: one for each mail that a dead worker had in progress or could not record.
   * Default: the limit of one mail, times the mails that a worker sends concurrently.
   */
  totalCopies?: number
  /** The names of the mails in progress at each death, if known (mailsInProgress). Only these mails may have copies, one per entry. */
  inProgress?: readonly string[]
  /** Addresses that the mail server rejected permanently. */
  refusedForGood?: readonly string[]
  deadLetters?: number
  /** Invariants that the scenario violated by its own messages in a topic: on this stack they stay violated. */
  planted?: readonly Invariant[]
}

/**
 * The work in progress, as text; empty when all work has finished. Checked in the order in which work moves between services:
 * work that left one place before its check is found at a later one.
 */
async function workInProgress(stack: BaseStack): Promise<string[]> {
  const left: string[] = []
  const count = async (database: Parameters<BaseStack['query']>[0], what: string, text: string): Promise<void> => {
    const [row] = await stack.query<{ n: number }>(database, `select count(*)::int as n from ${text}`)
    if (row!.n > 0) left.push(`${row!.n} ${what}`)
  }
  const unpublished = (service: Parameters<BaseStack['query']>[0]): Promise<void> =>
    count(service, `unpublished events of ${service}`, 'outbox where published_at is null')
  // The most expensive query, which runs only if the earlier ones found nothing.
  const countUnhandled = async (...services: ServiceName[]): Promise<void> => {
    if (left.length === 0) left.push(...(await unhandledEvents(stack, services)))
  }
  await count('signing', 'open attempts', `sign_attempt where state = 'submitted'`)
  await count(
    'contract',
    'contracts to expire',
    `contract where status in ('pending_signature', 'partially_signed') and expires_at <= now()`,
  )
  await unpublished('contract')
  await unpublished('gateway')
  await countUnhandled('contract', 'gateway')
  await count('signing', 'open evidence tasks', 'evidence_task where done_at is null')
  await count('signing', 'contracts to seal', 'seal_task where done_at is null')
  await unpublished('signing')
  await countUnhandled('signing')
  await count('signing', 'codes on their way', 'code_send where finished_at is null')
  await count('notification', 'mails due', `delivery where state = 'due'`)
  await unpublished('notification')
  await countUnhandled('notification')
  return left
}

/** Events of `services` in a topic that a consumer has neither handled nor moved to the dead letters. [I9] */
async function unhandledEvents(stack: BaseStack, services: readonly ServiceName[]): Promise<string[]> {
  const published = new Map<string, string[]>()
  for (const { service, topic } of PRODUCERS) {
    if (!services.includes(service) || !CONSUMERS.some(({ topics }) => topics.includes(topic))) continue
    const rows = await stack.query<{ id: string }>(service, 'select event_id as id from outbox where topic = $1', [
      topic,
    ])
    published.set(
      topic,
      rows.map(({ id }) => id),
    )
  }
  const missing = await Promise.all(
    CONSUMERS.map(async ({ group, service, topics }) => {
      const handled = await stack.query<{ id: string }>(
        service,
        `select event_id as id from inbox where consumer = $1
         union all
         select substring(value from '"id":"([^"]+)"') from dead_letter where consumer = $1 and value is not null`,
        [group],
      )
      const ids = new Set(handled.map(({ id }) => id))
      return topics.flatMap((topic) => {
        const left = published.get(topic)?.filter((id) => !ids.has(id)).length ?? 0
        return left > 0 ? [`${left} of ${topic} that ${group} has not handled`] : []
      })
    }),
  )
  return missing.flat()
}

/** Waits until all work has finished, as long as something changes. @throws Error if the remaining work did not change for `stillMs` */
export async function untilIdle(stack: BaseStack, stillMs = 120_000): Promise<void> {
  let left: string[] = []
  let movedAt = performance.now()
  for (;;) {
    const before = left
    left = await workInProgress(stack).catch((error: unknown) => [String(error)])
    if (left.length === 0) return
    if (left.join() !== before.join()) movedAt = performance.now()
    if (performance.now() - movedAt > stillMs) throw new Error(`This work did not finish: ${left.join(', ')}`)
    await sleep(POLL_EVERY_MS)
  }
}

/** The result of all checks. */
export interface Findings {
  /** Failed checks, as text; the scenario fails if there is any. */
  faults: string[]
  contracts: number
  calls: number
  mails: number
  copies: number
  /** Parties that gave up after 90 s. Nothing is guaranteed to a party that does not return, so these are only counted. */
  partiesGaveUp: number
}

/**
 * Runs all checks. Call this when the fault is over and all work has finished.
 * @param before the numbers of exits and dead letters before the scenario
 */
export async function findFaults(
  stack: BaseStack,
  workload: Workload,
  allowance: Allowance = {},
  before: { deaths: number; deadLetters: number } = { deaths: 0, deadLetters: 0 },
): Promise<Findings> {
  const faults: string[] = []
  const { mails, copies } = await mailFaults(stack, workload, allowance, faults)
  await contractFaults(stack, workload, faults)
  deathFaults(stack.deaths.slice(before.deaths), allowance.deaths ?? [], faults)
  const deadLetters = (await stack.deadLetters()).slice(before.deadLetters)
  if (deadLetters.length !== (allowance.deadLetters ?? 0))
    faults.push(
      `${deadLetters.length} dead letters, and ${allowance.deadLetters ?? 0} are explained: ${[...new Set(deadLetters)].join('; ')} [F11]`,
    )
  for (const invariant of allowance.planted ?? []) stack.planted.add(invariant)
  await verifyInvariants(stack, { untilMs: 20_000, planted: [...stack.planted] }).catch((error: unknown) =>
    faults.push(error instanceof Error ? error.message : String(error)),
  )
  const gatewayDatabaseUrl = databaseUrlOf(stack.stack, 'gateway')
  await compareReceipts({ apiUrl: stack.stack.apiUrl, gatewayDatabaseUrl }, 'at least').catch((error: unknown) =>
    faults.push(`${error instanceof Error ? error.message : String(error)} [D40]`),
  )
  const [contracts, calls] = [workload.created.length, workload.histories.count()]
  return { faults, contracts, calls, mails, copies, partiesGaveUp: workload.counts.gaveUp }
}

/** Checks rows, outbox and chain of each contract, and that one order explains every answer about it. [I1-I7, I9, I10] */
async function contractFaults(stack: BaseStack, workload: Workload, faults: string[]): Promise<void> {
  const logger = { warn: () => undefined }
  const contract = createDatabase<ContractDatabase>(openPool(databaseUrlOf(stack.stack, 'contract'), logger))
  const signing = createDatabase<SigningDatabase>(openPool(databaseUrlOf(stack.stack, 'signing'), logger))
  try {
    for (const { id, partyCount } of workload.created) {
      const aftermath = await readAftermath(contract, signing, id)
      if (!aftermath) {
        faults.push(`${id} was answered with 201 and does not exist [I1]`)
        continue
      }
      faults.push(...contradictionsIn(aftermath).map((contradiction) => `${id}: ${contradiction}`))
      const end = Date.now()
      const { status, signatures } = aftermath
      const rows = {
        who: 'rows',
        startedAt: end,
        endedAt: end + 1,
        answer: { of: 'rows' as const, status, signatures },
      }
      const calls = [...workload.histories.of(id), rows]
      const verdict = explain(calls, partyCount)
      if (!verdict.legal) faults.push(`${id}: no order explains the answers [I3, I5, I6]\n${describeCalls(calls)}`)
    }
  } finally {
    await Promise.all([contract.destroy(), signing.destroy()])
  }
  const duplicates = await stack.query<{ orders: string }>(
    'contract',
    `select metadata->>'order' as orders from contract where account_id = $1 group by 1 having count(*) > 1`,
    [workload.accountId],
  )
  for (const { orders } of duplicates) faults.push(`${orders} was created twice for one Idempotency-Key [D17]`)
}

/** Reports every exit that the scenario did not cause. */
function deathFaults(deaths: readonly Death[], allowed: readonly string[], faults: string[]): void {
  const left = [...allowed]
  for (const { name, how } of deaths) {
    const at = left.indexOf(name)
    if (at >= 0) left.splice(at, 1)
    else faults.push(`${name} ${how}, which the scenario did not cause [F3, F16]`)
  }
}
