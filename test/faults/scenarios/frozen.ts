// Something stands still without breaking any connection: the event loop of a service, all processes of Postgres, or a table.
// [F29, F43, F44, P20, I8]
import pg from 'pg'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { databaseUrlOf } from '../../harness/stack/local-stack.js'
import { MAILS_SENT_CONCURRENTLY } from '../soundness-of-mail.js'
import type { Scenario, Scene } from '../scenario.js'

/** The recovery time of calls, as after a restart of Postgres. */
const BACK_MS_MAX = 10_000

/** Measures from now until a contract is created, with all services reporting that they are operational. */
async function untilBack({ stack, workload }: Scene): Promise<number> {
  const healedAt = performance.now()
  await stack.untilOperational()
  await workload.create(2)
  return performance.now() - healedAt
}

export const eventLoopBlocked: Scenario = {
  fault: 'F43',
  name: 'event-loop-blocked',
  done: 'the event loop of one service stands still for 20 s under load, as in an endless computation; a round is all four services in turn',
  holds:
    'no process ends; calls that need the service wait or get 503; 10 s after the block all calls succeed; nothing is lost, and only mails in progress are sent twice',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 5 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  async play(scene) {
    const { stack, workload, rounds, scaledMs, random, wait, record, fail } = scene
    const longest: Record<ServiceName, number> = { gateway: 0, contract: 0, signing: 0, notification: 0 }
    for (let round = 0; round < rounds; round += 1)
      for (const service of SERVICES) {
        await wait(500 + random() * 1_000)
        const blockedUntil = performance.now() + scaledMs(20)
        await stack.block(service, scaledMs(20))
        await wait(200)
        if (!(await stack.isSilent(service, scaledMs(20) / 4))) fail(`${service} answered: it was not blocked`)
        await wait(Math.max(0, blockedUntil - performance.now()))
        longest[service] = Math.max(longest[service], await untilBack(scene))
        if (longest[service] > BACK_MS_MAX)
          fail(`${service}: back only ${Math.round(longest[service])} ms after the block`)
      }
    for (const service of SERVICES) record(`${service}BackAfterMs`, Math.round(longest[service]))
    record('refused', workload.refusals().length)
    requireUnavailable(scene)
    // A mail whose answer the blocked worker read too late.
    return { extraCopies: 1, totalCopies: rounds * MAILS_SENT_CONCURRENTLY }
  },
}

export const postgresFrozen: Scenario = {
  fault: 'F44',
  name: 'postgres-frozen',
  done: 'all processes of Postgres are stopped (SIGSTOP) for 120 s under load, as on a hung disk or a suspended machine, then continued',
  holds:
    'no service process ends or would be restarted; calls get 503; 10 s after Postgres continues all calls succeed; no answered work is lost, and only mails in progress are sent twice',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 8 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  async play(scene) {
    const { stack, workload, rounds, scaledMs, random, wait, record, fail } = scene
    let backMs = 0
    for (let round = 0; round < rounds; round += 1) {
      await wait(1_000 + random() * 1_000)
      const refusedBefore = workload.refusals().length
      const thaw = await stack.freezePostgres()
      try {
        const endsAt = performance.now() + scaledMs(120)
        while (performance.now() < endsAt) {
          const notLive = await stack.notLive()
          if (notLive.length > 0) fail(`${notLive.join()} would be restarted while Postgres stands still`)
          await wait(500)
        }
      } finally {
        thaw()
      }
      backMs = Math.max(backMs, await untilBack(scene))
      const refused = workload.refusals().slice(refusedBefore)
      if (!refused.some(({ of, status }) => of === 'call' && status === 503)) fail('no call was refused')
    }
    record('backAfterMs', Math.round(backMs))
    record('refused', workload.refusals().length)
    if (backMs > BACK_MS_MAX) fail(`a contract was created only ${Math.round(backMs)} ms after Postgres continued`)
    requireUnavailable(scene)
  },
}

/** Requires that every refused call had 503 with Retry-After, or 409 for a call with the same key that still ran. */
function requireUnavailable({ workload, fail }: Scene): void {
  const wrong = workload
    .refusals()
    .filter(({ of, status, hasRetryAfter }) => of === 'call' && status !== 409 && (status !== 503 || !hasRetryAfter))
  if (wrong.length > 0) fail(`calls were answered ${[...new Set(wrong.map(({ status }) => status))].join()}`)
}

/** More than the statement timeout of a pool, times the five attempts of an event, with their pauses. */
const LOCKED_SECONDS = 100
const STATEMENT_SECONDS_MAX = 10

export const lockedTable: Scenario = {
  fault: 'F29',
  name: 'locked-table',
  done: 'a transaction locks the table of the mails for 100 s under load, as `vacuum full` does (scaled: waiting statements are cancelled as much earlier as they would time out)',
  holds: 'no event becomes a dead letter; every call succeeds meanwhile; every mail is sent when the lock ends',
  buses: ['postgres', 'kafka'],
  suiteBuses: ['postgres'],
  suite: { rounds: 1, scale: 5 },
  full: { rounds: 1, scale: 1 },
  clients: 3,
  async play({ stack, workload, scaledMs, wait, record, fail }) {
    const locking = new pg.Client({ connectionString: databaseUrlOf(stack.stack, 'notification') })
    await locking.connect()
    let cancelled = 0
    try {
      await locking.query('begin; lock table delivery in access exclusive mode')
      const endsAt = performance.now() + scaledMs(LOCKED_SECONDS)
      while (performance.now() < endsAt) {
        // Clients cannot get codes meanwhile, and parties without a code create no contracts.
        await workload.create(2)
        const waiting = await stack.query(
          'notification',
          `select pg_cancel_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
              and query_start < clock_timestamp() - make_interval(secs => $1)`,
          [scaledMs(STATEMENT_SECONDS_MAX) / 1_000],
        )
        cancelled += waiting.length
        await wait(100)
      }
    } finally {
      await locking.end()
    }
    record('statementsCancelled', cancelled)
    for (const { of, status } of workload.refusals())
      if (of === 'call') fail(`a call was answered ${status} while only a table of the notification service was locked`)
  },
}
