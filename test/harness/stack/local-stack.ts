// Runs the whole product with `npm start`, on free ports and a separate data folder. Uses only commands, HTTP, files and databases.
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

/** Environment variable of a test run with the path of the template data folder (stack-template.ts). */
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
 * Creates a data folder in the state before a second start: with secrets and migrated, empty databases (stack-template.ts).
 * The user postgres may enter the folder, which is necessary if root runs the tests.
 * @param isNew creates an empty folder, for tests of the first start
 */
export async function makeDataFolder({ isNew = false }: { isNew?: boolean } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paraph-e2e-'))
  const template = process.env[TEMPLATE]
  // Preserves the owner: if root runs the tests, the files of Postgres belong to the user postgres.
  if (template !== undefined && !isNew) await run('cp', ['-Rp', `${template}/.`, folder])
  await chmod(folder, 0o755)
  return folder
}

/** Runs `npm start` on `folder`, and does not wait until the stack is ready. */
export function launch(folder: string, environment: Record<string, string> = {}) {
  const child: ChildProcess = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PARAPH_PORT: '0',
      PARAPH_MAILBOX_PORT: '0',
      PARAPH_DATA_DIR: folder,
      NODE_ENV: '',
      // jest sets it where its own output is a terminal; the tests compare text without styles.
      FORCE_COLOR: '0',
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

/** Starts a stack and waits until `npm start` prints the table of addresses. */
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
    /** Reads the current `stack.json`; undefined if there is none. */
    read: () => readStackFile(folder),
    /** Sends SIGTERM to npm, like a process supervisor, and waits for the exit. */
    async stop(): Promise<Exit> {
      launched.child.kill('SIGTERM')
      return launched.exited
    },
    /**
     * Compares the counted calls with the receipts of the test clients, and checks every row against the invariants. Then stops the stack
     * and deletes its data.
     * @param receipts `at least` if a gateway was killed, a client disconnected or calls were sent without a test client (receipts.ts)
     * @param planted invariants that the test itself violated by writing rows (invariants.ts)
     * @param lateMs how long work may stay late, after a test that kept it waiting (invariants.ts)
     */
    async close({
      receipts = 'equal',
      planted = [],
      lateMs = 0,
    }: { receipts?: 'equal' | 'at least'; planted?: readonly Invariant[]; lateMs?: number } = {}): Promise<void> {
      try {
        const now = ended ? undefined : await readStackFile(folder)
        const gatewayDatabaseUrl = now && databaseUrlOf(now, 'gateway')
        if (gatewayDatabaseUrl) await compareReceipts({ apiUrl: now.apiUrl, gatewayDatabaseUrl }, receipts)
        if (now) await verifyInvariants({ folder }, { planted, untilMs: lateMs })
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

/** The URL of the database of a service or of the bus, with the superuser. */
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

/** Runs the command `npm run -s paraph -- …` on the stack of `folder`, but without npm, which takes half a second. */
export function paraph(folder: string, ...argv: string[]): Promise<Exit & { stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['tools/paraph/paraph.mjs', ...argv], {
    cwd: ROOT,
    env: { ...process.env, FORCE_COLOR: '0', PARAPH_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()))
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, output: stdout + stderr }))
  })
}

/** Runs `paraph … --json`. @returns the parsed output @throws Error with the command's standard error if the command fails */
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
