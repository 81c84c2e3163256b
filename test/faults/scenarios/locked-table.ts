// The table of mails is locked for longer than it takes five statements to time out. [F29, P20, I8]
import pg from 'pg'
import { databaseUrlOf } from '../../harness/stack/local-stack.js'
import type { Scenario } from '../scenario.js'

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
