// One HTTP exchange with a service behind, its answer read whole as text. For small answers: undici's `request` makes a stream
// for each, which costs a third of the whole hop (docs/performance.md). Owns: that it ends once, whoever ends it first.
// Does not own: connections, their time limits and the largest answer (the Pool's options).
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

export interface TextAnswer {
  statusCode: number
  /** Lower-case names. */
  headers: IncomingHttpHeaders
  /** UTF-8. */
  text: string
}

/**
 * Sends `options` and reads the answer.
 * @param signal gives up at once, in the queue for a connection too, with its reason
 * @throws what undici reports: a broken connection, a time limit, an answer that is too large
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
    const giveUp = (): void => {
      reject(signal?.reason as Error)
      exchange?.abort(signal?.reason as Error)
    }
    const forget = (): void => signal?.removeEventListener('abort', giveUp)
    signal?.addEventListener('abort', giveUp, { once: true })
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        // It had waited for a connection while it was given up.
        if (signal?.aborted) return controller.abort(signal.reason as Error)
        exchange = controller
      },
      onResponseStart(_, status, received) {
        // 1xx answers come first, the last one counts.
        statusCode = status
        headers = received
        chunks = []
      },
      onResponseData: (_, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        forget()
        resolve({ statusCode, headers, text: textOf(chunks) })
      },
      onResponseError(_, error) {
        forget()
        reject(error)
      },
    })
  })
}

const textOf = ([first, ...others]: Buffer[]): string =>
  first === undefined ? '' : (others.length === 0 ? first : Buffer.concat([first, ...others])).toString()
