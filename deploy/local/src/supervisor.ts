// Keeps one process running: starts it, waits until it is ready, starts it again when it dies, stops it in order.
// Does not own: in which order processes start and stop (launcher.ts), what they are (service-processes.ts, postgres.ts).
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '@paraph/service/back-off'
import type { ProcessLog } from './process-log.js'
import { Refusal } from './refusal.js'

const POLL_MS = 25
const READY_WITHIN_MS = 45_000
const RESTART_FIRST_MS = 1_000
/** Health for so long makes the next death a first one. */
const HEALTHY_MS = 5_000

export interface ProcessSpec {
  name: string
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string
  /** The user to run as, where it is not ours. */
  uid?: number
  gid?: number
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** How long it may take to stop before it is killed. */
  graceMs: number
  /** What must be out of the way before each start. */
  beforeStart?: () => Promise<void>
  isReady: () => Promise<boolean>
}

interface Supervision {
  log: Pick<ProcessLog, 'follow' | 'path'>
  /** Says one sentence in the terminal. */
  announce: (sentence: string) => void
  /** Longest pause before a restart; the first is a second at most. */
  restartMsMax: number
  /** Called each time a new process has taken the place of one that died, and is ready. */
  onReplaced: () => void
  /** Waits before a restart; ends early, by rejecting, when `signal` aborts. For tests. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Monotonic milliseconds. For tests. */
  now?: () => number
}

/** Keeps one process running: started, watched until ready, started again with back-off when it dies, stopped in order. */
export function supervise(
  spec: ProcessSpec,
  {
    log,
    announce,
    restartMsMax,
    onReplaced,
    pause = (ms, signal) => sleep(ms, undefined, { signal }),
    now = () => performance.now(),
  }: Supervision,
) {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let exited: Promise<string> = Promise.resolve('was not started')
  let life: Promise<void> = Promise.resolve()

  async function spawnOnce(): Promise<void> {
    await spec.beforeStart?.()
    if (stopping.signal.aborted) return
    // In a session of its own: Ctrl-C reaches the launcher alone, which stops everything in order.
    // Standard input stays open as long as the launcher lives (orphan-guard.ts).
    const started = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: spec.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(spec.uid === undefined ? {} : { uid: spec.uid }),
      ...(spec.gid === undefined ? {} : { gid: spec.gid }),
    })
    started.stdin.on('error', () => undefined)
    log.follow(started.stdout, 'info')
    // Where Node writes why it died.
    log.follow(started.stderr, 'warn')
    child = started
    exited = new Promise((resolve) => {
      started.once('error', (error) => resolve(`could not be started (${(error as NodeJS.ErrnoException).code})`))
      started.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`))
    })
    void exited.then(() => {
      if (child === started) child = undefined
    })
  }

  /** @returns when it became ready, or how it ended before that, or undefined when it is to stop */
  async function becomeReady(withinMs = Infinity): Promise<number | string | undefined> {
    const deadline = now() + withinMs
    let end: string | undefined
    void exited.then((how) => (end = how))
    while (!stopping.signal.aborted) {
      if (await spec.isReady().catch(() => false)) return now()
      if (end !== undefined) return end
      if (now() > deadline) return `was not ready after ${withinMs / 1_000} s`
      await sleep(POLL_MS)
    }
    return undefined
  }

  async function keepAlive(readyAt: number): Promise<void> {
    let deaths = 0
    let healthySince: number | undefined = readyAt
    for (;;) {
      const how = await exited
      if (stopping.signal.aborted) return
      deaths = healthySince !== undefined && now() - healthySince >= HEALTHY_MS ? 1 : deaths + 1
      // Not random: one process waits here, and people read the number.
      const waitMs = backOffMs(deaths, RESTART_FIRST_MS, restartMsMax, 1)
      announce(`${spec.name} ${how}. It starts again in ${waitMs / 1_000} s.`)
      await pause(waitMs, stopping.signal)
      // What fails before the start, such as a folder that went away, counts as a process that died at once.
      await spawnOnce().catch((error: unknown) => {
        exited = Promise.resolve(`could not be started (${error instanceof Error ? error.message : 'unknown reason'})`)
      })
      const ready = await becomeReady()
      healthySince = typeof ready === 'number' ? ready : undefined
      if (healthySince === undefined) continue
      announce(`${spec.name} runs again.`)
      onReplaced()
    }
  }

  return {
    name: spec.name,
    /** The pid of the process that runs now, undefined while there is none. */
    pid: () => child?.pid,
    /**
     * Starts the process and waits until it is ready; from then on it is kept alive.
     * @throws Refusal when it ends or is not ready in time: the first start is not repeated
     */
    async start(readyWithinMs = READY_WITHIN_MS): Promise<void> {
      await spawnOnce()
      const ready = await becomeReady(readyWithinMs)
      if (ready === undefined) return
      if (typeof ready === 'string')
        throw new Refusal(`${spec.name} ${ready} instead of getting ready. Its log says why: ${log.path}`)
      life = keepAlive(ready).catch((error: unknown) => {
        // The only thing that ends the loop by an error is a stop during a pause.
        if (!stopping.signal.aborted) announce(`${spec.name} is no longer watched: ${String(error)}`)
      })
    },
    /** Asks it to stop, kills it after the grace, returns when it is gone. */
    async stop(): Promise<void> {
      stopping.abort()
      const running = child
      if (running) {
        running.kill(spec.stopSignal)
        const killing = setTimeout(() => running.kill('SIGKILL'), spec.graceMs)
        await exited
        clearTimeout(killing)
      }
      await life
    },
  }
}

export type Supervised = ReturnType<typeof supervise>
