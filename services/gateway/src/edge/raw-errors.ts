// What Node answers by itself: broken syntax, headers too large, a request that never ended, a head that HTTP forbids. [D6, D9]
// They get the one error body and the three headers, where the socket still listens and no answer is owed on it.
import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Middleware } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { errorBody } from '@paraph/service/render-errors'
import type { AddressWindow } from './address-window.js'
import { ANSWER_HEADERS } from './answer-headers.js'
import { clientAddressOf } from './client-address.js'
import { rateLimitHeaders } from './rate-limit-headers.js'
import { breakBody } from './request-body.js'
import { matchTarget, versionRemoved } from './router.js'

/** Milliseconds that a client gets to send a whole request. */
const REQUEST_MS_MAX = 60_000

type Answer = ServerResponse<IncomingMessage>

/** `rawPacket` is what arrived last, as far as Node says. */
type ClientError = Error & { code?: string; rawPacket?: Buffer }

/** Sets the limits of the public server and answers what it refuses. */
export function answerRawErrors(server: Server, addresses: AddressWindow): void {
  server.requestTimeout = REQUEST_MS_MAX
  // Of the two Node takes the longer for the request, whichever it is.
  server.headersTimeout = REQUEST_MS_MAX
  // Node drops the headers after the 2,000th, a second key among them; their bytes are limited, so their number is.
  server.maxHeadersCount = 0
  passHeadsOn(server)
  const answersOf = rememberAnswers(server)
  const ending = new WeakSet<Socket>()

  /** The last bytes on a socket. Without headers there is no X-Forwarded-For: the window shown is the peer's. */
  function endWith(socket: Socket, refusal: DomainError): void {
    const body = JSON.stringify(errorBody(refusal, randomUUID()))
    const headers = Object.entries({
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
      ...ANSWER_HEADERS,
      ...rateLimitHeaders(addresses.look(clientAddressOf(socket.remoteAddress, undefined, 0))),
    }).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${headers.join('')}\r\n${body}`)
  }

  // Node would close the connection without a word. From here on the socket is nobody's but ours.
  server.on('connect', ({ url }, socket: Socket) => {
    socket.on('error', () => socket.destroy())
    const end = () => endWith(socket, matchTarget(url ?? '').kind === 'v1' ? versionRemoved() : noProxy())
    const owed = answersOf(socket).findLast(({ writableFinished }) => !writableFinished)
    if (owed) owed.once('finish', end)
    else end()
  })

  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // Every further byte on a broken socket is an error of its own.
    if (ending.has(socket)) return
    const answers = answersOf(socket)
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    // What the requests did is done, and one whose body broke has a key and a window of its own: their answers go out.
    const owed = answers.findLast(
      ({ req, headersSent, writableFinished }) => !writableFinished && (req.complete || (!headersSent && !isLate)),
    )
    if (owed) {
      ending.add(socket)
      if (!owed.headersSent) owed.setHeader('Connection', 'close')
      owed.once('finish', () => socket.destroySoon())
      if (!owed.req.complete) breakBody(owed.req)
      return
    }
    const last = answers.at(-1)
    // The broken request is answered already, or half: a second answer would be taken for that of another request.
    if (last?.headersSent && !last.req.complete) return void socket.destroySoon()
    endWith(socket, answers.length === 0 && beginsWithV1(error.rawPacket) ? versionRemoved() : refusalOf(error.code))
  })
}

/** Refuses what Node would refuse without a body, before anything else is looked at: the key, too. [D6, D9] */
export const refuseBrokenHead =
  (addresses: AddressWindow): Middleware =>
  (ctx, next) => {
    const fault = faultOfHead(ctx.req)
    // Version 1 is gone, whatever the head is like.
    if (!fault || matchTarget(ctx.req.url ?? '').kind === 'v1') return next()
    const window = rateLimitHeaders(addresses.look((ctx.state['clientAddress'] as () => string)()))
    throw new DomainError('invalid_request', fault, { headers: { Connection: 'close', ...ANSWER_HEADERS, ...window } })
  }

function faultOfHead({ httpVersion, headers }: IncomingMessage): string | undefined {
  // HTTP/1.0 knows neither header.
  if (httpVersion !== '1.1') return undefined
  if (headers.host === undefined) return 'The header Host is missing. Send the request again with it.'
  if (headers.expect === undefined || headers.expect.toLowerCase() === '100-continue') return undefined
  return 'The header Expect may only say 100-continue. Send the request again without it.'
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

const noProxy = () => new DomainError('invalid_request', 'This is no proxy. Send requests to it, not through it.')

/** True when the request line that Node could not take names version 1, whatever its method. [Versioning] */
function beginsWithV1(packet: Buffer | undefined): boolean {
  const [, target] = /^\S+ (\S+)/.exec(packet?.toString('latin1', 0, 200) ?? '') ?? []
  return target !== undefined && matchTarget(target).kind === 'v1'
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
