// Passes a party's browser on to the signing service: the share link and what belongs to it, nothing else. [D44, D45]
// Buffered in both directions, so that a client that leaves early never ends the process. Redirects, cookies and pages are
// the signing service's own. Owns: the list of paths, which headers travel, what people read when signing is away.
import type { IncomingHttpHeaders } from 'node:http'
import type { Context, Middleware } from 'koa'
import type { Dispatcher } from 'undici'
import { INTERNAL_HEADERS } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { TokenSigner } from '@paraph/service/caller-token'
import { createServicePool } from '@paraph/service/service-pool'
import type { Logger } from '@paraph/telemetry/logger'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import { writePlainPage } from './plain-page.js'
import { isBrokenConnection, reachedNobody } from './single-retry.js'
import { askForBody } from './request-body.js'
import { pathOfTarget } from './router.js'

const PREFIXES = ['/contract/', '/.well-known/', '/assets/signing/'] as const
const PATHS = ['/help', '/privacy'] as const

/** Forms are small; the longest field is a name. */
const BODY_BYTES_MAX = 65_536
/** A sealed PDF with its attachments stays far below. */
const PAGE_BYTES_MAX = 32 * 1_048_576
const ANSWER_MS_MAX = 30_000

/** What stays on this side: hop by hop (RFC 9110, 7.6.1), and what only we may say. */
const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'host', 'content-length', 'expect', 'authorization', 'x-api-key', 'forwarded'],
  ...['traceparent', 'tracestate', 'baggage'],
])
const NOT_RETURNED = new Set(['connection', 'keep-alive', 'transfer-encoding', 'trailer', 'upgrade', 'date'])

/** True for the paths that the signing service answers. */
function isSigningPath(path: string): boolean {
  return PREFIXES.some((prefix) => path.startsWith(prefix)) || PATHS.some((own) => own === path)
}

/** True for the form that signs: what it did is not known when its answer is lost. [D41] */
const isSignature = (method: string, path: string): boolean =>
  method === 'POST' && path.startsWith('/contract/') && path.endsWith('/sign')

/** @param https whether people reach the site by https, which decides the cookies' names */
export function createPagesProxy({
  url,
  signer,
  https,
  logger,
}: {
  url: string
  signer: TokenSigner
  https: boolean
  logger: Logger
}) {
  const pool = createServicePool(url, {
    connections: 64,
    headersTimeout: ANSWER_MS_MAX,
    bodyTimeout: ANSWER_MS_MAX,
    maxResponseSize: PAGE_BYTES_MAX,
  })

  async function attempt(options: Dispatcher.RequestOptions) {
    const { statusCode, headers, body } = await pool.request(options)
    return { statusCode, headers, body: Buffer.from(await body.arrayBuffer()) }
  }

  async function forward(ctx: Context): Promise<void> {
    const { method } = ctx
    const body = method === 'GET' || method === 'HEAD' ? null : await askForBody(ctx, BODY_BYTES_MAX)
    const options: Dispatcher.RequestOptions = {
      method: method as Dispatcher.HttpMethod,
      path: (ctx.req.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, ''),
      headers: {
        ...forwardedHeaders(ctx.req.headers),
        authorization: `Bearer ${await signer.signAnonymous('signing')}`,
        [INTERNAL_HEADERS.requestId]: ctx.state['requestId'] as string,
        [INTERNAL_HEADERS.clientAddress]: (ctx.state['clientAddress'] as () => string)(),
      },
      body,
    }
    const answer = await attempt(options).catch((error: unknown) => {
      // A form arrives once at most: whether it had its effect, the next page will show.
      if (!(body === null ? isBrokenConnection(error) : reachedNobody(error))) throw error
      return attempt(options)
    })
    ctx.status = answer.statusCode
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined && !NOT_RETURNED.has(name) && !name.startsWith('x-paraph-')) ctx.set(name, value)
    }
    // The length of what GET would have given is part of the answer to HEAD; Koa would make it 0.
    if (method === 'HEAD') return
    ctx.body = answer.body
    if (answer.headers['content-type'] === undefined) ctx.remove('Content-Type')
  }

  /** Answers everything outside the external interface: the signing service's pages, and a page that says there is none. */
  const middleware: Middleware = async (ctx) => {
    const path = pathOfTarget(ctx.req.url ?? '')
    if (!isSigningPath(path)) return writePlainPage(ctx, 'notFound', { https })
    noteRoute(path)
    try {
      await forward(ctx)
    } catch (error) {
      if (error instanceof DomainError) {
        ctx.set(error.headers)
        return writePlainPage(ctx, error.status === 413 ? 'tooLarge' : 'unreadable', { https })
      }
      logger.error({ err: error, requestId: ctx.state['requestId'] as string }, 'the signing service does not answer')
      writePlainPage(ctx, isSignature(ctx.method, path) ? 'signatureUnknown' : 'away', { https })
    }
  }

  return { middleware, close: () => pool.close() }
}

function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  // A client may name further headers as hop by hop.
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  const forwarded: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isOurs = name.startsWith('x-paraph-') || name.startsWith('x-forwarded-')
    if (typeof value === 'string' && !isOurs && !NOT_FORWARDED.has(name) && !named.has(name)) forwarded[name] = value
  }
  return forwarded
}
