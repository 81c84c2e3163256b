// The public OpenAPI 3.1 document: the gateway's own two endpoints and the contract service's, as one. [Endpoints]
// Paths and schemas come from the procedures of the services; what only the whole knows is added here.
import type { Middleware } from 'koa'
import { request } from 'undici'
import { DomainError } from '@paraph/protocol/errors'
import { ERROR_SCHEMA, type OpenApiPart } from '@paraph/service/openapi-document'
import { ENDPOINTS, pathOfTarget, V2_PREFIX } from './router.js'
import { VERSION } from './status.js'

const FETCH_MS_MAX = 5_000

/** What the document says of the interface as a whole. */
const INFO = {
  title: 'Paraph: multi-party contract signing',
  version: VERSION,
  summary: 'Create a contract with two or more parties, and follow who has signed.',
  description: [
    'Every party gets an e-mail with one shared link, confirms their mailbox with a one-time code, reads the whole contract and signs.',
    'Send your key in the header `x-api-key`. Keys that begin with `paraph_live_` are for production; those with `paraph_test_` are for the sandbox, where contracts expire after 1 hour.',
    'Every answer says how much of the per-minute window is left: `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`. After a 429 wait as long as `Retry-After` says.',
    'Unknown fields of a request are ignored. Errors are `{error, code, requestId}`; decide by `code`.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const

const TAGS = [
  { name: 'Contracts', description: 'Create a contract and follow its signing.' },
  { name: 'Account', description: 'What the key may do, and what was used of the quota.' },
] as const

/**
 * One document of all `parts`. Pure. The same schema under one name in two parts must be the same schema.
 * @param baseUrl where clients reach this installation, without a path
 */
export function mergeOpenApi(parts: readonly OpenApiPart[], baseUrl: string) {
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: `${baseUrl}${V2_PREFIX}` }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths: Object.fromEntries(parts.flatMap(({ paths }) => Object.entries(paths)).map(withQuotaHeaders)),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key from the operator of this installation.',
        },
      },
      schemas: {
        Error: ERROR_SCHEMA,
        ...(Object.assign({}, ...parts.map(({ components }) => components.schemas)) as Record<string, unknown>),
      },
    },
  }
}

/** On the successful answers of weighted endpoints; the gateway alone knows weights. [D3] */
const QUOTA_HEADERS = {
  'Paraph-Quota-Weight': {
    description: 'Calls of quota that this call costs when it is billed; 0 for a replay.',
    schema: { type: 'integer' },
  },
  'Paraph-Quota-Billable': {
    description: 'Whether this call was billed.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
} as const

type Operation = { responses?: Record<string, { headers?: object }> }

function withQuotaHeaders([path, methods]: [string, Record<string, unknown>]): [string, Record<string, unknown>] {
  const operations = Object.entries(methods).map(([method, operation]) => {
    const label = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
    const isWeighted = ENDPOINTS.some((endpoint) => endpoint.label === label && endpoint.weight > 0)
    const { responses } = operation as Operation
    if (!isWeighted || !responses) return [method, operation]
    const described = Object.entries(responses).map(([status, response]) =>
      status.startsWith('2') || status === '304'
        ? [status, { ...response, headers: { ...response.headers, ...QUOTA_HEADERS } }]
        : [status, response],
    )
    return [method, { ...(operation as Operation), responses: Object.fromEntries(described) as object }]
  })
  return [path, Object.fromEntries(operations) as Record<string, unknown>]
}

/**
 * Serves GET /openapi.json.
 * @param own the gateway's part @param contractUrl internal port of the contract service, asked at the first request
 */
export function serveOpenApi({
  own,
  contractUrl,
  baseUrl,
}: {
  own: OpenApiPart
  contractUrl: string
  baseUrl: string
}): Middleware {
  let document: Promise<string> | undefined

  async function build(): Promise<string> {
    const part = await fetchPart(contractUrl)
    return JSON.stringify(mergeOpenApi([part, own], baseUrl))
  }

  return async (ctx, next) => {
    if (pathOfTarget(ctx.req.url ?? '') !== '/openapi.json') return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      throw new DomainError('method_not_allowed', 'Use GET.', { headers: { Allow: 'GET, HEAD' } })
    }
    document ??= build()
    // What failed is not remembered: the contract service may only be late.
    const text = await document.catch((cause: unknown) => {
      document = undefined
      throw new DomainError('unavailable', 'The document is not complete yet. Try again in a few seconds.', { cause })
    })
    ctx.set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' })
    ctx.type = 'json'
    ctx.body = text
  }
}

async function fetchPart(contractUrl: string): Promise<OpenApiPart> {
  const { statusCode, body } = await request(new URL('/openapi.json', contractUrl), {
    signal: AbortSignal.timeout(FETCH_MS_MAX),
  })
  if (statusCode !== 200) {
    await body.dump()
    throw new Error(`the contract service answered ${statusCode}`)
  }
  return (await body.json()) as OpenApiPart
}
