// A worker thread with limits of time and memory, for work that may be expensive or hostile.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker, type Transferable } from 'node:worker_threads'

/** The use of a thread is read this often; it can exceed a limit by what it uses in between. */
const WATCH_MS = 25
const MEBIBYTE = 1_048_576

/** An error that prevented an answer. The message contains nothing that the thread was given. */
export class ThreadError extends Error {
  override name = 'ThreadError'
  /** True if there was no time for the job, or no place: the machine may be busy. */
  readonly isLate: boolean
  constructor(message: string, isLate = false) {
    super(message)
    this.isLate = isLate
  }
}

/** Starts a thread that runs the module at `url`. @param heapMbMax limit of its heap, which does not include the contents of buffers */
export function startThread(url: URL, heapMbMax: number): Worker {
  // Does not inherit --import: the orphan guard of the local launcher would end the thread, which has no standard input.
  const worker = new Worker(url, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMbMax } })
  // Without a listener, a thread that fails while nothing waits for it would end the process.
  return worker.on('error', () => undefined)
}

/** Limits of the CPU time of a thread and of the contents of its buffers. */
export interface ThreadUse {
  cpuMsMax: number
  bufferMbMax: number
}

interface AskOptions {
  timeMsMax: number
  use?: ThreadUse
  transfer?: readonly Transferable[]
}

/**
 * Sends `job` to a thread that is idle and returns its next message.
 * @throws ThreadError when the thread died or exceeded a limit: the caller terminates the thread
 */
export async function askThread<Answer>(
  worker: Worker,
  job: unknown,
  { timeMsMax, use, transfer = [] }: AskOptions,
): Promise<Answer> {
  const over = new AbortController()
  const { signal } = over
  worker.postMessage(job, transfer)
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([answer]) => answer as Answer),
      once(worker, 'exit', { signal }).then(([code]) => fail(`the thread ended with ${code}`)),
      sleep(timeMsMax, undefined, { signal }).then(() => fail(`no answer within ${timeMsMax} ms`, true)),
      ...(use === undefined ? [] : [watchUse(worker, use, signal)]),
    ])
  } catch (error) {
    throw error instanceof ThreadError ? error : new ThreadError(`the thread ended: ${nameOf(error)}`)
  } finally {
    over.abort()
  }
}

/** The limit of a heap does not include buffers, such as a decompressed stream. */
async function watchUse(worker: Worker, { cpuMsMax, bufferMbMax }: ThreadUse, signal: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(WATCH_MS, undefined, { signal })
    // A thread that starts or ends reports nothing.
    const [heap, cpu] = await Promise.all([worker.getHeapStatistics(), worker.cpuUsage()]).catch(() => [])
    if (heap && heap.external_memory > bufferMbMax * MEBIBYTE) fail(`more than ${bufferMbMax} MB in buffers`)
    if (cpu && cpu.user + cpu.system > cpuMsMax * 1_000) fail(`more than ${cpuMsMax} ms of CPU`)
  }
}

function fail(why: string, isLate = false): never {
  throw new ThreadError(why, isLate)
}

/** The name only: the message of an error may contain what the thread was given. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
