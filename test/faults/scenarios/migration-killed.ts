// A migration is killed half-way. [F16]
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provisionDatabase, withClient } from '@paraph/database/provision'
import { SERVICES } from '@paraph/protocol/services'
import type { Scenario } from '../scenario.js'
import { startTcpProxy } from '../tcp-proxy.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PASSWORD = 'migration-test'

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
