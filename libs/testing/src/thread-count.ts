import type { Worker } from 'node:worker_threads'

/** How many worker threads start while `work` runs, and how many of them run at the same time at most. */
export async function threadsOf<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; started: number; most: number }> {
  let [started, running, most] = [0, 0, 0]
  const count = (worker: Worker): void => {
    started += 1
    running += 1
    most = Math.max(most, running)
    worker.once('exit', () => (running -= 1))
  }
  process.on('worker', count)
  const result = await work().finally(() => process.off('worker', count))
  return { result, started, most }
}
