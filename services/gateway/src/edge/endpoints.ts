// The specification's endpoint table as code: path, method, label, scope, quota weight, who answers. Pure. [Endpoints, Versioning, D5]
// Paths match byte for byte on the raw request target, without its query: nothing is decoded, folded or normalised.
import type { Scope } from '@paraph/protocol/scope'
import type { EndpointLabel } from '@paraph/protocol/account-views'
import { DomainError } from '@paraph/protocol/errors'
import { patternOf } from '@paraph/http/route-table'

export interface Endpoint {
  method: 'GET' | 'POST'
  /** The path after the version; `{id}` stands for a contract id. */
  template: string
  path: RegExp
  /** Its name in usage records. [D3] */
  label: EndpointLabel
  /** Undefined if no scope is required. */
  scope: Scope | undefined
  /** Number of calls that a successful answer takes from the quota. */
  weight: 0 | 1
  /** The contract service, or the gateway's own procedure of this name. */
  answeredBy: 'contract' | 'status' | 'usage'
}

export const ENDPOINTS: readonly Endpoint[] = [
  row('POST /contracts', 'contracts:write', 1, 'contract'),
  row('GET /contracts/:id', 'contracts:read', 1, 'contract'),
  row('GET /usage', 'contracts:read', 0, 'usage'),
  row('GET /status', undefined, 0, 'status'),
]

/** Prefix of the external interface in every version; nothing else begins so. */
const EXTERNAL_PREFIX = '/api/'
export const V2_PREFIX = '/api/external/v2'
/** The page of the reference about the error codes; each code has an anchor there, the `type` of an error body. [RFC 9457] */
export const ERRORS_PATH = '/docs/errors'
/** Version 1 and every path below it, but not v10 or v1.1. */
const V1 = /^\/api\/external\/v1(?![\w.-])/

export type Match =
  /** Not the external interface but a page or a document. */
  | { kind: 'elsewhere' }
  | { kind: 'v1' }
  | { kind: 'unknown' }
  /** `path` is the path after the version, `template` its template; `endpoints` has one row per method, at least one. */
  | { kind: 'known'; path: string; template: string; endpoints: readonly Endpoint[] }

/** Whether a raw request target names the external interface, of any version. */
export const isExternal = (target: string): boolean => pathOfTarget(target).startsWith(EXTERNAL_PREFIX)

/** Matches a raw request target against the endpoint table. */
export function matchTarget(target: string): Match {
  if (!isExternal(target)) return { kind: 'elsewhere' }
  const path = pathOfTarget(target)
  if (V1.test(path)) return { kind: 'v1' }
  if (!path.startsWith(`${V2_PREFIX}/`)) return { kind: 'unknown' }
  const own = path.slice(V2_PREFIX.length)
  const endpoints = ENDPOINTS.filter((endpoint) => endpoint.path.test(own))
  const [first] = endpoints
  return first ? { kind: 'known', path: own, template: first.template, endpoints } : { kind: 'unknown' }
}

/** The raw path of a request target, without its query. Absolute targets are legal in HTTP/1.1 (RFC 9112, 3.2.2). */
export function pathOfTarget(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const query = local.indexOf('?')
  return query === -1 ? local : local.slice(0, query)
}

/** The answer to every request of version 1. [Versioning] */
export const versionRemoved = () =>
  new DomainError('version_removed', 'Version 1 of this interface was removed. Use /api/external/v2.')

function row(label: EndpointLabel, scope: Scope | undefined, weight: 0 | 1, answeredBy: Endpoint['answeredBy']) {
  const [method, labelled] = label.split(' ') as [Endpoint['method'], string]
  const template = labelled.replace(':id', '{id}')
  // Any path segment of RFC 3986: the contract service answers 404 to a segment that is no contract id.
  const path = patternOf(template, "[A-Za-z0-9._~%!$&'()*+,;=:@-]{1,200}")
  return { method, template, path, label, scope, weight, answeredBy }
}
