// Checks the files of anybody: one after the other, each in a thread of its own, with limits of time and memory. Keeps nothing. [D68]
// Owns how many files are in memory. Does not own what a check says (check.ts), nor how often a client may ask (the gateway).
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createThreadQueue } from '@paraph/background/thread-queue'
import { ThreadError } from '@paraph/background/worker-thread'
import { readFileForm, type FileForm } from '@paraph/web/file-form'
import { isEvidenceFile, type Beside, type EvidenceReport } from './check.js'
import type { CheckAnswer, CheckJob } from './check-worker.js'

/** Far above the size of any sealed PDF. */
export const FILE_BYTES_MAX = 30_000_000
/** Of all files, those that are still arriving included. */
const HELD_BYTES_MAX = 3 * FILE_BYTES_MAX
/** Of all uploads together: the main thread reads them, and the pages need it. A signed PDF takes some milliseconds. */
const BYTES_PER_MS = 5_000
/** The file in the thread and those that wait for it. */
const PLACES = 4
/** From the last byte of the file to the answer. The gateway gives up after 30 s. */
const TIME_MS_MAX = 24_000
/** A genuine file takes less than a second, the start of the thread included. */
const CPU_MS_MAX = 5_000
const HEAP_MB_MAX = 128
/** The file, its copies, and what its streams decompress to. */
const BUFFER_MB_MAX = 160

/** Why there is no report: too many files at the same time, no file of Paraph, or one that takes too much time or memory. */
export type Refusal = 'busy' | 'other' | 'too_costly'

/** @param known the published keys and certificates */
export function createChecks(
  known: Pick<Beside, 'knownKeysPem' | 'knownSealsPem'>,
  { timeMsMax = TIME_MS_MAX, cpuMsMax = CPU_MS_MAX } = {},
) {
  const url = new URL(import.meta.resolve('@paraph/signing/verify/check-worker'))
  const queue = createThreadQueue(url, {
    places: PLACES,
    timeMsMax,
    heapMbMax: HEAP_MB_MAX,
    use: { cpuMsMax, bufferMbMax: BUFFER_MB_MAX },
  })
  let held = 0
  let readUntilMs = 0

  async function pace(bytes: number): Promise<void> {
    const now = performance.now()
    readUntilMs = Math.max(readUntilMs, now) + bytes / BYTES_PER_MS
    await sleep(readUntilMs - now)
  }

  async function check(file: Buffer): Promise<EvidenceReport | Refusal> {
    if (!isEvidenceFile(file)) return 'other'
    const job: CheckJob = { file, known }
    try {
      return (await queue.ask<CheckAnswer>(job, [file.buffer as ArrayBuffer])) ?? 'other'
    } catch (error) {
      if (error instanceof ThreadError) return error.isLate ? 'busy' : 'too_costly'
      throw error
    }
  }

  return {
    /** Reads a form with one file and passes it to `use`. The file counts as held in memory until `use` is done. */
    async withForm<Result>(request: IncomingMessage, use: (form: FileForm) => Promise<Result>): Promise<Result> {
      let own = 0
      const hold = (bytes: number): boolean => {
        if (held + bytes > HELD_BYTES_MAX) return false
        held += bytes
        own += bytes
        return true
      }
      try {
        return await use(await readFileForm(request, { bytesMax: FILE_BYTES_MAX, hold, pace }))
      } finally {
        held -= own
      }
    },
    check,
    heldBytes: () => held,
  }
}

export type Checks = ReturnType<typeof createChecks>
