// Runs hostile or expensive jobs one after the other, each in a worker thread of its own. Owns how many jobs wait, and for how long.
import type { Transferable } from 'node:worker_threads'
import { askThread, startThread, ThreadError, type ThreadUse } from './worker-thread.js'

interface QueueLimits {
  /** For the job in the thread and those that wait for it. */
  places: number
  /** From the call to the answer. */
  timeMsMax: number
  heapMbMax: number
  use: ThreadUse
}

/** @param url the module of the thread: it answers one message with one message */
export function createThreadQueue(url: URL, { places, timeMsMax, heapMbMax, use }: QueueLimits) {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()

  /** A fresh thread each time: it gives all memory back, and no job can have an effect on the next. */
  async function askNow<Answer>(job: unknown, transfer: readonly Transferable[], endMs: number): Promise<Answer> {
    const leftMs = endMs - performance.now()
    if (leftMs <= 0) throw new ThreadError('the other jobs took too long', true)
    const thread = startThread(url, heapMbMax)
    try {
      return await askThread<Answer>(thread, job, { timeMsMax: leftMs, use, transfer })
    } finally {
      await thread.terminate()
    }
  }

  return {
    /** @throws ThreadError when the thread died or exceeded a limit, or when there is no place or no time for the job */
    async ask<Answer>(job: unknown, transfer: readonly Transferable[] = []): Promise<Answer> {
      if (waiting === places) throw new ThreadError('too many jobs wait', true)
      waiting += 1
      const endMs = performance.now() + timeMsMax
      const answered = last.then(() => askNow<Answer>(job, transfer, endMs))
      last = answered.catch(() => undefined)
      return answered.finally(() => (waiting -= 1))
    },
  }
}
