// Starts one temporary Postgres for the run and creates a migrated template database per service. Durability is off, which makes the
// tests four times as fast: the data is deleted after the run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { busMigrations } from '@paraph/messaging/postgres/bus-migrations'
import { migrate } from '@paraph/database/migrate'
import { provisionDatabase, withClient } from '@paraph/database/provision'
import { TEST_PASSWORD } from '@paraph/database/test-database'
import { claimPort } from '@paraph/paraph/installation/ports'
import { preparePostgres } from '@paraph/local/postgres'
import { migrations as contract } from '@paraph/contract/migrations'
import { migrations as gateway } from '@paraph/gateway/migrations'
import { migrations as notification } from '@paraph/notification/migrations'
import { migrations as signing } from '@paraph/signing/migrations'
import { atEnd } from './at-end.js'
import { until } from '../harness/until.js'

/** Prepared statements have plans without the values of their parameters from the first execution on, not from the sixth. [P45] */
const GENERIC_PLANS = 'plan_cache_mode=force_generic_plan'
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=300',
  GENERIC_PLANS,
].flatMap((setting) => ['-c', setting])

const TEMPLATES = { gateway, contract, signing, notification, bus: busMigrations }

export default async function setup(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-test-'))
  // If root runs the tests, Postgres runs as the user postgres, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const port = await claimPort()
  const server = `postgres://postgres:${TEST_PASSWORD}@127.0.0.1:${port}/postgres`
  const spec = await preparePostgres({ folder: join(folder, 'postgres'), port, password: TEST_PASSWORD, url: server })
  const { command, cwd, env, uid, gid } = spec
  const postgres = spawn(command, [...spec.args, ...SETTINGS], {
    cwd,
    env,
    stdio: 'ignore',
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  })
  const ended = once(postgres, 'close')
  await until('a test server', () => spec.isReady().catch(() => undefined))
  await expectVersion(server)
  const passwords = { owner: TEST_PASSWORD, runtime: TEST_PASSWORD }
  for (const service of ['gateway', 'contract', 'signing', 'notification', 'bus'] as const) {
    await provisionDatabase(server, { service, database: `template_${service}`, passwords })
  }
  for (const [service, migrations] of Object.entries(TEMPLATES)) {
    await migrate(`postgres://${service}_owner:${TEST_PASSWORD}@127.0.0.1:${port}/template_${service}`, migrations)
  }
  process.env['PARAPH_TEST_SERVER_URL'] = server
  atEnd(async () => {
    postgres.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  })
}

/** @throws Error if the server is not of the version that test/older-postgres/run.mjs asked for */
async function expectVersion(server: string): Promise<void> {
  const wanted = process.env['PARAPH_TEST_POSTGRES']
  const { rows } = await withClient(server, (client) =>
    client.query<{ version: string }>(`select current_setting('server_version') as version`),
  )
  const { version } = rows[0] as { version: string }
  if (wanted !== undefined && !version.startsWith(`${wanted}.`))
    throw new Error(`The tests should run on Postgres ${wanted}, and the server is ${version}.`)
}
