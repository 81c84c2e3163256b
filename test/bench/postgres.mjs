// A temporary Postgres as `npm start` runs it (durable), with the gateway's tables and one account with a key.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@paraph/database/migrate'
import { provisionDatabase, withClient } from '@paraph/database/provision'
import { composeKey, recordOf } from '@paraph/gateway/keys/api-key'
import { migrations } from '@paraph/gateway/migrations'
import { claimPort } from '@paraph/paraph/installation/ports'
import { preparePostgres } from '@paraph/local/postgres'

const password = 'bench'

/** @returns the runtime role's URL of the gateway's database, a key on tier `load`, the server's process id, and `stop` */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-bench-'))
  // If this process is root, Postgres runs as the user postgres, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const port = await claimPort()
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const spec = await preparePostgres({ folder: join(folder, 'postgres'), port, password, url: adminUrl })
  const { command, args, cwd, env, uid, gid } = spec
  const user = uid === undefined || gid === undefined ? {} : { uid, gid }
  const postgres = spawn(command, args, { cwd, env, stdio: 'ignore', ...user })
  const ended = once(postgres, 'close')
  while (!(await spec.isReady().catch(() => false))) await new Promise((resolve) => setTimeout(resolve, 20))
  const passwords = { owner: password, runtime: password }
  await provisionDatabase(adminUrl, { service: 'gateway', database: 'gateway', passwords })
  const urlOf = (role) => `postgres://gateway_${role}:${password}@127.0.0.1:${port}/gateway`
  await migrate(urlOf('owner'), migrations)
  const key = composeKey('production', (below) => randomInt(below))
  const { sha256, displayStart, lastFour } = recordOf(key, 'production')
  await withClient(urlOf('owner'), async (client) => {
    await client.query(
      `insert into account (id, name, approved_at, tier, subscription_status) values ('acc_1', 'Bench', now(), 'load', 'active')`,
    )
    await client.query(
      `insert into api_key (id, account_id, environment, name, sha256, display_start, last_four, scopes)
       values ('key_1', 'acc_1', 'production', 'Bench', $1, $2, $3, '{contracts:read,contracts:write}')`,
      [sha256, displayStart, lastFour],
    )
  })
  return {
    databaseUrl: urlOf('runtime'),
    key,
    /** The main process of Postgres; all its other processes are children of this one. */
    pid: postgres.pid,
    async stop() {
      postgres.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
