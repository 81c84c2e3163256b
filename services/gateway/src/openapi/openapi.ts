// The public OpenAPI 3.1 document of the gateway's own two endpoints and those of the contract service. [Endpoints]
// Paths and schemas come from the procedures of the services; this file adds scopes, costs, headers and errors of the edge.
import type { Middleware } from 'koa'
import { request } from 'undici'
import { DomainError } from '@paraph/protocol/errors'
import { VERSION } from '@paraph/protocol/version'
import type { DescribedOperation, OpenApiPart } from '@paraph/rpc/openapi-document'
import { withUrlTemplate } from '@paraph/telemetry/tracing-facade'
import { edgeErrorsOf, errorResponses, HEADERS, successHeaders } from './edge-responses.js'
import { errorExamples, errorSchemas } from './error-catalogue.js'
import { ENDPOINTS, pathOfTarget, V2_PREFIX, type Endpoint } from '../edge/endpoints.js'
import { publicBody, sendPublicBody, type PublicBody } from '../pages/public-body.js'

const FETCH_MS_MAX = 5_000

type Json = { [key: string]: unknown }

/** The description of the interface as a whole. */
const INFO = {
  title: 'Paraph: multi-party contract signing',
  version: VERSION,
  summary: 'Create contracts with two or more parties and see who has signed.',
  description: [
    'You send the parties and the text of a contract. Each party gets an email with the shared link, confirms their email address with a one-time code, reads the whole contract and signs.',
    '**Keys.** Send your key in the header `x-api-key`. A production key begins with `paraph_live_`, a sandbox key with `paraph_test_`. Sandbox contracts expire after 1 hour.',
    '**Rate limit.** Every response has `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`. After a 429, wait for `Retry-After` and back off exponentially.',
    '**Quota.** Responses about contracts have `Paraph-Quota-Weight` and `Paraph-Quota-Billable`. Refusals, errors, replays and 304 are free.',
    '**Request id.** Every response has `Paraph-Request-Id`. Give it to the operator if you ask about a request.',
    '**Errors** have the body `{error, code, requestId, type}`, and `issues` with `invalid_request`. Decide by `code`; `type` links to its page.',
    '**Retries.** Send an `Idempotency-Key` with every POST, and you can retry it safely: within 30 days, the same key and body return the same contract.',
    '**Changes.** Responses may get new fields, headers and error codes: ignore what you do not know. Unknown fields of a request are ignored, unless you send `Prefer: handling=strict`. Nothing is removed within version 2. The tests of this product check every response against this document and reject undocumented fields.',
    '**Version 1** was removed: every path under `/api/external/v1` responds with 404 and the code `version_removed`.',
  ].join('\n\n'),
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
} as const

const TAGS = [
  { name: 'Contracts', description: 'Create a contract and follow its signing.' },
  { name: 'Account', description: 'Check a key, the quota and the usage.' },
] as const

/** What differs between installations. */
interface Installation {
  /** Where clients reach it, without a path. */
  baseUrl: string
  operatorAddress?: string | undefined
  /** The samples of the reference for an operation. [D56] */
  codeSamplesOf: (operationId: string, baseUrl: string) => readonly { lang: string; label: string; source?: string }[]
}

/**
 * Merges `parts` into one document. Pure. A schema name that two parts share must mean the same schema.
 */
export function mergeOpenApi(parts: readonly OpenApiPart[], { baseUrl, operatorAddress, codeSamplesOf }: Installation) {
  const paths: Record<string, Record<string, Json>> = {}
  for (const described of parts.flatMap(({ operations }) => operations)) {
    const methods = (paths[described.path] ??= {})
    methods[described.method] = {
      ...withEdge(described),
      'x-codeSamples': codeSamplesOf(String(described.operation['operationId']), baseUrl),
    }
  }
  const keyDescription = 'A key from the operator of this installation.'
  const apiKey = { type: 'apiKey', in: 'header', name: 'x-api-key', description: keyDescription }
  return {
    openapi: '3.1.0',
    info: operatorAddress === undefined ? INFO : { ...INFO, contact: { name: 'Operator', email: operatorAddress } },
    servers: [{ url: `${baseUrl}${V2_PREFIX}`, description: 'This installation.' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: { apiKey },
      headers: HEADERS,
      examples: errorExamples(baseUrl),
      schemas: { ...errorSchemas(baseUrl), ...(Object.assign({}, ...parts.map(({ schemas }) => schemas)) as Json) },
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

interface OpenApiDeps extends Installation {
  /** The gateway's part. */
  own: OpenApiPart
  /** Internal port of the contract service, which serves the other part. */
  contractUrl: string
}

/** The document of this installation, built at the first read. */
export function createOpenApi({ own, contractUrl, ...installation }: OpenApiDeps) {
  let built: Promise<{ document: OpenApiDocument; body: PublicBody }> | undefined

  /** @throws DomainError `unavailable` while the contract service does not answer */
  async function read() {
    built ??= fetchPart(contractUrl).then((part) => {
      const document = mergeOpenApi([part, own], installation)
      return { document, body: publicBody('application/json', JSON.stringify(document)) }
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
    const { body } = await read()
    ctx.set('Access-Control-Allow-Origin', '*')
    sendPublicBody(ctx, body, 'public, max-age=300')
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
