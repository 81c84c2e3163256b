// The one retry of a call to the contract service whose connection broke. [D17]
// Owns: what counts as a broken connection, how long it is worth waiting for the service to be there again. Does not own: how the
// retry is marked (proxy).
import { pause } from '@paraph/service/wake-up'

/** Also lets the other connections to a process that died be seen as closed, so that the retry does not take one of them. */
const PAUSE_MS = 100
/** Nothing was done yet: long enough for a hand-over between two processes, short enough to answer 503 soon. */
const NOT_MADE_MS_MAX = 1_000
/** The first try may have done the work and nobody knows: worth the time in which a supervisor starts a process again. */
const UNKNOWN_MS_MAX = 5_000

/** No connection was made: refused, not in time, no way there, no address of the name. */
const NOT_MADE = new Set([
  ...['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND'],
])
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/**
 * Tries, and tries once more when the connection broke. A connection that was not made reached nobody: it is asked for again for a
 * while, and does not use the retry up.
 * @param attempt is told whether it is the first try
 * @throws what the last try threw
 */
export async function tryTwice<T>(
  attempt: (isRetry: boolean) => Promise<T>,
  signal: AbortSignal,
  pauseMs = PAUSE_MS,
): Promise<T> {
  let firstBreakAtMs: number | undefined
  let reached = 0
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt(tries > 0)
    } catch (error) {
      if (!isBrokenConnection(error) || signal.aborted) throw error
      if (!reachedNobody(error)) reached += 1
      firstBreakAtMs ??= performance.now()
      const waitedMs = performance.now() - firstBreakAtMs
      if (reached > 1 || waitedMs >= (reached === 0 ? NOT_MADE_MS_MAX : UNKNOWN_MS_MAX)) throw error
      await pause(pauseMs, signal)
    }
  }
}

/** The other side closed, or was not there: it may have done the work, or nothing. A slow answer is not a broken connection. */
export const isBrokenConnection = (error: unknown): boolean =>
  reachedNobody(error) || (error instanceof Error && BROKEN.has(codeOf(error)))

/**
 * What was to be sent was not sent to anybody. A connection that stood says EHOSTUNREACH too, when its host goes while an answer is
 * waited for: whatever was being done then was not the making of a connection.
 */
export const reachedNobody = (error: unknown): boolean =>
  error instanceof Error && NOT_MADE.has(codeOf(error)) && !['read', 'write'].includes(syscallOf(error))

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code)
const syscallOf = (error: unknown): string => String((error as { syscall?: unknown }).syscall)
