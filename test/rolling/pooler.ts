// PgBouncer in front of a Postgres of the tests, with the settings that docs/reference/ports-and-transport.md gives. Needs Debian's package
// pgbouncer. [D48]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { claimPort } from '@paraph/paraph/installation/ports'
import { until } from '../harness/until.js'

const PAGE = fileURLToPath(new URL('../../docs/reference/ports-and-transport.md', import.meta.url))

/** The settings of the page, such as `ignore_startup_parameters`. */
export async function documentedSettings(): Promise<string[]> {
  const [, block = ''] = /^```ini\n([\s\S]*?)^```/m.exec(await readFile(PAGE, 'utf8')) ?? []
  return block.split('\n').filter(Boolean)
}

interface PoolerOptions {
  /** The port of Postgres. */
  port: number
  /** The user that runs PgBouncer, which refuses to run as root. */
  user: { uid: number; gid: number }
  /** Role → password, of every role that logs in. */
  passwords: Readonly<Record<string, string>>
  /** Lines of pgbouncer.ini. The last of two lines with one name counts. */
  settings: readonly string[]
}

/** Starts PgBouncer on a free port of 127.0.0.1, and waits until it accepts logins. */
export async function startPooler({ port: postgres, user, passwords, settings }: PoolerOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-pooler-'))
  const port = await claimPort()
  const files = {
    'users.txt': Object.entries(passwords)
      .map(([role, password]) => `"${role}" "${password}"\n`)
      .join(''),
    'pgbouncer.ini': [
      '[databases]',
      `* = host=127.0.0.1 port=${postgres}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(folder, 'users.txt')}`,
      `stats_users = ${Object.keys(passwords).join(',')}`,
      ...settings,
      '',
    ].join('\n'),
  }
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), content, { mode: 0o600 }).then(() =>
      chown(join(folder, name), user.uid, user.gid),
    )
  await chown(folder, user.uid, user.gid)
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    env: { PATH: '/usr/sbin:/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'close')
  const [[role, password]] = Object.entries(passwords) as [[string, string]]
  const consoleUrl = `postgres://${role}:${password}@127.0.0.1:${port}/pgbouncer`

  /** Runs a command of PgBouncer's console, which knows only simple queries. */
  async function ask<Row extends object>(command: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: consoleUrl })
    await client.connect()
    try {
      return (await client.query<Row>(command)).rows
    } finally {
      await client.end()
    }
  }
  const close = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await until('a pooler', async () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}:\n${said}`)
      return ask('show version').then(
        () => true as const,
        () => undefined,
      )
    })
  } catch (error) {
    await close()
    throw error
  }
  return {
    port,
    /** `url` through the pooler. */
    through(url: string): string {
      const pooled = new URL(url)
      pooled.port = String(port)
      return pooled.href
    },
    /** Client connections to a database, those that wait for a connection to the server included. */
    async clientsOf(database: string): Promise<number> {
      const pools = await ask<{ database: string; cl_active: number | string; cl_waiting: number | string }>(
        'show pools',
      )
      return pools
        .filter((pool) => pool.database === database)
        .reduce((sum, { cl_active: active, cl_waiting: waiting }) => sum + Number(active) + Number(waiting), 0)
    },
    /** The pooler's connections to the database to which it has most of them. */
    async serversMax(): Promise<number> {
      const byDatabase = Object.groupBy(await ask<{ database: string }>('show servers'), ({ database }) => database)
      return Math.max(0, ...Object.values(byDatabase).map((servers) => servers!.length))
    },
    close,
  }
}

export type Pooler = Awaited<ReturnType<typeof startPooler>>
