// The standard output of a process, as the destination of its log lines. A reader that stands still, such as a stuck log driver, or a full
// disk stops neither the work of the process nor its end, and costs a bounded amount of memory. [H13, F24, F41]
import { pino, type DestinationStream } from 'pino'

/** Bytes kept for the reader. Further lines are dropped. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024

/** Time for the reader to take the last lines when the process exits. */
const LAST_LINES_MS_MAX = 1_000

interface LogOutputDeps {
  /** Writes a line with the number of dropped lines, when the reader has taken all lines before them. */
  reportDropped: (lines: number) => void
  /** Writes the last lines of the process. */
  beforeExit: () => void
}

export function openLogOutput({ reportDropped, beforeExit }: LogOutputDeps): DestinationStream {
  let dropped = 0
  let isBroken = false
  let giveUpAt = Infinity
  const output = pino.destination({
    // Reading this property also keeps a write to a full pipe from blocking the thread.
    dest: process.stdout.fd,
    maxLength: WAITING_BYTES_MAX,
    retryEAGAIN: () => performance.now() < giveUpAt,
  })
  output.on('drop', () => (dropped += 1))
  // Such as a full disk. The next line tries again; at exit, pino would try without a limit.
  output.on('error', () => (isBroken = true))
  output.on('drain', () => {
    isBroken = false
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    reportDropped(lines)
  })
  // Before the listener of pino, which would wait for the reader without a limit.
  process.prependListener('exit', () => {
    if (isBroken) return output.destroy()
    // Lines now wait for flushSync. A write that is handed to the thread pool at the exit may be cancelled.
    Object.assign(output, { minLength: Infinity })
    beforeExit()
    giveUpAt = performance.now() + LAST_LINES_MS_MAX
    try {
      output.flushSync()
    } catch {
      output.destroy()
    }
  })
  return output
}
