// Makes a logo of an uploaded picture: decodes and encodes it again in a thread of its own, with limits of time and memory. [D59]
import { createHash } from 'node:crypto'
import { createThreadQueue } from '@paraph/background/thread-queue'
import { ThreadError } from '@paraph/background/worker-thread'
import { LOGO_BYTES_MAX, type LogoFacts } from '@paraph/protocol/brand'
import { unavailable } from '@paraph/protocol/errors'
import { readLogoHeader, type LogoFault } from './logo-header.js'
import type { LogoAnswer, LogoJob } from './logo-worker.js'

/** A picture that Paraph encoded itself. */
export interface Logo extends LogoFacts {
  bytes: Buffer
}

/** The picture in the thread and those that wait for it. */
const PLACES = 4
/** From the call to the answer. */
const TIME_MS_MAX = 20_000
/** The largest picture takes a second, the start of the thread included. */
const CPU_MS_MAX = 5_000
const HEAP_MB_MAX = 32
/** The memory of the codecs, the pixels and their copies. */
const BUFFER_MB_MAX = 96

export function createLogoReader({ timeMsMax = TIME_MS_MAX, cpuMsMax = CPU_MS_MAX } = {}) {
  const queue = createThreadQueue(new URL(import.meta.resolve('@paraph/gateway/brand/logo-worker')), {
    places: PLACES,
    timeMsMax,
    heapMbMax: HEAP_MB_MAX,
    use: { cpuMsMax, bufferMbMax: BUFFER_MB_MAX },
  })

  async function encodeAgain(job: LogoJob): Promise<LogoAnswer> {
    try {
      return await queue.ask<LogoAnswer>(job, [job.file])
    } catch (error) {
      if (!(error instanceof ThreadError)) throw error
      if (error.isLate) throw unavailable(error)
      return null
    }
  }

  return {
    /** @throws DomainError 503 if too many pictures are read at the same time */
    async read(file: Buffer): Promise<Logo | { wrong: LogoFault }> {
      const header = readLogoHeader(file)
      if ('wrong' in header) return header
      const { type, width, height } = header
      const picture = await encodeAgain({ type, file: Uint8Array.from(file).buffer })
      if (picture?.width !== width || picture.height !== height) return { wrong: 'damaged' }
      if (picture.bytes.length > LOGO_BYTES_MAX) return { wrong: 'tooDetailed' }
      const bytes = Buffer.from(picture.bytes)
      return { type, width, height, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
    },
  }
}

export type LogoReader = ReturnType<typeof createLogoReader>
