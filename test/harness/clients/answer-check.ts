// Checks an answer of the external interface against docs/openapi.json: status, headers and body. Rejects undocumented fields: clients
// must tolerate unknown fields, but the product must not send undocumented ones. [Errors, Limits, D3, D6]
// openapi.e2e.test.ts checks that the gateway serves the same document.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Json = { [key: string]: unknown }

interface DocumentedHeader {
  required?: boolean
  schema: Json
}
interface DocumentedResponse {
  'x-error-codes'?: readonly string[]
  headers?: Record<string, DocumentedHeader | { $ref: string }>
  content?: Record<string, unknown>
}

/** An answer to check. */
export interface Received {
  method: string
  /** The URL, or the request target of a raw request. */
  url: string
  status: number
  headers: Headers
  /** The body as received; undefined if the method has none (HEAD). */
  text: string | undefined
}

const PREFIX = '/api/external/'
const V2 = `${PREFIX}v2`
/** The headers of every answer. */
const EVERYWHERE = [
  'Paraph-Request-Id',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const
/** Headers that have a meaning in this interface. The check reports such a header if the operation does not document it. */
const MEANT =
  /^(?:paraph-|ratelimit|etag$|last-modified$|retry-after$|allow$|location$|idempotency-|preference-applied$)/

const document = JSON.parse(
  readFileSync(fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url)), 'utf8'),
) as Json & {
  paths: Record<string, Record<string, { responses: Record<string, DocumentedResponse> }>>
  components: { headers: Record<string, DocumentedHeader>; schemas: Record<string, Json> }
}
const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addFormat('idn-email', true)
for (const schema of Object.values(document.components.schemas)) close(schema)
for (const methods of Object.values(document.paths))
  for (const { responses } of Object.values(methods))
    for (const { content } of Object.values(responses))
      close((content?.['application/json'] as Json)?.['schema'] as Json)
ajv.addSchema(document, 'document')

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { responses }]) => ({
    path,
    method: method.toUpperCase(),
    responses,
    pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[A-Za-z0-9._~%!$&'()*+,;=:@-]{1,200}")}$`),
  })),
)

/** Every undocumented answer so far. A test that expects calls to fail may catch the error of `checkAnswer`; a closing stack reads this. */
export const faultsFound: string[] = []

