// What Node answers before any request exists: broken syntax, headers too large, a request that never ended. [D6, D9]
// They get the one error body and the three headers, where the socket still listens.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { DomainError } from '@paraph/protocol/errors'
import { errorBody } from '@paraph/service/render-errors'
import type { AddressWindow } from './address-window.js'
import { clientAddressOf } from './client-address.js'
import { rateLimitHeaders } from './rate-limit-headers.js'

/** Milliseconds that a client gets to send a whole request. */
const REQUEST_MS_MAX = 60_000

/** Sets the limits of the public server and answers what it refuses. */
export function answerRawErrors(server: Server, addresses: AddressWindow): void {
  server.requestTimeout = REQUEST_MS_MAX
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    // Node keeps the answer under way here; a second one behind its headers would corrupt it.
    const underWay = (socket as { _httpMessage?: ServerResponse })._httpMessage
    if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent) {
      socket.destroy()
      return
    }
    const refusal = refusalOf(error.code)
    const body = JSON.stringify(errorBody(refusal, randomUUID()))
    // Without headers there is no X-Forwarded-For: the window shown is the peer's.
    const window = addresses.look(clientAddressOf(socket.remoteAddress, undefined, 0))
    const headers = Object.entries({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
      ...rateLimitHeaders(window),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${headers.join('')}\r\n${body}`)
  })
}

function refusalOf(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError('headers_too_large', 'The headers have more than 16 KiB. Send fewer or shorter ones.')
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new DomainError('request_timeout', 'The request did not arrive in time. Send it again.')
  }
  return new DomainError('invalid_request', 'This is not a valid HTTP request. Check it and send it again.')
}
