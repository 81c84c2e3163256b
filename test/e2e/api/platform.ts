// A client as the developers of a client platform would write it, with types that openapi-typescript generates from docs/openapi.json.
// The compiler checks that the generated types are usable, and that the switch on `status` is complete. New codes may come, so a code is a string.
import createClient, { type Middleware } from 'openapi-fetch'
import type { components, paths } from './document-types.js'

type Refusal = components['schemas']['ApiError']
type Contract = components['schemas']['Contract']
export type NewContract = components['schemas']['CreateContract']

/** The possible reactions of a client to a refusal. */
export type Remedy = 'correct the request' | 'ask the operator' | 'wait and repeat' | 'report it'

/** Depends on `code` alone, because error messages may change. An unknown code is reported. */
export function remedyOf({ code }: Refusal): Remedy {
  switch (code) {
    case 'invalid_request':
    case 'not_found':
    case 'version_removed':
    case 'method_not_allowed':
    case 'body_too_large':
    case 'unsupported_media_type':
    case 'idempotency_key_reused':
    case 'headers_too_large':
      return 'correct the request'
    case 'invalid_key':
    case 'missing_scope':
    case 'account_suspended':
    case 'subscription_inactive':
    case 'quota_exceeded':
      return 'ask the operator'
    case 'request_timeout':
    case 'idempotency_in_progress':
    case 'rate_limited':
    case 'unavailable':
      return 'wait and repeat'
    default:
      return 'report it'
  }
}

/** True if the status cannot change any more, so that polling can stop. */
export function isFinal(status: Contract['status']): boolean {
  switch (status) {
    case 'pending_signature':
    case 'partially_signed':
      return false
    case 'signed':
    case 'expired':
    case 'cancelled':
      return true
    default:
      return status satisfies never
  }
}

/** The result of a call: a resource, an unchanged resource (304), or a refusal with the reaction. */
export type Outcome<Resource> =
  | { kind: 'there'; resource: Resource; etag: string | null; isReplay: boolean }
  | { kind: 'unchanged'; etag: string | null }
  | { kind: 'refused'; remedy: Remedy; refusal: Refusal; retryAfterSeconds: number | undefined }

/** @param onAnswer is called with each answer, for checks of the test */
export function createPlatform(
  apiUrl: string,
  key: string,
  onAnswer: (method: string, answer: Response) => Promise<void>,
) {
  const client = createClient<paths>({ baseUrl: apiUrl, headers: { 'x-api-key': key } })
  const watch: Middleware = { onResponse: ({ request, response }) => onAnswer(request.method, response) }
  client.use(watch)

  function outcomeOf<Resource>(
    resource: Resource | undefined,
    refusal: Refusal | undefined,
    { status, headers }: Response,
  ) {
    if (resource !== undefined) {
      const isReplay = headers.has('Idempotency-Replayed')
      return { kind: 'there', resource, etag: headers.get('ETag'), isReplay } satisfies Outcome<Resource>
    }
    if (status === 304 || refusal === undefined)
      return { kind: 'unchanged', etag: headers.get('ETag') } satisfies Outcome<Resource>
    const retryAfter = headers.get('Retry-After')
    return {
      kind: 'refused' as const,
      remedy: remedyOf(refusal),
      refusal,
      retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
    } satisfies Outcome<Resource>
  }

  return {
    async build(body: NewContract, idempotencyKey: string): Promise<Outcome<components['schemas']['CreatedContract']>> {
      const params = { header: { 'Idempotency-Key': idempotencyKey } }
      const { data, error, response } = await client.POST('/contracts', { params, body })
      return outcomeOf(data?.contract, error, response)
    },
    /** @param known the `etag` of the last answer; @param waitSeconds how long the service may wait for a change */
    async read(id: string, known?: string, waitSeconds?: number): Promise<Outcome<Contract>> {
      const header = {
        ...(known === undefined ? {} : { 'If-None-Match': known }),
        ...(waitSeconds === undefined ? {} : { Prefer: `wait=${waitSeconds}` }),
      }
      const { data, error, response } = await client.GET('/contracts/{id}', { params: { path: { id }, header } })
      return outcomeOf(data?.contract, error, response)
    },
    async usage(): Promise<Outcome<components['schemas']['Usage']>> {
      const { data, error, response } = await client.GET('/usage')
      return outcomeOf(data?.usage, error, response)
    },
    async status(): Promise<Outcome<components['schemas']['Status']>> {
      const { data, error, response } = await client.GET('/status')
      return outcomeOf(data, error, response)
    },
  }
}
