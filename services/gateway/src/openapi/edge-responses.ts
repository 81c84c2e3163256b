// What the edge adds to each operation of the OpenAPI document: its error responses, and the headers of every answer. [D5]
import { ERROR_STATUS, type ErrorCode } from '@paraph/protocol/errors'
import type { Endpoint } from '../edge/endpoints.js'
import { DOCUMENTED_ERRORS, ERROR_CODES, REQUEST_ID, REQUEST_ID_PATTERN } from './error-catalogue.js'

type Json = { [key: string]: unknown }

/** The codes that the gateway itself answers at `endpoint`. [D5] */
export function edgeErrorsOf({ scope, weight, answeredBy, method }: Endpoint): ErrorCode[] {
  return [
    'invalid_request',
    'invalid_key',
    ...(scope ? (['missing_scope'] as const) : []),
    ...(answeredBy === 'status' ? [] : (['account_suspended', 'subscription_inactive'] as const)),
    'method_not_allowed',
    'request_timeout',
    ...(method === 'POST' ? (['body_too_large'] as const) : []),
    'rate_limited',
    ...(weight > 0 ? (['quota_exceeded'] as const) : []),
    'headers_too_large',
    'internal_error',
    'unavailable',
  ]
}

/** The headers of every answer. */
const EVERYWHERE = [
  'Paraph-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
]

/**
 * Whether a call that ends with `status` is counted always, sometimes or never. [D3, D5]
 * A call that gets a 401 is not counted, except a long poll whose key was revoked meanwhile. [D22]
 */
const countedWith = (status: number, { method }: Endpoint): 'always' | 'sometimes' | 'never' => {
  if ([403, 409, 413, 415, 422].includes(status)) return 'always'
  return [405, 431].includes(status) || (status === 401 && method === 'POST') ? 'never' : 'sometimes'
}

/** One response per status of `codes`, each with its possible bodies. */
export function errorResponses(codes: readonly ErrorCode[], endpoint: Endpoint): Json {
  const inOrder = ERROR_CODES.filter((code) => codes.includes(code))
  const byStatus = Object.groupBy(inOrder, (code) => ERROR_STATUS[code])
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, ofStatus]) => [status, errorResponse(Number(status), ofStatus, endpoint)]),
  )
}

function errorResponse(status: number, codes: readonly ErrorCode[], endpoint: Endpoint): Json {
  const examples = codes.flatMap((code) =>
    Object.entries(DOCUMENTED_ERRORS[code].examples)
      .filter(([, { at }]) => at?.(endpoint) ?? true)
      .map(([name]) => [name, { $ref: `#/components/examples/${name}` }]),
  )
  const schema = { $ref: '#/components/schemas/ApiError' }
  return {
    // Not an enum of the schema: generators would make a class of errors for each response. [D56]
    'x-error-codes': codes,
    description: codes.map((code) => `\`${code}\`: ${DOCUMENTED_ERRORS[code].when}.`).join('\n\n'),
    headers: headerRefs([
      ...EVERYWHERE,
      ...([409, 429, 503].includes(status) ? ['Retry-After'] : []),
      ...(status === 405 ? ['Allow'] : []),
      ...quotaHeadersOf(endpoint, countedWith(status, endpoint)),
    ]),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) as Json } },
  }
}

/** The headers of every success of `endpoint`. */
export const successHeaders = (endpoint: Endpoint): Json =>
  headerRefs([...EVERYWHERE, ...quotaHeadersOf(endpoint, 'always')])

/** An answer to a call that is not counted has neither of these two headers. */
function quotaHeadersOf({ weight }: Endpoint, counted: 'always' | 'sometimes' | 'never'): string[] {
  if (weight === 0 || counted === 'never') return []
  const suffix = counted === 'always' ? '' : '-If-Counted'
  return [`Paraph-Quota-Weight${suffix}`, `Paraph-Quota-Billable${suffix}`]
}

/** Components are named after the header, with `-If-Counted` if not every answer has the header. */
const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name.replace(/-If-Counted$/, ''), { $ref: `#/components/headers/${name}` }]))

const quotaWeight = {
  description: 'What this call takes from the quota if it is billed: 1, or 0 for a replay and for 304.',
  schema: { type: 'integer', minimum: 0, maximum: 1 },
  example: 1,
}
const quotaBillable = {
  description: 'Whether this call was billed: only 2xx is, and replays are not.',
  schema: { type: 'string', enum: ['true', 'false'] },
  example: 'true',
}
const count = (description: string, minimum: number, example: number) => ({
  description,
  required: true,
  schema: { type: 'integer', minimum },
  example,
})

/** The headers of more than one endpoint. [Limits, D3, D5, D27] */
export const HEADERS: Json = {
  'Paraph-Request-Id': {
    description: 'Identifies this request for the operator, the same as `requestId` in the body of an error.',
    required: true,
    schema: { type: 'string', pattern: REQUEST_ID_PATTERN },
    example: REQUEST_ID,
  },
  'RateLimit-Limit': count('Requests allowed in any 60 seconds.', 1, 60),
  'RateLimit-Remaining': count('Requests left after this one.', 0, 59),
  'RateLimit-Reset': count('Seconds until the oldest request of the last minute no longer counts.', 1, 60),
  'RateLimit-Policy': {
    description:
      'The limits as in the draft of the IETF: `q` requests in `w` seconds; for a counted call also the quota of the month.',
    required: true,
    schema: { type: 'string', pattern: '^"minute";q=[0-9]+;w=60(, "month";q=[0-9]+;w=[0-9]+)?$' },
    example: '"minute";q=60;w=60, "month";q=5000;w=2592000',
  },
  RateLimit: {
    description: 'What is left of each limit (`r`), and the seconds until there is more (`t`).',
    required: true,
    schema: { type: 'string', pattern: '^"minute";r=[0-9]+;t=[0-9]+(, "month";r=[0-9]+;t=[0-9]+)?$' },
    example: '"minute";r=59;t=60, "month";r=4903;t=1209600',
  },
  'Retry-After': count('Seconds to wait before trying again.', 1, 12),
  Allow: {
    description: 'The methods that the path supports.',
    required: true,
    schema: { type: 'string', pattern: '^(POST|GET, HEAD)$' },
    example: 'GET, HEAD',
  },
  'Paraph-Quota-Weight': { ...quotaWeight, required: true },
  'Paraph-Quota-Billable': { ...quotaBillable, required: true },
  'Paraph-Quota-Weight-If-Counted': {
    ...quotaWeight,
    description: `${quotaWeight.description} Absent if the call was refused before it was counted.`,
  },
  'Paraph-Quota-Billable-If-Counted': {
    ...quotaBillable,
    description: 'Always false here. Absent if the call was refused before it was counted.',
  },
}
