// The thread that makes PDFs: one for each process, how long and how much memory it may take. [evidence: the sealed PDF]
// More at once take more replicas: whoever renders takes a core, and the pages want theirs.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { PdfAnswer, PdfJob } from './pdf-worker.js'

const TIME_MS_MAX = 10_000
const MEMORY_MB_MAX = 256

/** Why no PDF came. Its message holds no word of a contract. */
export class WorkshopError extends Error {
  override name = 'WorkshopError'
}

/** Makes one PDF at a time, in the order in which they are asked for. */
export function createWorkshop({ timeMsMax = TIME_MS_MAX, memoryMbMax = MEMORY_MB_MAX } = {}) {
  const url = new URL(import.meta.resolve('@paraph/signing/sealed-pdf/pdf-worker'))
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function makeNow(job: PdfJob): Promise<Uint8Array> {
    // What the process loads by --import is its own: the launcher's guard would end it, because a thread has no standard input.
    worker ??= new Worker(url, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memoryMbMax } })
    const own = worker
    const answer = await answerOf(own, job, timeMsMax).catch((error: unknown) => {
      // Whatever it was doing, nobody waits for it any more.
      worker = undefined
      void own.terminate()
      throw error
    })
    if ('error' in answer) throw new WorkshopError(answer.error)
    return answer.pdf
  }

  return {
    /** @throws WorkshopError when the thread died, took too long, or could not make it; the next one gets a new thread */
    make(job: PdfJob): Promise<Uint8Array> {
      const made = last.then(() => makeNow(job))
      last = made.catch(() => undefined)
      return made
    },
    /** After the last one that was asked for. */
    async stop(): Promise<void> {
      await last
      await worker?.terminate()
      worker = undefined
    },
  }
}

export type Workshop = ReturnType<typeof createWorkshop>

async function answerOf(worker: Worker, job: PdfJob, timeMsMax: number): Promise<PdfAnswer> {
  const over = new AbortController()
  const { signal } = over
  const failed = (why: (event: never) => string) => (event: unknown) => {
    throw new WorkshopError(why(event as never))
  }
  worker.postMessage(job)
  try {
    return await Promise.race([
      once(worker, 'message', { signal }).then(([answer]) => answer as PdfAnswer),
      once(worker, 'exit', { signal }).then(failed(([code]: [number]) => `the thread ended with ${code}`)),
      sleep(timeMsMax, undefined, { signal }).then(failed(() => `no PDF within ${timeMsMax} ms`)),
    ])
  } catch (error) {
    throw error instanceof WorkshopError ? error : new WorkshopError(`the thread ended: ${nameOf(error)}`)
  } finally {
    over.abort()
  }
}

/** Never the words of an error: they may hold the text. */
const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
