// The worker thread that makes PDFs, with its limits of time and memory. [evidence: the sealed PDF]
// One thread per process: rendering occupies a core, and the pages need another. Add replicas for more throughput.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { PdfAnswer, PdfJob } from './pdf-worker.js'

const TIME_MS_MAX = 10_000
const MEMORY_MB_MAX = 256

/** An error that prevented a PDF. The message contains no contract data. */
export class WorkerPoolError extends Error {
  override name = 'WorkerPoolError'
}

/** Makes one PDF at a time, first in, first out. */
export function createWorkerPool({ timeMsMax = TIME_MS_MAX, memoryMbMax = MEMORY_MB_MAX } = {}) {
  const url = new URL(import.meta.resolve('@paraph/signing/sealing/pdf/pdf-worker'))
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function makeNow(job: PdfJob): Promise<Uint8Array> {
    // Does not inherit --import: the orphan guard of the local launcher would end the thread, which has no standard input.
    worker ??= new Worker(url, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMbMax } })
    const own = worker
    const answer = await answerOf(own, job, timeMsMax).catch((error: unknown) => {
      // Nothing waits for this thread now; the next job starts a new one.
      worker = undefined
      void own.terminate()
      throw error
    })
    if ('error' in answer) throw new WorkerPoolError(answer.error)
    return answer.pdf
  }

  return {
    /** @throws WorkerPoolError when the thread failed, died or exceeded a limit; after the last two, the next job gets a new thread */
    make(job: PdfJob): Promise<Uint8Array> {
      const made = last.then(() => makeNow(job))
      last = made.catch(() => undefined)
      return made
    },
    /** Stops after the last queued job. */
    async stop(): Promise<void> {
      await last
      await worker?.terminate()
      worker = undefined
    },
  }
}

export type WorkerPool = ReturnType<typeof createWorkerPool>

async function answerOf(worker: Worker, job: PdfJob, timeMsMax: number): Promise<PdfAnswer> {
  const over = new AbortController()
  const { signal } = over
  const failed = (why: (event: never) => string) => (event: unknown) => {
    throw new WorkerPoolError(why(event as never))
  }
  worker.postMessage(job)
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([answer]) => answer as PdfAnswer),
      once(worker, 'exit', { signal }).then(failed(([code]: [number]) => `the thread ended with ${code}`)),
      sleep(timeMsMax, undefined, { signal }).then(failed(() => `no PDF within ${timeMsMax} ms`)),
    ])
  } catch (error) {
    throw error instanceof WorkerPoolError ? error : new WorkerPoolError(`the thread ended: ${nameOf(error)}`)
  } finally {
    over.abort()
  }
}

/** The name only: the message of an error may contain contract text. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
