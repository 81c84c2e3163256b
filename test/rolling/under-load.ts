// Something that is done to a rig while clients and parties are at work, and what must hold then: every call was answered and none
// refused, what was answered is there, every mail went out once, every call was counted as often as it was answered. [F17, F25, H13]
// Owns: the questions, for things that nobody is to notice. Does not own: what is done (the tests), soundness itself (../faults).
import { compareReceipts } from '../receipts.js'
import { faultsFound } from '../answer-check.js'
import { findFaults, untilAtRest } from '../faults/soundness.js'
import { mailFaults } from '../faults/soundness-of-mail.js'
import { createWorkload } from '../faults/workload.js'
import { databaseUrlOf } from '../local-stack.js'
import { until } from '../until.js'
import { createLoad } from './load.js'
import type { Rig } from './rig.js'

/** What came of it. */
export interface Outcome {
  /** What does not hold, in words. */
  faults: string[]
  figures: Record<string, number>
}

/** Whoever is refused by a process that was killed, and how many mails may have gone out twice. */
interface Excuses {
  /** Calls and pages that had no answer, or 503, are told apart and not counted as faults. */
  refusals?: boolean
  /** Names of mails that a worker had in hand when it died, one for each death. */
  inHand?: readonly string[]
}

/**
 * Plays `act` while `clients` sign whole contracts and calls come at `ratePerSecond`; then waits for rest and asks everything.
 * @param act gives its excuses, where it has any
 */
export async function underLoad(
  rig: Rig,
  { ratePerSecond, clients, seed, tag }: { ratePerSecond: number; clients: number; seed: number; tag: string },
  act: () => Promise<Excuses | void>,
): Promise<Outcome> {
  const faults: string[] = []
  const startedAt = Date.now()
  const [stopsBefore, answersBefore, saidBefore] = [rig.stops.length, faultsFound.length, rig.said.length]
  const load = await createLoad(rig, { ratePerSecond, seed, tag })
  const workload = await createWorkload(rig, { seed, tag })
  load.start()
  workload.start(clients)
  await until('work of every kind', () => load.made.length > 5 && (workload.counts.signed > 0 || undefined), 60_000)
  const excuses = (await act()) ?? {}
  await Promise.all([load.stop(), workload.stop()])
  const seconds = (Date.now() - startedAt) / 1_000
  await untilAtRest(rig)

  const ratePerSecondInFact = load.ratePerSecond()
  const refusals = [
    ...load.failures,
    ...workload
      .refusals()
      .map(({ of, status, endedAt }) => ({ what: `a ${of} of a ceremony: ${status}`, at: endedAt })),
  ]
  await load.readAll()
  if (!excuses.refusals) faults.push(...refusals.map(({ what, at }) => `${new Date(at).toISOString()} ${what} [F17]`))
  faults.push(
    ...load.failures.filter(({ what }) => what.startsWith('read at the end')).map(({ what }) => `${what} [I1]`),
  )
  const allowance = excuses.inHand ? { inHand: excuses.inHand, copiesInAll: excuses.inHand.length } : {}
  const found = await findFaults(rig, workload, allowance)
  faults.push(...found.faults)
  await mailFaults(rig, load, allowance, faults)
  const [rows] = await rig.query<{ n: number }>(
    'contract',
    'select count(*)::int as n from contract where account_id = $1',
    [load.accountId],
  )
  // One that nobody was told of is a call that was made twice.
  if (!excuses.refusals && rows!.n !== load.made.length)
    faults.push(`${rows!.n} contracts are there and ${load.made.length} were answered with 201 [D17]`)
  await compareReceipts(
    { apiUrl: rig.stack.apiUrl, gatewayDatabaseUrl: databaseUrlOf(rig.stack, 'gateway') },
    excuses.refusals ? 'at least' : 'equal',
  ).catch((error: unknown) => faults.push(`${String(error)} [I11, D40]`))
  const stops = rig.stops.slice(stopsBefore)
  for (const { service, code } of stops)
    if (code !== 0) faults.push(`a ${service} that was told to stop ended with ${code} [H13]`)
  faults.push(...new Set(faultsFound.slice(answersBefore)))
  if (faults.length > 0) {
    faults.push(
      ...load.slowest().map(({ what, at, ms }) => `${new Date(at).toISOString()} slow: ${what} took ${ms} ms`),
    )
    faults.push(...rig.said.slice(saidBefore).slice(-30))
  }
  return {
    faults,
    figures: {
      ...{ seconds: Math.round(seconds), ratePerSecond: ratePerSecondInFact },
      calls: Object.values(load.counts).reduce((sum, count) => sum + count, 0) + found.calls,
      ...{ contracts: load.made.length + found.contracts, signed: workload.counts.signed, refused: refusals.length },
      ...{ mails: rig.mailServer.accepted().length, copies: found.copies, stops: stops.length },
      slowestAnswerMs: load.slowest()[0]?.ms ?? 0,
      slowestStopSeconds: Math.max(0, ...stops.map(({ seconds: each }) => each)),
      longestSilenceMs: await longestSilenceMs(rig, startedAt),
    },
  }
}

/** The longest that an event of this time waited from its commit until its mail was queued: a hand-over of relay or consumer shows here. */
async function longestSilenceMs({ query }: Pick<Rig, 'query'>, sinceMs: number): Promise<number> {
  const told = await query<{ id: string; at: Date }>(
    'contract',
    `select key as id, occurred_at as at from outbox where type = 'contract.created' and occurred_at > $1`,
    [new Date(sinceMs)],
  )
  const queued = new Map(
    (
      await query<{ id: string; at: Date }>(
        'notification',
        `select contract_id as id, min(created_at) as at from delivery where kind = 'invitation' group by contract_id`,
      )
    ).map(({ id, at }) => [id, at]),
  )
  return Math.max(0, ...told.map(({ id, at }) => (queued.get(id)?.getTime() ?? at.getTime()) - at.getTime()))
}
