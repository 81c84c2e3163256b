import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { afterEach, expect, it } from '@jest/globals'
import { isRunning } from '@paraph/paraph/installation/process-table'
import { endLeftovers, stackMark } from './service-processes.js'
import { supervise, type ProcessSpec, type Supervised } from './supervisor.js'

const started: Supervised[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((each) => each.stop()))
})

/** A supervised Node process. Records the pauses before restarts in `waits` and skips them. */
function superviseScript(
  script: string,
  { isReady = () => Promise.resolve(true), graceMs = 5_000 }: Partial<ProcessSpec> = {},
  healthMs = 0,
) {
  const waits: number[] = []
  const said: string[] = []
  let replacements = 0
  let clock = 0
  const replaced: (() => void)[] = []
  const supervised = supervise(
    {
      name: 'example',
      command: process.execPath,
      args: ['-e', script],
      env: { PATH: process.env['PATH'] ?? '' },
      cwd: '/',
      stopSignal: 'SIGTERM',
      graceMs,
      isReady,
    },
    {
      log: { path: '/nowhere/example.log', follow: (stream) => void stream.resume() },
      announce: (sentence) => void said.push(sentence),
      restartMsMax: 30_000,
      onReplaced: () => {
        replacements++
        replaced.splice(0).forEach((resolve) => resolve())
      },
      pause: (ms, signal) => {
        signal.throwIfAborted()
        waits.push(ms)
        return Promise.resolve()
      },
      // Each read of the clock returns a time `healthMs` later than the previous read.
      now: () => (clock += healthMs),
    },
  )
  started.push(supervised)
  return {
    supervised,
    waits,
    said,
    replacements: () => replacements,
    /** Kills the process and waits for its replacement. */
    async kill(): Promise<void> {
      const next = new Promise<void>((resolve) => void replaced.push(resolve))
      process.kill(supervised.pid() ?? 0, 'SIGKILL')
      await next
    },
  }
}

const RUN = 'setInterval(() => {}, 1000)'

it('the supervisor restarts a process each time it dies, with growing delays [local-stack]', async () => {
  const { supervised, waits, kill, said, replacements } = superviseScript(RUN)
  await supervised.start()
  const first = supervised.pid()
  for (let times = 0; times < 7; times++) await kill()
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(replacements()).toBe(7)
  expect(supervised.pid()).not.toBe(first)
  expect(said.slice(0, 2)).toEqual(['example was ended by SIGKILL. It starts again in 1 s.', 'example runs again.'])
})

it('the supervisor resets the delay to 1 s if the process was ready for 5 s [local-stack]', async () => {
  const { supervised, waits, kill } = superviseScript(RUN, {}, 5_000)
  await supervised.start(Infinity)
  await kill()
  await kill()
  expect(waits).toEqual([1_000, 1_000])
})

it('the supervisor keeps the longer delay if the process was ready for less than 5 s [local-stack]', async () => {
  const { supervised, waits, kill } = superviseScript(RUN, {}, 4_999)
  await supervised.start(Infinity)
  await kill()
  await kill()
  expect(waits).toEqual([1_000, 2_000])
})

it('the supervisor gives up a first start that never becomes ready, with an error message [local-stack]', async () => {
  const { supervised } = superviseScript('process.exit(3)', { isReady: () => Promise.resolve(false) })
  await expect(supervised.start()).rejects.toThrow('example did not start: it ended with code 3.')
})

it('the supervisor leaves no process after a stop, not even one that ignores SIGTERM [local-stack]', async () => {
  const script = `process.on('SIGTERM', () => {}); process.stdout.write('x'); ${RUN}`
  const { supervised } = superviseScript(script, { graceMs: 100 })
  await supervised.start()
  const pid = supervised.pid() ?? 0
  await supervised.stop()
  expect(await isRunning(pid)).toBe(false)
})

it('a start ends the processes with the mark of its data folder, and no other processes [local-stack]', async () => {
  const run = (folder: string) => spawn(process.execPath, ['-e', RUN, '--', stackMark(folder)], { stdio: 'ignore' })
  const [ours, other] = [run('/nowhere/a'), run('/nowhere/ab')]
  const ended = once(ours, 'exit')
  // The arguments of a process are visible once it has spawned.
  await Promise.all([once(ours, 'spawn'), once(other, 'spawn')])
  expect(await endLeftovers('/nowhere/a')).toBe(1)
  await ended
  expect(other.exitCode ?? other.signalCode).toBeNull()
  other.kill('SIGKILL')
  await once(other, 'exit')
})
