// Supervises one process: starts it, waits until it is ready, restarts it when it dies, and stops it.
// Does not own: the order of processes (launcher.ts), their definitions (service-processes.ts, postgres.ts).
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { backOffMs } from '@paraph/background/back-off'
import type { ProcessLog } from './process-log.js'
import { UserError } from '@paraph/config/refusal'

const POLL_MS = 25
const READY_WITHIN_MS = 45_000
const RESTART_FIRST_MS = 1_000
/** If a process was ready for this time, the back-off begins again at its next death. */
const HEALTHY_MS = 5_000

export interface ProcessSpec {
  name: string
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string
  /** The user to run as, if not the current one. */
  uid?: number
  gid?: number
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** Time for a graceful stop; SIGKILL follows. */
  graceMs: number
  /** Cleans up before each start. */
  beforeStart?: () => Promise<void>
  isReady: () => Promise<boolean>
}

interface Supervision {
  log: Pick<ProcessLog, 'follow' | 'path'>
  /** Prints one sentence on the terminal. */
  announce: (sentence: string) => void
  /** Longest pause before a restart; the first pause is at most a second. */
  restartMsMax: number
  /** Called when a restarted process is ready. */
  onReplaced: () => void
  /** Waits before a restart; rejects when `signal` aborts. For tests. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
  /** Monotonic milliseconds. For tests. */
  now?: () => number
}

/** Supervises one process, with back-off between restarts. */
export function supervise(spec: ProcessSpec, supervision: Supervision) {
  const { log, announce, restartMsMax, onReplaced, now = () => performance.now() } = supervision
  const { pause = (ms, signal) => sleep(ms, undefined, { signal }) } = supervision
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  let exited: Promise<string> = Promise.resolve('was not started')
  let life: Promise<void> = Promise.resolve()

  async function spawnOnce(): Promise<void> {
    await spec.beforeStart?.()
    if (stopping.signal.aborted) return
    // In a session of its own: Ctrl-C reaches only the launcher, which stops everything in order.
    // Standard input stays open while the launcher lives (orphan-guard.ts).
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
    // Node writes the cause of a crash to standard error.
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

  /** @returns the time at which the process became ready, the reason why it is not ready, or undefined during a stop */
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
      // Without jitter: only one process waits, and people read the number.
      const waitMs = backOffMs(deaths, RESTART_FIRST_MS, restartMsMax, 1)
      announce(`${spec.name} ${how}. It starts again in ${waitMs / 1_000} s.`)
      await pause(waitMs, stopping.signal)
      // A failure before the start, such as a missing folder, counts as an immediate death.
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
    /** The pid of the running process, if any. */
    pid: () => child?.pid,
    /**
     * Starts the process and waits until it is ready; later deaths lead to a restart.
     * @throws UserError when it ends or is not ready in time: the first start is not repeated
     */
    async start(readyWithinMs = READY_WITHIN_MS): Promise<void> {
      await spawnOnce()
      const ready = await becomeReady(readyWithinMs)
      if (ready === undefined) return
      if (typeof ready === 'string')
        throw new UserError(`${spec.name} did not start: it ${ready}. Its log has the reason: ${log.path}`)
      life = keepAlive(ready).catch((error: unknown) => {
        // A stop during a pause makes the loop reject, which is expected.
        if (!stopping.signal.aborted) announce(`${spec.name} is no longer watched: ${String(error)}`)
      })
    },
    /** Stops the process, kills it after the grace period, and resolves when it has ended. */
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
