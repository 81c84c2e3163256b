// The single retry of a call to another service whose connection broke. [D17]
// Owns: what counts as a broken connection, and how long to wait for the service to come back. Does not own: how the retry is marked
// (contract-proxy).
import { pause } from '@paraph/background/wake-up'

/** Long enough for the other connections to a dead process to close, so that the retry does not take one of them. */
const PAUSE_MS = 100
/** Time limit while no request was sent: long enough for a hand-over between two processes, short enough for an early 503. */
const NOT_CONNECTED_MS_MAX = 1_000
/** Time limit once a request may have been processed: the time in which a supervisor restarts a process. */
const UNKNOWN_MS_MAX = 5_000

/** Error codes without a connection: refused, timed out, no route, no address for the name. */
const NOT_CONNECTED = /^(ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/
const BROKEN = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/

/**
 * Runs `attempt`, and once more if its connection broke. An attempt that could not connect sent nothing: it is repeated for up to 1 s and
 * does not count as the retry.
 * @param attempt `isRetry` is false for the first try alone
 * @throws the error of the last try
 */
export async function retryOnce<T>(attempt: (isRetry: boolean) => Promise<T>, signal: AbortSignal, pauseMs = PAUSE_MS) {
  let firstBreakAtMs: number | undefined
  let sent = 0
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(tries > 0)
    } catch (error) {
      if (!isBrokenConnection(error) || signal.aborted) throw error
      if (!wasNotSent(error)) sent += 1
      firstBreakAtMs ??= performance.now()
      const waitedMs = performance.now() - firstBreakAtMs
      if (sent > 1 || waitedMs >= (sent === 0 ? NOT_CONNECTED_MS_MAX : UNKNOWN_MS_MAX)) throw error
      await pause(pauseMs, signal)
    }
  }
}

/** True if the connection was closed or never made: the service may have processed the request or not. False for a slow answer. */
export const isBrokenConnection = (error: unknown): boolean =>
  wasNotSent(error) || (error instanceof Error && BROKEN.test(codeOf(error)))

/**
 * True if the request was never sent. An open connection also fails with EHOSTUNREACH when its host disappears, but then the failing
 * system call is `read` or `write`.
 */
export const wasNotSent = (error: unknown): boolean =>
  error instanceof Error && NOT_CONNECTED.test(codeOf(error)) && !['read', 'write'].includes(syscallOf(error))

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code)
const syscallOf = (error: unknown): string => String((error as { syscall?: unknown }).syscall)
