// The disk is full; a migration is killed half-way. [F16, F24]
import { execFile, spawn } from 'node:child_process'
import { statfs, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { provisionDatabase, withClient } from '@paraph/database/provision'
import { SERVICES } from '@paraph/protocol/services'
import type { Scenario } from '../scenario.js'
import { startTcpProxy } from '../tcp-proxy.js'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PASSWORD = 'migration-test'

export const diskFull: Scenario = {
  fault: 'F24',
  name: 'disk-full',
  done: 'the disk of Postgres and of every log file is full for a minute, under load',
  holds:
    'no service process exits; work that cannot be stored gets 503 and leaves nothing behind; everything continues once there is space',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 12 },
  full: { rounds: 1, scale: 1 },
  clients: 4,
  own: { diskMiB: 700 },
  async play({ stack, workload, scaledMs, wait, record, fail }) {
    const pids = JSON.stringify(SERVICES.map((name) => stack.pids()[name]))
    const deathsBefore = stack.deaths.length
    await wait(1_000)
    const refusedBefore = workload.refusals().length
    const until = performance.now() + scaledMs(60)
    for (let n = 0; performance.now() < until; n += 1) {
      await fill(stack.folder, n)
      // Also fills the WAL files that Postgres has allocated.
      await stack
        .query(
          'contract',
          `select pg_logical_emit_message(false, 'full', repeat('x', 1000000)) from generate_series(1, 100)`,
        )
        .catch(() => undefined)
      const notLive = await stack.notLive()
      if (notLive.length > 0) fail(`${notLive.join()} would be restarted while the disk is full`)
      await wait(200)
    }
    const refused = workload.refusals().slice(refusedBefore)
    await empty(stack.folder)
    const healedAt = performance.now()
    await stack.untilOperational(120_000)
    await workload.create(2)
    record('refusedWhileFull', refused.length)
    record('recoveredAfterMs', Math.round(performance.now() - healedAt))
    if (refused.length === 0) fail('nothing was refused: the disk was not full')
    if (JSON.stringify(SERVICES.map((name) => stack.pids()[name])) !== pids) fail('a service process ended')
    const wrong = [...new Set(refused.filter(({ status }) => status !== 503).map(({ status }) => status))]
    if (wrong.length > 0) fail(`calls were answered ${wrong.join()} while the disk was full, and not 503`)
    const ended = stack.deaths.slice(deathsBefore).filter(({ name }) => name === 'postgres')
    record('postgresEnded', ended.length)
    return { deaths: ended.map(() => 'postgres') }
  },
}

/** Fills all remaining space. */
async function fill(folder: string, n: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail === 0) return
  await run('dd', ['if=/dev/zero', `of=${join(folder, `ballast-${n}`)}`, `bs=${bsize}`, `count=${bavail}`]).catch(
    () => undefined,
  )
}

async function empty(folder: string): Promise<void> {
  const { stdout } = await run('find', [folder, '-maxdepth', '1', '-name', 'ballast-*'])
  for (const path of stdout.split('\n').filter((each) => each !== '')) await rm(path, { force: true })
}

export const migrationKilled: Scenario = {
  fault: 'F16',
  name: 'migration-killed',
  done: 'the migration job of each service is killed (SIGKILL) at several of its statements, then runs again',
  holds: 'the second run succeeds, and the tables equal those of an uninterrupted run',
  buses: ['postgres'],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 50, scale: 1 },
  clients: 0,
  async play({ stack, rounds, random, record, fail }) {
    let kills = 0
    const admin = stack.stack.databaseUrl
    await Promise.all(
      SERVICES.map(async (service) => {
        const database = `migrated_${service}`
        const passwords = { owner: PASSWORD, runtime: PASSWORD }
        const role = `m_${service}`
        const line = await startTcpProxy(Number(new URL(admin).port))
        const url = (port: number | string) => `postgres://${role}_owner:${PASSWORD}@127.0.0.1:${port}/${database}`
        const fresh = async () => {
          await withClient(admin, (client) => client.query(`drop database if exists ${database} with (force)`))
          await provisionDatabase(admin, { service: role, database, passwords })
        }
        /** @param dieAt the statement at which the process is killed; 0: it is not. @returns exit code and number of statements */
        const migrate = async (dieAt: number): Promise<{ code: number | null; statements: number }> => {
          const child = spawn(process.execPath, [join(ROOT, 'services', service, 'dist', 'migrate.js')], {
            env: { PATH: process.env['PATH'] ?? '', DATABASE_OWNER_URL: url(line.port) },
            stdio: 'ignore',
          })
          let statements = 0
          const stopCounting = line.onStatement(() => {
            statements += 1
            if (statements === dieAt) child.kill('SIGKILL')
          })
          const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
          stopCounting()
          return { code, statements }
        }
        await fresh()
        const { code, statements } = await migrate(0)
        if (code !== 0) throw new Error(`the migration of ${service} ended with ${code}`)
        const whole = await shapeOf(url(new URL(admin).port))
        for (let round = 0; round < rounds; round += 1) {
          await fresh()
          const dieAt = 1 + Math.floor(random() * statements)
          const killed = await migrate(dieAt)
          if (killed.code === 0) fail(`the migration of ${service} was not killed at statement ${dieAt}`)
          kills += 1
          const again = await migrate(0)
          if (again.code !== 0)
            fail(`after a kill at statement ${dieAt} the migration of ${service} ended with ${again.code}`)
          if ((await shapeOf(url(new URL(admin).port))) !== whole)
            fail(`after a kill at statement ${dieAt} ${service} has other tables`)
        }
        await line.close()
        await withClient(admin, (client) => client.query(`drop database if exists ${database} with (force)`))
      }),
    )
    record('kills', kills)
  },
}

/** Every column, index, constraint, trigger, function and migration of a database, as text. */
function shapeOf(url: string): Promise<string> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(`
      select line from (
        select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line
          from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
        union all select indexdef from pg_indexes where schemaname not in ('pg_catalog', 'information_schema')
        union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint where conrelid > 0
        union all select format('%s %s', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
        union all select format('%s', p.oid::regprocedure) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
                   where n.nspname not in ('pg_catalog', 'information_schema')
        union all select name from kysely_migration
      ) lines order by line`)
    return rows.map(({ line }) => line).join('\n')
  })
}
