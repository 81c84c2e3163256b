// The worker thread that makes PDFs, with its limits of time and memory. [evidence: the sealed PDF]
// One thread per process: rendering occupies a core, and the pages need another. Add replicas for more throughput.
import type { Worker } from 'node:worker_threads'
import { askThread, startThread, ThreadError } from '@paraph/background/worker-thread'
import type { PdfAnswer, PdfJob } from './pdf-worker.js'

const TIME_MS_MAX = 10_000
const MEMORY_MB_MAX = 256

/** Makes one PDF at a time, first in, first out. */
export function createWorkerPool({ timeMsMax = TIME_MS_MAX, memoryMbMax = MEMORY_MB_MAX } = {}) {
  const url = new URL(import.meta.resolve('@paraph/signing/sealing/pdf/pdf-worker'))
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function makeNow(job: PdfJob): Promise<Uint8Array> {
    worker ??= startThread(url, memoryMbMax)
    const own = worker
    const answer = await askThread<PdfAnswer>(own, job, { timeMsMax }).catch((error: unknown) => {
      // Nothing waits for this thread now; the next job starts a new one.
      worker = undefined
      void own.terminate()
      throw error
    })
    if ('error' in answer) throw new ThreadError(answer.error)
    return answer.pdf
  }

  return {
    /** @throws ThreadError when the thread failed, died or exceeded a limit; after the last two, the next job gets a new thread */
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
