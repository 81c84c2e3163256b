// What Node answers by itself: broken syntax, headers too large, a request that never ended, a head that HTTP forbids. [D6, D9]
// They get the one error body and the three headers, where the socket still listens and no answer is owed on it.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Middleware } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { errorBody } from '@paraph/service/render-errors'
import type { AddressWindow } from './address-window.js'
import { clientAddressOf } from './client-address.js'
import { rateLimitHeaders } from './rate-limit-headers.js'

/** Milliseconds that a client gets to send a whole request. */
const REQUEST_MS_MAX = 60_000

type Answer = ServerResponse<IncomingMessage>

/** Sets the limits of the public server and answers what it refuses. */
export function answerRawErrors(server: Server, addresses: AddressWindow): void {
  server.requestTimeout = REQUEST_MS_MAX
  // Of the two Node takes the longer for the request, whichever it is.
  server.headersTimeout = REQUEST_MS_MAX
  passHeadsOn(server)
  const answersOf = rememberAnswers(server)
  const ending = new WeakSet<Socket>()
  server.on('clientError', (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // Every further byte on a broken socket is an error of its own.
    if (ending.has(socket)) return
    const answers = answersOf(socket)
    const owed = answers.findLast(({ req, writableFinished }) => req.complete && !writableFinished)
    if (owed) {
      // What the request did is done: its answer goes out, whatever follows it on the socket.
      ending.add(socket)
      if (!owed.headersSent) owed.setHeader('Connection', 'close')
      owed.once('finish', () => socket.destroySoon())
      return
    }
    const last = answers.at(-1)
    // The broken request is answered already, or half: a second answer would be taken for that of another request.
    if (last?.headersSent && !last.req.complete) return void socket.destroy()
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

/** Refuses what Node would refuse without a body, before anything else is looked at. [D6, D9] */
export const refuseBrokenHead =
  (addresses: AddressWindow): Middleware =>
  (ctx, next) => {
    const { httpVersion, headers } = ctx.req
    const broken = (sentence: string) =>
      new DomainError('invalid_request', sentence, {
        headers: {
          Connection: 'close',
          ...rateLimitHeaders(addresses.look((ctx.state['clientAddress'] as () => string)())),
        },
      })
    // HTTP/1.0 knows neither header.
    if (httpVersion !== '1.1') return next()
    if (headers.host === undefined) throw broken('The header Host is missing. Send the request again with it.')
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
      throw broken('The header Expect may only say 100-continue. Send the request again without it.')
    }
    return next()
  }

/** Node leaves these heads to `refuseBrokenHead` and the `100 Continue` to whoever wants the body. */
function passHeadsOn(server: Server): void {
  // The option of createServer under the name by which Node looks it up for each request.
  Object.assign(server, { requireHostHeader: false })
  for (const event of ['checkExpectation', 'checkContinue'] as const) {
    server.on(event, (request, response) => server.emit('request', request, response))
  }
}

/** Gives the answers of a socket that are not sent in full, in the order of their requests, and in any case the last. */
function rememberAnswers(server: Server): (socket: Socket) => readonly Answer[] {
  const answers = new WeakMap<Socket, Answer[]>()
  server.on('request', ({ socket }, answer) => {
    const earlier = answers.get(socket) ?? []
    answers.set(socket, [...earlier.filter(({ writableFinished }) => !writableFinished), answer])
  })
  return (socket) => answers.get(socket) ?? []
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
