// The public OpenAPI 3.1 document of the gateway's own two endpoints and those of the contract service. [Endpoints]
// Paths and schemas come from the procedures of the services; this file adds scopes, costs, headers and errors of the edge.
import type { Middleware } from 'koa'
import { request } from 'undici'
import { DomainError } from '@paraph/protocol/errors'
import { VERSION } from '@paraph/protocol/version'
import type { DescribedOperation, OpenApiPart } from '@paraph/rpc/openapi-document'
import { withUrlTemplate } from '@paraph/telemetry/tracing-facade'
import { edgeErrorsOf, errorResponses, HEADERS, successHeaders } from './edge-responses.js'
import { ERROR_SCHEMA, errorExamples } from './error-catalogue.js'
import { ENDPOINTS, pathOfTarget, V2_PREFIX, type Endpoint } from '../edge/endpoints.js'

const FETCH_MS_MAX = 5_000

type Json = { [key: string]: unknown }

/** The description of the interface as a whole. */
const INFO = {
  title: 'Paraph: multi-party contract signing',
  version: VERSION,
  summary: 'Create a contract with two or more parties, and follow who has signed.',
  description: [
    'Every party gets an e-mail with one shared link, confirms their mailbox with a one-time code, reads the whole contract and signs.',
    '**Keys.** Send your key in the header `x-api-key`. Keys that begin with `paraph_live_` are for production; those with `paraph_test_` are for the sandbox, where contracts expire after 1 hour.',
    '**Window.** Every answer says how much of the last minute is left: `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`. After a 429 wait as long as `Retry-After` says, and back off exponentially.',
    '**Quota.** Answers about contracts say what they cost: `Paraph-Quota-Weight` and `Paraph-Quota-Billable`. Refusals, failures and replays cost nothing.',
    '**Errors** are `{error, code, requestId}`, with `issues` for `invalid_request`. Decide by `code`.',
    '**Retries.** A POST with an `Idempotency-Key` can be repeated without fear: within 24 hours the same key and body give the same contract.',
    '**What may change.** Unknown fields of a request are ignored. Answers may get new fields, headers and error codes: ignore what you do not know. Nothing is taken away within version 2. The tests of this installation check every answer against this document with unknown fields forbidden.',
    '**Version 1** was removed: every path under `/api/external/v1` answers 404 with the code `version_removed`.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const

const TAGS = [
  { name: 'Contracts', description: 'Create a contract and follow its signing.' },
  { name: 'Account', description: 'What the key may do, and what was used of the quota.' },
] as const

/**
 * Merges `parts` into one document. Pure. A schema name that two parts share must mean the same schema.
 * @param baseUrl where clients reach this installation, without a path
 */
export function mergeOpenApi(parts: readonly OpenApiPart[], baseUrl: string) {
  const paths: Record<string, Record<string, Json>> = {}
  for (const described of parts.flatMap(({ operations }) => operations)) {
    const methods = (paths[described.path] ??= {})
    methods[described.method] = withEdge(described)
  }
  const keyDescription = 'A key from the operator of this installation.'
  const apiKey = { type: 'apiKey', in: 'header', name: 'x-api-key', description: keyDescription }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: `${baseUrl}${V2_PREFIX}`, description: 'This installation.' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: { apiKey },
      headers: HEADERS,
      examples: errorExamples(),
      schemas: { Error: ERROR_SCHEMA, ...(Object.assign({}, ...parts.map(({ schemas }) => schemas)) as Json) },
    },
  }
}

/** Adds what only the gateway knows of an operation: its scope, its cost, and the errors and headers of the edge. */
function withEdge({ method, path, operation, errors }: DescribedOperation): Json {
  const endpoint = endpointOf(method, path)
  const successes = Object.entries(operation.responses).map(([status, response]): [string, Json] => [
    status,
    { ...response, headers: { ...successHeaders(endpoint), ...(response['headers'] as Json) } },
  ])
  const codes = [...new Set([...edgeErrorsOf(endpoint), ...errors])]
  return {
    ...operation,
    description: `${operation['description'] as string} ${edgeSentences(endpoint)}`,
    responses: { ...Object.fromEntries(successes), ...errorResponses(codes, endpoint) },
  }
}

/** The last sentences of an operation's description. */
export const edgeSentences = ({ scope, weight }: Endpoint): string =>
  `${scope ? `Scope: \`${scope}\`.` : 'No scope is needed.'} Quota weight: ${weight}.`

/** The row of the endpoint table for an operation of the document. */
export function endpointOf(method: string, path: string): Endpoint {
  const label = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
  const endpoint = ENDPOINTS.find((row) => row.label === label)
  if (!endpoint) throw new Error(`${label} is in the OpenAPI document, but not in the endpoint table`)
  return endpoint
}

export type OpenApiDocument = ReturnType<typeof mergeOpenApi>

interface OpenApiDeps {
  /** The gateway's part. */
  own: OpenApiPart
  /** Internal port of the contract service, which serves the other part. */
  contractUrl: string
  baseUrl: string
}

/** The document of this installation, built at the first read. */
export function createOpenApi({ own, contractUrl, baseUrl }: OpenApiDeps) {
  let built: Promise<{ document: OpenApiDocument; text: string }> | undefined

  /** @throws DomainError `unavailable` while the contract service does not answer */
  async function read() {
    built ??= fetchPart(contractUrl).then((part) => {
      const document = mergeOpenApi([part, own], baseUrl)
      return { document, text: JSON.stringify(document) }
    })
    // A failure is not cached: the contract service may still be starting.
    return built.catch((cause: unknown) => {
      built = undefined
      throw new DomainError('unavailable', 'The document is not complete yet. Try again in a few seconds.', { cause })
    })
  }

  /** Serves GET /openapi.json. */
  const middleware: Middleware = async (ctx, next) => {
    if (pathOfTarget(ctx.req.url ?? '') !== '/openapi.json') return next()
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new DomainError('method_not_allowed', 'Use GET.', { headers: { Allow: 'GET, HEAD' } })
    const { text } = await read()
    ctx.set({ 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' })
    ctx.type = 'json'
    ctx.body = text
  }

  return { middleware, read: async () => (await read()).document }
}

async function fetchPart(contractUrl: string): Promise<OpenApiPart> {
  const signal = AbortSignal.timeout(FETCH_MS_MAX)
  const send = () => request(new URL('/openapi.json', contractUrl), { signal })
  const { statusCode, body } = await withUrlTemplate('/openapi.json', send)
  if (statusCode !== 200) {
    await body.dump()
    throw new Error(`the contract service answered ${statusCode}`)
  }
  return (await body.json()) as OpenApiPart
}
