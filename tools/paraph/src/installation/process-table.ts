// Lists the processes of the machine, reads their command line and start time, and ends a process.
// Reads /proc where it exists (a small Linux has no `ps`), otherwise runs `ps`.
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const hasProc = process.platform === 'linux'
const POLL_MS = 20

/** Every visible process. Arguments are separated by spaces: search in a command line, do not count its arguments. */
export async function listProcesses(): Promise<{ pid: number; commandLine: string }[]> {
  if (!hasProc) {
    const { stdout } = await run('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 16_777_216 })
    return stdout.split('\n').flatMap((line) => {
      const [, pid, commandLine] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? []
      return pid && commandLine ? [{ pid: Number(pid), commandLine }] : []
    })
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(pids.map(async (pid) => ({ pid, commandLine: await commandLineOf(pid) })))
  return found.filter(({ commandLine }) => commandLine !== '')
}

/** The command line of process `pid`; empty when the process is gone or a kernel thread. */
export async function commandLineOf(pid: number): Promise<string> {
  if (hasProc) {
    const bytes = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return bytes.replaceAll('\0', ' ').trim()
  }
  const { stdout } = await run('ps', ['-p', String(pid), '-ww', '-o', 'command=']).catch(() => ({ stdout: '' }))
  return stdout.trim()
}

/** Identifies the start of process `pid`, because pids are reused. @returns undefined when the process is gone */
export async function startOf(pid: number): Promise<string | undefined> {
  if (hasProc) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
    // The name in parentheses may contain spaces. The start, in clock ticks since boot, is the 20th field after the name.
    const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
    return state === undefined || state === 'Z' ? undefined : fields[18]
  }
  const { stdout } = await run('ps', ['-p', String(pid), '-o', 'lstart=']).catch(() => ({ stdout: '' }))
  return stdout.trim() || undefined
}

/** True while process `pid` runs; false for a zombie. */
export const isRunning = async (pid: number): Promise<boolean> => (await startOf(pid)) !== undefined

/** Sends `signal` to process `pid`, kills the process after `graceMs`, and resolves when it is gone. */
export async function endProcess(pid: number, signal: NodeJS.Signals, graceMs: number): Promise<void> {
  sendSignal(pid, signal)
  const deadline = performance.now() + graceMs
  while (await isRunning(pid)) {
    if (performance.now() > deadline) sendSignal(pid, 'SIGKILL')
    await sleep(POLL_MS)
  }
}

/** Sends a signal. A process that is already gone is no error. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
