// Forwards requests of the parties' browsers to the signing service: the share link and related paths. [D44, D45]
// Buffers both directions, so that a client that disconnects cannot crash the process; only a file to check passes as it comes [D68].
// Redirects and pages pass unchanged.
// Owns: the list of paths, which headers and cookies are forwarded, and the page while the signing service is unavailable.
import type { IncomingHttpHeaders } from 'node:http'
import { PassThrough } from 'node:stream'
import type { Context, Middleware } from 'koa'
import type { Dispatcher } from 'undici'
import { INTERNAL_HEADERS } from '@paraph/protocol/internal-headers'
import { DomainError, unavailable } from '@paraph/protocol/errors'
import { SIGNING_TEMPLATES } from '@paraph/protocol/signing-paths'
import { clientLeft } from '@paraph/http/client-left'
import { logFailure, setRoute } from '@paraph/http/failed-request'
import { createRouteFinder } from '@paraph/http/route-table'
import type { TokenSigner } from '@paraph/rpc/service-token'
import { createServicePool } from '@paraph/rpc/service-pool'
import type { Logger } from '@paraph/telemetry/logger'
import { withUrlTemplate } from '@paraph/telemetry/tracing-facade'
import { formBodyOf, isCheckForm } from './form-limits.js'
import type { SendPlainPage } from './plain-page.js'
import { isBrokenConnection, wasNotSent } from '../edge/retry-once.js'
import { clientAddressOf } from '../edge/client-address.js'
import { pathOfTarget } from '../edge/endpoints.js'

const findTemplate = createRouteFinder(SIGNING_TEMPLATES.map((template) => ({ template })))
const PREFIXES = ['/contract/', '/.well-known/', '/assets/signing/', '/assets/brand/'] as const
const PATHS = ['/help', '/privacy', '/verify'] as const

/** A sealed PDF with its attachments is far smaller. */
const PAGE_BYTES_MAX = 32 * 1_048_576
const ANSWER_MS_MAX = 30_000
/** For the whole of a forwarded request: the retry and the wait for a free connection included. */
const FORWARD_MS_MAX = 35_000
/** The same for a file to check: the 60 s in which a request must arrive (raw-errors.ts), and the answer. */
const CHECK_MS_MAX = 90_000
const CONNECTIONS_MAX = 64
/** Requests under way, those that wait for a connection included; the next gets 503 without a wait. */
const UNDER_WAY_MAX = CONNECTIONS_MAX + 200
/** The cookies of the signing service, with and without the prefix of https. No other crosses, above all not the console's. */
const COOKIE = /^(?:__Host-)?(?:sign-[A-Za-z0-9-]*|kept-name|lang)$/

/** Request headers that are not forwarded: hop-by-hop headers (RFC 9110, 7.6.1), and headers that only the gateway may set. */
const NOT_FORWARDED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
  'authorization',
  'x-api-key',
  'forwarded',
  'traceparent',
  'tracestate',
  'baggage',
])
const NOT_RETURNED = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'trailer',
  'upgrade',
  'date',
  'set-cookie',
])

/** True for the paths of the signing service. */
function isSigningPath(path: string): boolean {
  return PREFIXES.some((prefix) => path.startsWith(prefix)) || PATHS.some((own) => own === path)
}

/** True for the form that signs: if its answer is lost, the outcome is unknown. [D41] */
const isSignature = (method: string, path: string): boolean =>
  method === 'POST' && path.startsWith('/contract/') && path.endsWith('/sign')

interface PagesProxyDeps {
  /** Public port of the signing service. */
  url: string
  signer: TokenSigner
  sendPlainPage: SendPlainPage
  logger: Logger
  /** Replaces FORWARD_MS_MAX by a shorter time limit. */
  forwardMsMax?: number
}

