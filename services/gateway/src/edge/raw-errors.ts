// Answers requests that Node would refuse by itself: broken syntax, too large headers, an incomplete request, invalid headers. [D6, D9]
// The answers have the usual error body and the RateLimit headers. A socket gets none if an earlier answer is pending or it is closed.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Middleware } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { errorBody, REQUEST_ID_HEADER } from '@paraph/http/render-errors'
import type { AddressWindow } from '../rate-limit/address-limit.js'
import { clientAddressOf, resolveClientAddress } from './client-address.js'
import { matchTarget, versionRemoved } from './endpoints.js'
import { ANSWER_HEADERS, rateLimitHeaders } from './headers.js'
import { markBodyBroken } from './request-body.js'

/** Time for a client to send a whole request. */
const REQUEST_MS_MAX = 60_000

/** Time for a client to read a refusal and to close its connection. An earlier end might reset it before the client has read. */
const CLOSE_MS_MAX = 2_000

type Answer = ServerResponse<IncomingMessage>

/** `rawPacket` holds the last bytes that arrived, if Node provides them. */
type ClientError = Error & { code?: string; rawPacket?: Buffer }

/** Sets the limits of the public server and answers the requests that its parser refuses. @param errorsUrl the page about the error codes */
export function answerRawErrors(server: Server, addresses: AddressWindow, errorsUrl: string): void {
  server.requestTimeout = REQUEST_MS_MAX
  // Node applies the longer of the two limits to the request.
  server.headersTimeout = REQUEST_MS_MAX
  // Without this setting, Node silently drops headers beyond a default number, perhaps a second key. The total size is limited.
  server.maxHeadersCount = 0
  passHeadsToApp(server)
  const answersOf = trackAnswers(server)
  const ending = new WeakSet<Socket>()

  /** Writes `refusal` as the last answer of a socket, with the window of the peer, because no X-Forwarded-For was parsed. */
  function endWith(socket: Socket, refusal: DomainError): void {
    const requestId = randomUUID()
    const body = JSON.stringify(errorBody(refusal, requestId, errorsUrl))
    const headers = Object.entries({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
      [REQUEST_ID_HEADER]: requestId,
      ...ANSWER_HEADERS,
      ...rateLimitHeaders(addresses.peek(resolveClientAddress(socket.remoteAddress, undefined, 0))),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${headers.join('')}\r\n${body}`)
    // Node no longer watches this socket, so a client that does not close would hold it forever.
    const timer = setTimeout(() => socket.destroy(), CLOSE_MS_MAX).unref()
    socket.once('close', () => clearTimeout(timer))
  }

  // Without this listener, Node would close the connection without an answer. After the event, Node no longer handles the socket.
  server.on('connect', ({ url }, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    const end = () => endWith(socket, matchTarget(url ?? '').kind === 'v1' ? versionRemoved() : noProxy())
    const pending = answersOf(socket).findLast(({ writableFinished }) => !writableFinished)
    if (pending) pending.once('finish', end)
    else end()
  })

  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // Every further byte on a broken socket raises this event again.
    if (ending.has(socket)) return
    const answers = answersOf(socket)
    const isTimeout = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    // Wait for the answers to complete requests and to a request with a broken body, whose call has its own key and window.
    const pending = answers.findLast(
      ({ req, headersSent, writableFinished }) => !writableFinished && (req.complete || (!headersSent && !isTimeout)),
    )
    if (pending) {
      ending.add(socket)
      if (!pending.headersSent) pending.setHeader('Connection', 'close')
      pending.once('finish', () => socket.destroySoon())
      if (!pending.req.complete) markBodyBroken(pending.req)
      return
    }
    const last = answers.at(-1)
    // The broken request has its answer, or a part of it. The client would take a second answer for that of another request.
    if (last?.headersSent && !last.req.complete) return void socket.destroySoon()
    endWith(socket, answers.length === 0 && beginsWithV1(error.rawPacket) ? versionRemoved() : refusalOf(error.code))
  })
}

/** Refuses, before any other check, requests whose headers Node would refuse without an answer body. [D6, D9] */
export const refuseBrokenHead =
  (addresses: AddressWindow): Middleware =>
  (ctx, next) => {
    const violation = headViolation(ctx.req)
    // Every request of version 1 gets the answer of `versionRemoved`.
    if (!violation || matchTarget(ctx.req.url ?? '').kind === 'v1') return next()
    const window = rateLimitHeaders(addresses.peek(clientAddressOf(ctx)))
    const headers = { Connection: 'close', ...ANSWER_HEADERS, ...window }
    throw new DomainError('invalid_request', violation, { headers })
  }

function headViolation({ httpVersion, headers }: IncomingMessage): string | undefined {
  // HTTP/1.0 does not require Host and does not know Expect.
  if (httpVersion !== '1.1') return undefined
  if (headers.host === undefined) return 'The header Host is missing. Send the request again with it.'
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return undefined
  return 'The header Expect may only say 100-continue. Send the request again without it.'
}

/** Makes Node pass such requests to `refuseBrokenHead`, and leave `100 Continue` to `requestBody`. */
function passHeadsToApp(server: Server): void {
  // `requireHostHeader` is an option of createServer, which Node reads from the server at each request.
  Object.assign(server, { requireHostHeader: false })
  for (const event of ['checkExpectation', 'checkContinue'] as const) {
    server.on(event, (request, response) => server.emit('request', request, response))
  }
}

/** Tracks per socket the answers that are not fully sent, in the order of their requests; always includes the last one. */
function trackAnswers(server: Server): (socket: Socket) => readonly Answer[] {
  const answers = new WeakMap<Socket, Answer[]>()
  server.on('request', ({ socket }, answer) => {
    const earlier = answers.get(socket) ?? []
    answers.set(socket, [...earlier.filter(({ writableFinished }) => !writableFinished), answer])
  })
  return (socket) => answers.get(socket) ?? []
}

const noProxy = () => new DomainError('invalid_request', 'This is no proxy. Send requests to it, not through it.')

/** True if the request line that Node could not parse names version 1. [Versioning] */
function beginsWithV1(packet: Buffer | undefined): boolean {
  const [, target] = /^\S+ (\S+)/.exec(packet?.toString('latin1', 0, 200) ?? '') ?? []
  return target !== undefined && matchTarget(target).kind === 'v1'
}

function refusalOf(code: string | undefined): DomainError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new DomainError('headers_too_large', 'The headers have more than 16 KiB. Send fewer or shorter ones.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new DomainError('request_timeout', 'The request did not arrive in time. Send it again.')
  return new DomainError('invalid_request', 'This is not a valid HTTP request. Check it and send it again.')
}
