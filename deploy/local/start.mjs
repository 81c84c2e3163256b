// `npm start`: checks the machine, builds what changed, then runs the launcher in this process.
// Owns: the handling of signals from the beginning, and the exit code. Plain JavaScript, because nothing is built yet. [local-stack]
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { oldNodeSentence } from '../../tools/paraph/node-version.mjs'
import { buildAndStamp, isBuilt } from './build-stamp.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const LOCK_EMPTY_MS_MAX = 1_000
const LOCK_QUIET_MS = 2_000
const stopping = new AbortController()
let failed = false

// A signal to the process group arrives twice, from npm and from the terminal. The second has no effect.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => stopping.abort())
// A closed terminal must not interrupt the stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
process.on('uncaughtException', (error) => {
  failed = true
  process.stderr.write(`${error?.stack ?? error}\n`)
  stopping.abort()
})

function missingPrerequisite() {
  const oldNode = oldNodeSentence()
  if (oldNode) return oldNode
  if (process.platform === 'win32') return 'Paraph starts on Linux and macOS. On Windows, run it inside WSL.'
  if (!existsSync(join(root, 'node_modules', 'turbo', 'bin', 'turbo'))) {
    return 'The packages are not installed. Run npm ci first.'
  }
  return undefined
}

/** Runs `work` with a lock, so that two starts of one checkout do not write the same dist folders concurrently. */
async function withBuildLock(work) {
  const lock = join(root, '.turbo', 'start.lock')
  await mkdir(dirname(lock), { recursive: true })
  const startedAt = performance.now()
  let said = false
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
    if (holder > 0 ? !isAlive(holder) : await isAbandoned(lock)) await rm(lock, { force: true })
    if (!said && performance.now() - startedAt > LOCK_QUIET_MS) {
      said = true
      process.stdout.write(
        `Another start (process ${holder || 'unknown'}) is building in this checkout; this one waits for it. If no such process runs, delete ${lock}.\n`,
      )
    }
    await sleep(100, undefined, { signal: stopping.signal })
  }
  try {
    return await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/** True for a lock that stays empty: a start was killed between creating and filling it. A live start fills it immediately. */
async function isAbandoned(lock) {
  const facts = await stat(lock).catch(() => undefined)
  // The absolute difference, because the clock may have been set back.
  return facts?.size === 0 && Math.abs(Date.now() - facts.mtimeMs) > LOCK_EMPTY_MS_MAX
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** @returns true when the build succeeded */
async function build(progress) {
  progress.step('Build')
  // In a process group of its own, so that Ctrl-C reaches turbo only once, through this process.
  const turbo = spawn(
    process.execPath,
    [join(root, 'node_modules', 'turbo', 'bin', 'turbo'), 'run', 'build', '--output-logs=errors-only'],
    {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' },
    },
  )
  const output = []
  for (const stream of [turbo.stdout, turbo.stderr]) stream.on('data', (chunk) => output.push(chunk))
  const end = (signal) => {
    try {
      process.kill(-turbo.pid, signal)
    } catch {
      // turbo has already ended.
    }
  }
  const stop = () => {
    end('SIGINT')
    setTimeout(end, 5_000, 'SIGKILL').unref()
  }
  stopping.signal.addEventListener('abort', stop, { once: true })
  const code = await new Promise((resolve) => {
    turbo.on('error', () => resolve(1))
    turbo.on('close', resolve)
  })
  stopping.signal.removeEventListener('abort', stop)
  if (stopping.signal.aborted || code !== 0) progress.fail()
  if (stopping.signal.aborted) return false
  if (code !== 0) {
    process.stderr.write(`${Buffer.concat(output)}\nThe build failed; see the errors above. Nothing was started.\n`)
    return false
  }
  progress.finish()
  return true
}

/** Removes the stack.json of a killed launcher, because a tool may wait for the file of this start. */
async function removeStaleStackFile() {
  const path = join(process.env.PARAPH_DATA_DIR || join(root, '.data'), 'stack.json')
  const launcher = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text).pids.launcher)
    .catch(() => undefined)
  if (launcher !== undefined && !isAlive(launcher)) await rm(path, { force: true }).catch(() => undefined)
}

async function start() {
  const missing = missingPrerequisite()
  if (missing) {
    process.stderr.write(`${missing}\n`)
    return 1
  }
  await removeStaleStackFile()
  // Imported here, because an old Node cannot.
  const { createProgress } = await import('./progress.mjs')
  const progress = createProgress()
  if (!(await withBuildLock(async () => (await isBuilt(root)) || buildAndStamp(root, () => build(progress))))) return 1
  const { launch } = await import('./dist/launcher.js')
  return launch(stopping.signal, progress)
}

const code = await start().catch((error) => {
  if (stopping.signal.aborted) return 0
  const isClosed = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error?.code)
  process.stderr.write(
    isClosed
      ? `${error.path} cannot be written (${error.code}). Make the checkout writable for this user, or free some disk space.\n`
      : `${error?.stack ?? error}\n`,
  )
  return 1
})
process.exit(failed ? 1 : stopping.signal.aborted ? 0 : code)