export function createPagesProxy({
  url,
  signer,
  sendPlainPage,
  logger,
  forwardMsMax = FORWARD_MS_MAX,
}: PagesProxyDeps) {
  let underWay = 0
  const pool = createServicePool(url, {
    connections: CONNECTIONS_MAX,
    headersTimeout: ANSWER_MS_MAX,
    bodyTimeout: ANSWER_MS_MAX,
    maxResponseSize: PAGE_BYTES_MAX,
  })

  async function attempt(options: Dispatcher.RequestOptions) {
    const { statusCode, headers, body } = await pool.request(options)
    return { statusCode, headers, body: Buffer.from(await body.arrayBuffer()) }
  }

  /** Forwards while there is room, and ends by itself: a frozen service never answers. */
  async function forwardWithin(ctx: Context, left: AbortSignal): Promise<void> {
    underWay += 1
    const late = new AbortController()
    const isCheck = isCheckForm(ctx)
    const timer = setTimeout(() => late.abort(), isCheck ? CHECK_MS_MAX : forwardMsMax)
    // A form that its browser has left may be at work in the signing service, so it keeps its place. A check has no effect.
    const keepsPlace = ctx.method === 'POST' && !isCheck
    const signal = keepsPlace ? late.signal : AbortSignal.any([late.signal, left])
    try {
      await forward(ctx, signal)
    } finally {
      clearTimeout(timer)
      underWay -= 1
    }
  }

  async function forward(ctx: Context, signal: AbortSignal): Promise<void> {
    const { method } = ctx
    const body = isCheckForm(ctx) ? passingBodyOf(ctx) : ((await formBodyOf(ctx)) ?? null)
    const options: Dispatcher.RequestOptions = {
      method: method as Dispatcher.HttpMethod,
      path: (ctx.req.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, ''),
      headers: {
        ...forwardedHeaders(ctx.req.headers),
        ...(body instanceof PassThrough ? lengthOf(ctx.req.headers) : {}),
        authorization: `Bearer ${await signer.signCached('signing')}`,
        [INTERNAL_HEADERS.requestId]: ctx.state.requestId,
        [INTERNAL_HEADERS.clientAddress]: clientAddressOf(ctx),
      },
      body,
      signal,
    }
    // The service may answer before it has read the whole file. The rest is discarded, so that the browser reads the answer.
    if (body instanceof PassThrough) body.once('close', () => ctx.req.unpipe(body).resume())
    const answer = await attempt(options).catch((error: unknown) => {
      if (body instanceof PassThrough) throw error
      // The service gets a form at most once; the next page shows whether the form had an effect.
      if (!(body === null ? isBrokenConnection(error) : wasNotSent(error))) throw error
      return attempt(options)
    })
    // The signing service refused the gateway's own token: a clock has just stepped, or the installation is misconfigured. [F32]
    if (answer.statusCode === 401)
      throw new Error("the signing service refused the gateway's service token; check the keys")
    ctx.status = answer.statusCode
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !NOT_RETURNED.has(name) && !name.startsWith('x-paraph-')) ctx.set(name, value)
    }
    const cookies = [answer.headers['set-cookie'] ?? []].flat().filter(isOfSigning)
    if (cookies.length > 0) ctx.set('Set-Cookie', cookies)
    // HEAD keeps the Content-Length of GET, which Koa would set to 0.
    if (method === 'HEAD') return
    ctx.body = answer.body
    if (answer.headers['content-type'] === undefined) ctx.remove('Content-Type')
  }

  /** The last middleware: forwards the signing service's paths, and answers 404 to all others. */
  const middleware: Middleware = async (ctx) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (!isSigningPath(path)) return sendPlainPage(ctx, 'notFound')
    const template = findTemplate(ctx.method, path)?.route.template
    if (template) setRoute(ctx, template)
    const page = isSignature(ctx.method, path) ? 'signatureUnknown' : 'signingUnavailable'
    if (underWay >= UNDER_WAY_MAX) return sendPlainPage(ctx, 'signingUnavailable')
    const left = clientLeft(ctx.res)
    try {
      await withUrlTemplate(template, () => forwardWithin(ctx, left))
    } catch (error) {
      if (left.aborted) return
      if (error instanceof DomainError) {
        ctx.set(error.headers)
        return sendPlainPage(ctx, error.status === 413 ? 'tooLarge' : 'unreadable')
      }
      logFailure(ctx, unavailable(error), logger)
      sendPlainPage(ctx, page)
    }
  }

  return { middleware, close: () => pool.close() }
}

/** A stream of its own: undici destroys the body of a request that ends early, and the browser's must stay open for the answer. */
function passingBodyOf({ req, res }: Context): PassThrough {
  if (req.headers.expect !== undefined) res.writeContinue()
  return req.pipe(new PassThrough().on('error', () => undefined))
}

/** Lets the signing service refuse a long file before it arrives. */
const lengthOf = ({ 'content-length': length }: IncomingHttpHeaders): Record<string, string> =>
  length === undefined ? {} : { 'content-length': length }

function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  // The client may declare further headers hop-by-hop.
  const hopByHop = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  const forwarded: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isReserved = name.startsWith('x-paraph-') || name.startsWith('x-forwarded-')
    if (typeof value === 'string' && !isReserved && !NOT_FORWARDED.has(name) && !hopByHop.has(name))
      forwarded[name] = name === 'cookie' ? cookiesOfSigning(value) : value
  }
  if (forwarded['cookie'] === '') delete forwarded['cookie']
  return forwarded
}

const cookiesOfSigning = (header: string): string =>
  header
    .split(';')
    .map((pair) => pair.trim())
    .filter(isOfSigning)
    .join('; ')

/** Whether a pair of a Cookie header, or a Set-Cookie, has a name of the signing service. */
const isOfSigning = (pair: string): boolean => COOKIE.test(pair.split('=', 1)[0]!.trim())