/** @throws Error that names the undocumented parts of the answer */
export function checkAnswer(received: Received): void {
  const target = received.url.replace(/^https?:\/\/[^/]*/, '').replace(/[?#].*$/s, '')
  if (!target.startsWith(PREFIX)) return
  const faults = target.startsWith(V2) ? faultsInV2(received, target.slice(V2.length)) : faultsBeyond(received)
  if (faults.length === 0) return
  const fault = [
    `docs/openapi.json does not describe this answer to ${received.method} ${target}, status ${received.status}:`,
    ...faults.map((each) => `- ${each}`),
    received.text ?? '',
  ].join('\n')
  faultsFound.push(fault)
  throw new Error(fault)
}

/** Checks an answer of `fetch` with `checkAnswer`. Reads a clone, so the caller can still read the body. */
export async function checkResponse(method: string, response: Response): Promise<Response> {
  const text = method === 'HEAD' ? undefined : await response.clone().text()
  checkAnswer({ method, url: response.url, status: response.status, headers: response.headers, text })
  return response
}

function faultsInV2(received: Received, path: string): string[] {
  const ofPath = operations.filter(({ pattern }) => pattern.test(path))
  const operation = ofPath.find(({ method }) => method === received.method)
  if (!operation) return faultsBeyond(received)
  const response = operation.responses[String(received.status)]
  if (!response) return [`the status is not among ${Object.keys(operation.responses).join(', ')}`]
  const pointer = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(received.status)]
  return [
    ...faultsOfHeaders(received.headers, response.headers ?? {}),
    ...faultsOfBody(received, response.content ? [...pointer, 'content', 'application/json', 'schema'] : undefined),
    ...faultsOfCode(received, response['x-error-codes']),
    ...faultsOfReceipt(received),
  ]
}

function faultsOfCode({ text }: Received, codes: readonly string[] | undefined): string[] {
  if (codes === undefined || text === undefined) return []
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? 'none'
  return codes.includes(code) ? [] : [`the code ${code} is not among ${codes.join(', ')}`]
}

/** Checks an answer to another method, an unknown path or version 1: it needs the error body and the rate-limit headers. [D6, D9] */
function faultsBeyond(received: Received): string[] {
  const known = document.components.headers
  const headers = Object.fromEntries(EVERYWHERE.map((name) => [name, known[name]!]))
  for (const name of ['Allow', 'Retry-After']) headers[name] = { ...known[name]!, required: false }
  if (received.status === 405) headers['Allow'] = known['Allow']!
  if (received.status === 429 || received.status === 503) headers['Retry-After'] = known['Retry-After']!
  return [
    ...(received.status < 400 ? ['no operation has this method and path'] : []),
    ...faultsOfHeaders(received.headers, headers),
    ...faultsOfBody(received, ['components', 'schemas', 'ApiError']),
  ]
}

function faultsOfHeaders(received: Headers, documented: Record<string, DocumentedHeader | { $ref: string }>): string[] {
  const faults: string[] = []
  const names = new Set<string>()
  for (const [name, described] of Object.entries(documented)) {
    names.add(name.toLowerCase())
    const { required, schema } = resolve(described)
    const value = received.get(name)
    if (value === null) {
      if (required) faults.push(`the header ${name} is missing`)
      continue
    }
    const typed = schema['type'] === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value
    if (!ajv.validate(schema, typed)) faults.push(`the header ${name} ${ajv.errorsText(ajv.errors)}: ${value}`)
  }
  received.forEach((value, name) => {
    if (MEANT.test(name) && !names.has(name)) faults.push(`the header ${name} is not documented: ${value}`)
  })
  return faults
}

function resolve(described: DocumentedHeader | { $ref: string }): DocumentedHeader {
  if (!('$ref' in described)) return described
  return document.components.headers[described.$ref.replace('#/components/headers/', '')]!
}

function faultsOfBody({ headers, text }: Received, pointer: string[] | undefined): string[] {
  if (text === undefined) return []
  if (!pointer) return text === '' ? [] : ['there is a body']
  const type = headers.get('content-type') ?? ''
  if (!/^application\/json(?:;|$)/.test(type)) return [`the body is ${type === '' ? 'of no type' : type}`]
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return ['the body is not JSON']
  }
  const validate = validatorOf(pointer)
  if (validate(body)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `body${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

const validators = new Map<string, ValidateFunction>()
function validatorOf(pointer: string[]): ValidateFunction {
  const at = pointer.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
  const known = validators.get(at) ?? ajv.compile({ $ref: `document#/${at}` })
  validators.set(at, known)
  return known
}

/** Checks the receipt, which follows from the status and from `Idempotency-Replayed`. [D3, D17, D53] */
function faultsOfReceipt({ status, headers }: Received): string[] {
  const [weight, billable] = [headers.get('paraph-quota-weight'), headers.get('paraph-quota-billable')]
  if (weight === null || billable === null) return []
  const isFree = headers.has('idempotency-replayed') || status === 304
  if (weight !== (isFree ? '0' : '1')) return [`Paraph-Quota-Weight is ${weight}`]
  return billable === String(status < 300 && !isFree) ? [] : [`Paraph-Quota-Billable is ${billable}`]
}

/** Forbids undocumented fields in every object schema that lists its fields. */
function close(schema: Json | undefined): void {
  if (!schema) return
  const properties = schema['properties'] as Record<string, Json> | undefined
  if (properties && schema['additionalProperties'] === undefined) schema['unevaluatedProperties'] = false
  for (const inner of Object.values(properties ?? {})) close(inner)
  close(schema['items'] as Json | undefined)
  for (const inner of (schema['anyOf'] ?? []) as Json[]) close(inner)
}
