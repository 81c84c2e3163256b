// The whole product as `npm start` runs it, on free ports and a data folder of its own. Black box: commands, HTTP, files.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Invariant } from '@paraph/verify/check'
import { faultsFound } from '../clients/answer-check.js'
import { verifyInvariants } from './invariants.js'
import { compareReceipts } from './receipts.js'
import { until } from '../until.js'

/** In the environment of a test run: the folder that stack-template.ts created. */
export const TEMPLATE = 'PARAPH_TEST_STACK'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The content of `stack.json`. [local-stack: stack.json] */
export interface StackFile {
  apiUrl: string
  shareUrl: string
  mailboxUrl: string
  databaseUrl: string
  eventBus: 'postgres' | 'kafka'
  liveKey: string
  testKey: string
  pids: Record<'launcher' | 'postgres' | 'gateway' | 'contract' | 'signing' | 'notification', number>
}

export const DATABASES = ['gateway', 'contract', 'signing', 'notification', 'bus'] as const
export type Database = (typeof DATABASES)[number]

export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  output: string
}

/**
 * A data folder that the postgres user can enter, for root too. It has the state before a second start: secrets, a server and migrated,
 * empty databases (stack-template.ts).
 * @param isNew the folder is empty: for tests of the first start
 */
export async function makeDataFolder({ isNew = false }: { isNew?: boolean } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-e2e-'))
  const template = process.env[TEMPLATE]
  // As root the server's files belong to another user, and stay so.
  if (template !== undefined && !isNew) await run('cp', ['-Rp', `${template}/.`, folder])
  await chmod(folder, 0o755)
  return folder
}

/** Runs `npm start` on `folder`. Does not wait. */
export function launch(folder: string, environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PARAPH_PORT: '0',
      PARAPH_MAILBOX_PORT: '0',
      PARAPH_DATA_DIR: folder,
      NODE_ENV: '',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => void (output += chunk.toString()))
  const exited = new Promise<Exit>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, output }))
  })
  return { child, exited, output: () => output }
}

/** Starts the stack and waits until its table is printed. */
export async function startStack(folder: string, environment: Record<string, string> = {}) {
  const startedAt = performance.now()
  const launched = launch(folder, environment)
  let ended: Exit | undefined
  void launched.exited.then((exit) => (ended = exit))
  const stack = await until(
    'a running stack',
    async () => {
      if (ended) throw new Error(`npm start ended with ${ended.code}:\n${ended.output}`)
      return launched.output().includes('Paraph is running') ? readStackFile(folder) : undefined
    },
    120_000,
  )
  const startedInMs = performance.now() - startedAt

  return {
    folder,
    stack,
    startedInMs,
    launched,
    /** `stack.json` as it is now. */
    read: () => readStackFile(folder),
    /** Stops by SIGTERM to npm, as a supervisor would. */
    async stop(): Promise<Exit> {
      launched.child.kill('SIGTERM')
      return launched.exited
    },
    /**
     * Stops and removes the data. Before, it compares the counted calls with the costs that the answers reported, and every row
     * with the invariants.
     * @param receipts `at least` where a gateway was killed, a client left or calls were sent by other means (receipts.ts)
     * @param planted invariants that the test violated itself, by writing rows (invariants.ts)
     */
    async close({
      receipts = 'equal',
      planted = [],
    }: { receipts?: 'equal' | 'at least'; planted?: readonly Invariant[] } = {}): Promise<void> {
      try {
        const now = ended ? undefined : await readStackFile(folder)
        const gatewayDatabaseUrl = now && databaseUrlOf(now, 'gateway')
        if (gatewayDatabaseUrl) await compareReceipts({ apiUrl: now.apiUrl, gatewayDatabaseUrl }, receipts)
        if (now) await verifyInvariants({ folder }, { planted })
        if (faultsFound.length > 0) throw new Error(faultsFound.join('\n'))
      } finally {
        launched.child.kill('SIGTERM')
        await launched.exited
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

export type RunningStack = Awaited<ReturnType<typeof startStack>>

/** A service's database, or the bus's, as the superuser. */
export function databaseUrlOf({ databaseUrl }: Pick<StackFile, 'databaseUrl'>, database: Database): string {
  const url = new URL(databaseUrl)
  url.pathname = `/${database}`
  return url.href
}

export async function readStackFile(folder: string): Promise<StackFile | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'stack.json'), 'utf8')) as StackFile
  } catch {
    return undefined
  }
}

/** Runs what `npm run -s paraph -- …` runs, against the stack on `folder`. npm itself would cost half a second each time. */
export function paraph(folder: string, ...argv: string[]): Promise<Exit & { stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['tools/paraph/paraph.mjs', ...argv], {
    cwd: ROOT,
    env: { ...process.env, PARAPH_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, output: stdout + stderr }))
  })
}

/** The output of `paraph … --json`. @throws Error with its standard error if the command fails */
export async function paraphJson<Printed>(folder: string, ...argv: string[]): Promise<Printed> {
  const { code, stdout, stderr } = await paraph(folder, ...argv, '--json')
  if (code !== 0) throw new Error(`paraph ${argv.join(' ')} ended with ${code}: ${stderr}`)
  return JSON.parse(stdout) as Printed
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
