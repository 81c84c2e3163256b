// Detects that a client disconnected before its answer was complete.
import type { ServerResponse } from 'node:http'

/** Aborts when the connection closes before the answer was written completely. */
export function clientLeft(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) left.abort()
  }
  if (response.closed || response.destroyed) onClose()
  else response.once('close', onClose)
  return left.signal
}
