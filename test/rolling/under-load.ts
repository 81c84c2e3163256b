// Runs an action on a rig while clients and parties work, and checks: every call was answered and none was refused, every contract with a
// 201 exists, every mail was sent once, and every call was counted as often as it was answered. [F17, F25, H13]
// Owns: the checks of actions without a visible effect. Does not own: the actions (the tests), the checks after any fault (../faults).
import { Agent, setGlobalDispatcher } from 'undici'
import { CONSUMERS, PRODUCERS } from '@paraph/verify/rows/outboxes'
import { compareReceipts } from '../harness/stack/receipts.js'
import { faultsFound } from '../harness/clients/answer-check.js'
import { findFaults, untilIdle } from '../faults/soundness.js'
import { mailFaults } from '../faults/soundness-of-mail.js'
import { createWorkload } from '../faults/workload.js'
import { databaseUrlOf } from '../harness/stack/local-stack.js'
import { until } from '../harness/until.js'
import type { BaseStack } from '../faults/base-stack.js'
import { createLoad } from './load.js'
import type { Stop } from './rig.js'

/** The installation under load: a rig, or a cluster. */
type Place = BaseStack & {
  /** The exit of every process that got SIGTERM, as far as it is known. */
  stops: readonly Stop[]
  /** Warnings and errors. */
  warnings: readonly string[]
}

/** docs/how-to/operators/upgrade.md requires that clients keep a connection idle for a shorter time than a stopping service lingers. */
const IDLE_MS_MAX = 3_000
setGlobalDispatcher(new Agent({ keepAliveTimeout: IDLE_MS_MAX, keepAliveMaxTimeout: IDLE_MS_MAX }))

/** The result of a run under load. */
export interface Outcome {
  /** Failed checks, as text. */
  faults: string[]
  figures: Record<string, number>
}

/** The effects that an action may have. */
interface Excuses {
  /** Milliseconds of the wall clock. Calls and pages that started until then may have no answer or a 503; they are only counted. */
  refusedUntil?: number
  /** Names of mails that a worker was sending when it died, one for each death. */
  inProgress?: readonly string[]
}

/**
 * Runs `act` while `clients` sign contracts and calls start at `ratePerSecond`; then waits until all work has finished, and checks it.
 * @param act returns its allowed effects, if any
 */
