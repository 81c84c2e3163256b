// A Postgres server for one test that needs its own roles, certificate or settings. Other tests share one server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { claimPort } from '@paraph/paraph/installation/ports'
import { preparePostgres } from '../src/postgres.js'

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/**
 * Starts the server on a free port of 127.0.0.1. The caller closes it.
 * @param settings `name=value` of postgresql.conf, relative to the folder that holds `files`
 * @param files name → content, readable only by the server
 * @param readyBy returns the superuser's URL for the readiness check, for a server that restricts logins
 */
export async function startOwnServer(
  settings: (folder: string) => readonly string[] = () => [],
  files: Readonly<Record<string, string>> = {},
  readyBy: (port: number) => string = (port) => `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
) {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-server-'))
  // As root, the server runs as the user postgres, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const port = await claimPort()
  const url = readyBy(port)
  const spec = await preparePostgres({ folder: join(folder, 'postgres'), port, password: PASSWORD, url })
  const { uid, gid } = spec
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(folder, name), content, { mode: 0o600 })
    if (uid !== undefined && gid !== undefined) await chown(join(folder, name), uid, gid)
  }
  const args = [...FAST, ...settings(folder)].flatMap((setting) => ['-c', setting])
  const said: string[] = []
  const server = spawn(spec.command, [...spec.args, ...args], {
    cwd: spec.cwd,
    env: spec.env,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(uid === undefined || gid === undefined ? {} : { uid, gid }),
  })
  server.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  const ended = once(server, 'close')
  const close = async () => {
    server.kill('SIGINT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  while (!(await spec.isReady().catch(() => false))) {
    if (server.exitCode !== null) {
      await rm(folder, { recursive: true, force: true })
      throw new Error(`The server did not start: ${said.join('')}`)
    }
    await sleep(20)
  }
  return { port, url, password: PASSWORD, folder, said: () => said.join(''), close }
}

/** The superuser's password. */
const PASSWORD = 'test'
