// One HTTP exchange with another service; the answer is read whole as text. For small answers: undici's `request` creates a stream
// per answer, which costs a third of the whole exchange (docs/internal/performance.md). Owns: the promise settles exactly once.
// Does not own: connections, their time limits and the largest answer (options of the Pool).
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

interface TextAnswer {
  statusCode: number
  /** Lower-case names. */
  headers: IncomingHttpHeaders
  /** UTF-8. */
  text: string
}

/**
 * Sends `options` and reads the answer.
 * @param signal aborts the exchange with its reason, also while it waits for a connection
 * @throws the errors of undici: a broken connection, a time limit, an answer that is too large
 */
export function requestText(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal?: AbortSignal,
): Promise<TextAnswer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    let exchange: Dispatcher.DispatchController | undefined
    let statusCode = 0
    let headers: IncomingHttpHeaders = {}
    let chunks: Buffer[] = []
    const abort = (): void => {
      reject(signal?.reason as Error)
      exchange?.abort(signal?.reason as Error)
    }
    const removeListener = (): void => signal?.removeEventListener('abort', abort)
    signal?.addEventListener('abort', abort, { once: true })
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        // The signal aborted while the request waited for a connection.
        if (signal?.aborted) return controller.abort(signal.reason as Error)
        exchange = controller
      },
      onResponseStart(_, status, received) {
        // Informational answers may precede the final one.
        statusCode = status
        headers = received
        chunks = []
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        removeListener()
        resolve({ statusCode, headers, text: textOf(chunks) })
      },
      onResponseError(_, error) {
        removeListener()
        reject(error)
      },
    })
  })
}

const textOf = ([first, ...others]: Buffer[]): string =>
  first === undefined ? '' : (others.length === 0 ? first : Buffer.concat([first, ...others])).toString()