export async function underLoad(
  rig: Place,
  { ratePerSecond, clients, seed, tag }: { ratePerSecond: number; clients: number; seed: number; tag: string },
  act: () => Promise<Excuses | void>,
): Promise<Outcome> {
  const faults: string[] = []
  const startedAt = Date.now()
  const [stopsBefore, answersBefore, warningsBefore] = [rig.stops.length, faultsFound.length, rig.warnings.length]
  const before = { deaths: rig.deaths.length, deadLetters: (await rig.deadLetters()).length }
  const mailsBefore = rig.mailServer.accepted().length
  const load = await createLoad(rig, { ratePerSecond, seed, tag })
  const workload = await createWorkload(rig, { seed, tag })
  load.start()
  workload.start(clients)
  await until('work of every kind', () => load.created.length > 5 && (workload.counts.signed > 0 || undefined), 60_000)
  const { refusedUntil, inProgress } = (await act()) ?? {}
  await Promise.all([load.stop(), workload.stop()])
  const seconds = (Date.now() - startedAt) / 1_000
  await untilIdle(rig)

  const ratePerSecondInFact = load.ratePerSecond()
  const refusals = [
    ...load.failures,
    ...workload
      .refusals()
      .map(({ of, title, status, startedAt: at }) => ({
        what: `a ${of} of a ceremony: ${status} ${title}`,
        status,
        at,
      })),
  ]
  const isExcused = ({ status, at }: (typeof refusals)[number]): boolean =>
    refusedUntil !== undefined && at <= refusedUntil && (status === 0 || status === 503)
  await load.readAll()
  faults.push(
    ...refusals.filter((each) => !isExcused(each)).map(({ what, at }) => `${new Date(at).toISOString()} ${what} [F17]`),
  )
  faults.push(
    ...load.failures.filter(({ what }) => what.startsWith('read at the end')).map(({ what }) => `${what} [I1]`),
  )
  const allowance = inProgress ? { inProgress, totalCopies: inProgress.length } : {}
  const found = await findFaults(rig, workload, allowance, before)
  faults.push(...found.faults)
  const ofLoad = await mailFaults(rig, load, allowance, faults)
  const [rows] = await rig.query<{ n: number }>(
    'contract',
    'select count(*)::int as n from contract where account_id = $1',
    [load.accountId],
  )
  // A contract that no answer named was created by a repeated call.
  if (refusedUntil === undefined && rows!.n !== load.created.length)
    faults.push(`${rows!.n} contracts exist and ${load.created.length} were answered with 201 [D17]`)
  await compareReceipts(
    { apiUrl: rig.stack.apiUrl, gatewayDatabaseUrl: databaseUrlOf(rig.stack, 'gateway') },
    refusedUntil === undefined ? 'equal' : 'at least',
  ).catch((error: unknown) => faults.push(`${String(error)} [I11, D40]`))
  const stops = rig.stops.slice(stopsBefore)
  for (const { service, code } of stops)
    if (code !== 0) faults.push(`a ${service} that got SIGTERM ended with ${code} [H13]`)
  faults.push(...new Set(faultsFound.slice(answersBefore)))
  if (faults.length > 0) {
    faults.push(
      ...load.slowest().map(({ what, at, ms }) => `${new Date(at).toISOString()} slow: ${what} took ${ms} ms`),
    )
    faults.push(...rig.warnings.slice(warningsBefore).slice(-30))
  }
  return {
    faults,
    figures: {
      seconds: Math.round(seconds),
      ratePerSecond: ratePerSecondInFact,
      calls: Object.values(load.counts).reduce((sum, count) => sum + count, 0) + found.calls,
      contracts: load.created.length + found.contracts,
      signed: workload.counts.signed,
      refused: refusals.length,
      mails: rig.mailServer.accepted().length - mailsBefore,
      copies: found.copies + ofLoad.copies,
      stops: stops.length,
      slowestAnswerMs: load.slowest()[0]?.ms ?? 0,
      slowestStopSeconds: Math.max(0, ...stops.map(({ seconds: each }) => each)),
      ...(await longestWaits(rig, startedAt)),
    },
  }
}

/**
 * The longest time from the insert of an event, a little before its commit, until a relay published the event, and until its last consumer
 * received it. Shows how long the takeover from a stopped relay or group member took. Start and end are by the database's clock.
 */
async function longestWaits({ query }: Pick<BaseStack, 'query'>, sinceMs: number): Promise<Record<string, number>> {
  const handledAt = new Map<string, number>()
  for (const service of new Set(CONSUMERS.map(({ service }) => service)))
    for (const { id, at } of await query<{ id: string; at: Date }>(
      service,
      'select event_id as id, max(received_at) as at from inbox group by event_id',
    ))
      handledAt.set(id, Math.max(handledAt.get(id) ?? 0, at.getTime()))
  let [longestRelayMs, longestSilenceMs] = [0, 0]
  for (const { service, topic } of PRODUCERS)
    // Excludes events of expiries, whose `occurred_at` is the time at which the contract was due.
    for (const { id, at, publishedAt } of await query<{ id: string; at: Date; publishedAt: Date }>(
      service,
      `select event_id as id, occurred_at as at, published_at as "publishedAt" from outbox
        where topic = $1 and occurred_at > $2 and type <> 'contract.expired'`,
      [topic, new Date(sinceMs)],
    )) {
      longestRelayMs = Math.max(longestRelayMs, publishedAt.getTime() - at.getTime())
      longestSilenceMs = Math.max(longestSilenceMs, (handledAt.get(id) ?? 0) - at.getTime())
    }
  return { longestRelayMs, longestSilenceMs }
}
