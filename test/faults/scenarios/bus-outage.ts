// The bus is unavailable, slow, or has a backlog. [F1, F2, F22, I7-I9]
import { quantile } from '../../harness/quantile.js'
import { until } from '../../harness/until.js'
import type { FaultStack } from '../fault-stack.js'
import { duringFault, memoryGrowth, checkProgress } from '../progress.js'
import type { Scenario, Scene } from '../scenario.js'

const TOPIC = 'contract.events.v1'

export const busAway: Scenario = {
  fault: 'F1',
  name: 'bus-away',
  done: 'the bus is killed for ten minutes under load',
  holds:
    'every call succeeds as before, signing continues, every process stays alive; the outbox grows, and is empty two minutes after the bus returns',
  buses: ['postgres', 'kafka'],
  suite: { rounds: 1, scale: 120 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  async play(scene) {
    const { stack, wait, record, fail } = scene
    await wait(1_000)
    await stack.bus.goAway()
    const { created, signed } = await duringFault(scene, 'the bus is unavailable')
    const grown = await unpublished(stack)
    await stack.bus.comeBack()
    await drained(scene, 120_000)
    checkProgress(scene, 'the bus is unavailable', { created, signed })
    record('outboxGrewTo', grown)
    if (grown < created) fail(`only ${grown} events were unpublished after ${created} contracts`)
  },
}

export const busSlow: Scenario = {
  fault: 'F2',
  name: 'bus-slow',
  done: 'every answer of the bus is delayed by five seconds for ten minutes, under load',
  holds:
    'as F1; no event counts as published without an acknowledgement; no service grows by more than 150 MiB of memory',
  buses: ['postgres', 'kafka'],
  suiteBuses: ['postgres'],
  suite: { rounds: 1, scale: 120 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  async play(scene) {
    const { stack, wait, record, fail } = scene
    await wait(1_000)
    const checkMemory = await memoryGrowth(scene)
    await stack.bus.slowDown(5_000)
    const { created, signed } = await duringFault(scene, 'the bus is slow')
    const grown = await unpublished(stack)
    await stack.bus.slowDown(0)
    await drained(scene, 120_000)
    checkProgress(scene, 'the bus is slow', { created, signed })
    record('outboxGrewTo', grown)
    if (grown === 0) fail('no event waited: the bus was not slow')
    await checkMemory()
  },
}

export const backlog: Scenario = {
  fault: 'F22',
  name: 'backlog',
  done: 'the relay starts with a million unpublished events in the outbox (20,000 in the suite)',
  holds:
    'the outbox is emptied; meanwhile p95 of a POST is at most three times the earlier value plus 50 ms; afterwards autovacuum reduces the dead rows below half of the events, and a query for unpublished rows reads at most twice the earlier pages plus 8 (during the backlog 800 more, one for each row)',
  buses: ['postgres', 'kafka'],
  suiteBuses: ['postgres'],
  suite: { rounds: 20_000, scale: 12 },
  full: { rounds: 1_000_000, scale: 1 },
  clients: 0,
  async play({ stack, workload, rounds, scaledMs, record, fail }) {
    const quietMs = await postTimes(workload, 100)
    await stack.query('contract', 'vacuum analyze outbox')
    const pagesBefore = await pagesOfAPoll(stack)
    // No consumer knows this type, so that only the relay processes these events. Many keys, so that all slots have rows.
    await stack.query(
      'contract',
      `insert into outbox (event_id, topic, type, key, sequence, data)
       select gen_random_uuid(), $1, 'contract.recorded', 'backlog-' || n % 997, n, '{"filler": "backlog of a fault test"}'
         from generate_series(1, $2::int) as n`,
      [TOPIC, rounds],
    )
    const pagesMeanwhile = await pagesOfAPoll(stack)
    const startedAt = performance.now()
    const waits = until(
      'an empty outbox',
      async () => ((await unpublished(stack)) === 0 ? true : undefined),
      60_000 + rounds * 5,
    )
    let drainedMs: number | undefined
    void waits.then(
      () => (drainedMs = performance.now() - startedAt),
      () => undefined,
    )
    const busyMs: number[] = []
    while (drainedMs === undefined && busyMs.length < 5_000) busyMs.push(...(await postTimes(workload, 10)))
    await waits
    const [before, during] = [quantile(quietMs, 0.95), quantile(busyMs, 0.95)]
    record('eventsPerSecond', Math.round(rounds / (drainedMs! / 1_000)))
    record('postP95BeforeMs', before)
    record('postP95MeanwhileMs', during)
    record('postsMeanwhile', busyMs.length)
    if (during > 3 * before + 50) fail(`a POST took ${during} ms (p95) and ${before} ms without a backlog`)
    record('pagesOfALookMeanwhile', pagesMeanwhile)
    if (pagesMeanwhile > 2 * pagesBefore + 8 + ROWS_OF_A_POLL)
      fail(`a poll reads ${pagesMeanwhile} pages during the backlog, and ${pagesBefore} before the backlog`)
    record('deadRowsAtFirst', await deadRows(stack))
    const vacuumedMs = await untilVacuumed(stack, scaledMs(NAP_SECONDS), Math.max(rounds / 2, FEW_ROWS))
    record('deadRows', await deadRows(stack))
    record('vacuumedAfterSeconds', Math.round(vacuumedMs / 1_000))
    const pagesAfter = await pagesOfAPoll(stack)
    record('pagesOfALookBefore', pagesBefore)
    record('pagesOfALook', pagesAfter)
    if (pagesAfter > 2 * pagesBefore + 8)
      fail(`a poll reads ${pagesAfter} pages, and ${pagesBefore} before the backlog`)
    await stack.query('contract', `delete from outbox where type = 'contract.recorded'`)
    return { planted: ['I7', 'I9'] }
  },
}

/** A poll of the relay reads 50 rows of each of 16 slots (relay.ts). */
const ROWS_OF_A_POLL = 800

/** The number of dead rows that autovacuum ignores, with a margin (outbox.ts). */
const FEW_ROWS = 2_000

/** The pause between two runs of autovacuum, as configured in Postgres; scaled like any other time. */
const NAP_SECONDS = 60

const deadRows = async ({ query }: FaultStack): Promise<number> =>
  (
    await query<{ n: number }>(
      'contract',
      `select n_dead_tup::int as n from pg_stat_user_tables where relname = 'outbox'`,
    )
  )[0]!.n

/** Waits until autovacuum alone has reduced the dead rows of the outbox below `below`. @returns how long it took, in milliseconds */
async function untilVacuumed(stack: FaultStack, napMs: number, below: number): Promise<number> {
  const nap = (seconds: string) =>
    stack.query('contract', `alter system ${seconds}`).then(() => stack.query('contract', 'select pg_reload_conf()'))
  const startedAt = performance.now()
  await nap(`set autovacuum_naptime = '${Math.max(1, Math.round(napMs / 1_000))}s'`)
  try {
    await until(
      `fewer than ${below} dead rows`,
      async () => ((await deadRows(stack)) < below ? true : undefined),
      // Autovacuum visits all databases of the server within each pause, and a million rows take some time.
      120_000 + 4 * napMs,
    )
  } finally {
    await nap('reset autovacuum_naptime')
  }
  return performance.now() - startedAt
}

async function unpublished({ query }: FaultStack): Promise<number> {
  const [row] = await query<{ n: number }>(
    'contract',
    'select count(*)::int as n from outbox where published_at is null',
  )
  return row!.n
}

/** Waits until no unpublished event in the outbox is older than five seconds. The load continues. */
async function drained({ stack, record }: Scene, withinMs: number): Promise<void> {
  const startedAt = performance.now()
  await until(
    'an outbox without old events',
    async () => {
      const [row] = await stack.query<{ n: number }>(
        'contract',
        `select count(*)::int as n from outbox where published_at is null and occurred_at < clock_timestamp() - interval '5 seconds'`,
      )
      return row!.n === 0 ? true : undefined
    },
    withinMs,
  )
  record('drainedAfterSeconds', Math.round((performance.now() - startedAt) / 100) / 10)
}

/** The duration of each of `count` sequential POSTs, in milliseconds. */
async function postTimes(workload: Scene['workload'], count: number): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n += 1) {
    const startedAt = performance.now()
    await workload.create(2)
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Pages that the relay's query for unpublished rows touches, with the statement of relay.ts. */
async function pagesOfAPoll({ query }: FaultStack): Promise<number> {
  const [row] = await query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    'contract',
    `explain (analyze, buffers, format json)
     select o.* from unnest(array(select generate_series(0, 15))) as s(slot) cross join lateral (
       select id, event_id, topic, type, key, sequence, occurred_at, traceparent, data from outbox
       where slot = s.slot and published_at is null order by id limit 50) o order by o.id`,
  )
  const plan = row!['QUERY PLAN'][0].Plan
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
}
