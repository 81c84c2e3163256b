// What the benchmarks of whole contracts read from a running product: CPU time of each process, unfinished work, and the position of the WAL.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cpuMsOf, until } from '../pipeline/stage.mjs'

export const SERVICES = ['gateway', 'contract', 'signing', 'notification']
export const DATABASES = [...SERVICES, 'bus']

export const mapValues = (values, change) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))

/** Opens a connection of the superuser to each database. */
export async function openReadings(stage) {
  const admins = Object.fromEntries(
    await Promise.all(
      DATABASES.map(async (database) => {
        const client = new pg.Client({ connectionString: stage.adminUrlOf(database) })
        await client.connect()
        return [database, client]
      }),
    ),
  )
  const query = async (database, text, values) => (await admins[database].query(text, values)).rows
  const count = async (database, text) => Number((await query(database, text))[0].n)

  /** Counts of work that a service has accepted and not finished. `mails` includes codes; `events` are published and not handled. */
  async function unfinished() {
    const [tasks, seals, codes, deliveries, events, ...outboxes] = await Promise.all([
      count('signing', 'select count(*) as n from evidence_task where done_at is null'),
      count('signing', 'select count(*) as n from seal_task where done_at is null'),
      count('signing', 'select count(*) as n from code_send where finished_at is null'),
      count('notification', `select count(*) as n from delivery where state = 'due'`),
      count(
        'bus',
        `select count(*) as n from (values ('signing'), ('notification')) as g(name), bus.partition p
          where coalesce((select next_offset from bus.group_position where group_name = g.name and topic = p.topic and partition = p.partition), 0) < p.end_offset
            and exists (select from bus.group_position where group_name = g.name and topic = p.topic)`,
      ),
      ...SERVICES.map((service) => count(service, 'select count(*) as n from outbox where published_at is null')),
    ])
    return { tasks, seals, mails: codes + deliveries, events, outbox: outboxes.reduce((sum, rows) => sum + rows, 0) }
  }

  return {
    query,
    unfinished,
    /** Waits until all asynchronous work has finished. */
    async settled() {
      // Requires five checks in a row without work, because a service may not have recorded yet what another one passed on.
      let quiet = 0
      await until(async () => {
        quiet = Object.values(await unfinished()).every((left) => left === 0) ? quiet + 1 : 0
        await sleep(100)
        return quiet === 5
      })
    },
    /** CPU time so far in milliseconds; for Postgres the sum of all its processes, including those that have ended. */
    cpuNow: (pids) => ({ ...mapValues(pids, cpuMsOf), Postgres: postgresCpuMs(stage.postgresPid) }),
    walPosition: async () => (await query('contract', 'select pg_current_wal_insert_lsn() as lsn'))[0].lsn,
    close: () => Promise.all(Object.values(admins).map((client) => client.end())),
  }
}

function postgresCpuMs(parent) {
  const fields = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ')[1].split(' ')
  const ended = (Number(fields[13]) + Number(fields[14])) * 10
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
  return cpuMsOf(parent) + ended + children.reduce((sum, pid) => sum + (unlessGone(() => cpuMsOf(pid)) ?? 0), 0)
}

function parentOf(pid) {
  return unlessGone(() => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]))
}

/** The result of `read`; undefined if the process has ended since it was listed. */
function unlessGone(read) {
  try {
    return read()
  } catch {
    return undefined
  }
}
