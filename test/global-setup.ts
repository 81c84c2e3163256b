// Starts one throw-away Postgres for the run and makes a migrated template database per service.
// Durability is off: the data live as long as the run (4× faster).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { busMigrations } from '@paraph/messaging/bus-migrations'
import { migrate } from '@paraph/database/migrate'
import { provisionDatabase } from '@paraph/database/provision'
import { TEST_PASSWORD } from '@paraph/database/test-database'
import { preparePostgres } from '@paraph/local/postgres'
import { migrations as contract } from '@paraph/contract/migrations'
import { migrations as gateway } from '@paraph/gateway/migrations'
import { migrations as notification } from '@paraph/notification/migrations'
import { migrations as signing } from '@paraph/signing/migrations'
import { until } from './until.js'

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'].flatMap(
  (setting) => ['-c', setting],
)

const TEMPLATES = { gateway, contract, signing, notification, bus: busMigrations }

export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-test-'))
  // As root the server runs as the user postgres, who must be able to enter.
  await chmod(folder, 0o755)
  const port = await freePort()
  const server = `postgres://postgres:${TEST_PASSWORD}@127.0.0.1:${port}/postgres`
  const spec = await preparePostgres({ folder: join(folder, 'postgres'), port, password: TEST_PASSWORD, url: server })
  const { command, cwd, env, uid, gid } = spec
  const postgres = spawn(command, [...spec.args, ...FAST], {
    ...{ cwd, env, stdio: 'ignore' },
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  })
  const ended = once(postgres, 'close')
  await until('a test server', () => spec.isReady().catch(() => undefined))
  const passwords = { owner: TEST_PASSWORD, runtime: TEST_PASSWORD }
  for (const service of ['gateway', 'contract', 'signing', 'notification', 'bus'] as const) {
    await provisionDatabase(server, { service, database: `template_${service}`, passwords })
  }
  for (const [service, migrations] of Object.entries(TEMPLATES)) {
    await migrate(`postgres://${service}_owner:${TEST_PASSWORD}@127.0.0.1:${port}/template_${service}`, migrations)
  }
  process.env['PARAPH_TEST_SERVER_URL'] = server
  return async () => {
    postgres.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
