// The rules of the edge, each a step of its own; edge.ts puts them in order. [D5]
import { DomainError } from '@paraph/protocol/errors'
import { setRoute } from '@paraph/http/failed-request'
import { asDomainError } from '@paraph/http/render-errors'
import { requireUsableAccount } from '../accounts/access.js'
import { environmentOfKey, fingerprintOf } from '../keys/api-key.js'
import type { CachedKey, KeyCache } from '../keys/key-cache.js'
import type { KeyLastUse } from '../keys/key-last-use.js'
import type { WindowStore } from '../rate-limit/sliding-window.js'
import type { Quota } from '../usage/quota.js'
import { requireSlot, whenKnown, windowNameOf, type Call, type Step } from './call.js'
import { recordAdmitted } from './edge-metrics.js'
import { matchTarget, V2_PREFIX, versionRemoved } from './endpoints.js'

/** Sets `path` and `endpoints`. @param countAddress takes a slot of the client address for an unknown path */
export const matchPath =
  (countAddress: (call: Call) => void): Step =>
  (call) => {
    const match = matchTarget(call.ctx.req.url ?? '')
    if (match.kind === 'known') {
      call.path = match.path
      call.endpoints = match.endpoints
      setRoute(call.ctx, `${V2_PREFIX}${match.template}`)
      return
    }
    // Version 1 is never counted and never refused by a window. [Versioning, D9]
    if (match.kind === 'v1') throw versionRemoved()
    countAddress(call)
    throw new DomainError('not_found', 'There is no endpoint at this path. /openapi.json lists all endpoints.')
  }

interface AuthenticateDeps {
  keys: Pick<KeyCache, 'find' | 'recall'>
  lastUse: Pick<KeyLastUse, 'record'>
  /** Takes a slot of the client address for a call without a valid key. */
  countAddress: (call: Call) => void
}

/** Sets `key` and `fingerprint`. The step throws `invalidKey`, or what `countAddress` or the key store throws. [D9, D28, D40] */
export function createAuthenticate({ keys, lastUse, countAddress }: AuthenticateDeps): Step {
  function acceptKey(call: Call, key: CachedKey | undefined): void {
    if (!key) {
      countAddress(call)
      const { headers } = call.ctx.req
      throw headers.authorization !== undefined && headers['x-api-key'] === undefined
        ? keyInOtherHeader()
        : invalidKey()
    }
    call.key = key
    lastUse.record(key.id)
  }

  /** While the database is unavailable, a key that was valid recently may call /status. [D40] */
  function recall(call: Call, fingerprint: string, error: unknown): CachedKey {
    const isStatus = call.endpoints.some((endpoint) => endpoint.answeredBy === 'status')
    const recalled = isStatus && asDomainError(error).code === 'unavailable' ? keys.recall(fingerprint) : undefined
    if (!recalled) throw error
    call.isRecalled = true
    return recalled
  }

  return (call) => {
    // Node joins repeated headers with a comma, which no key contains: two keys count as a missing key. [D28]
    const sent = call.ctx.req.headers['x-api-key']
    if (typeof sent !== 'string' || !environmentOfKey(sent)) return acceptKey(call, undefined)
    const fingerprint = (call.fingerprint = fingerprintOf(sent))
    const found = keys.find(fingerprint)
    const key = found instanceof Promise ? found.catch((error: unknown) => recall(call, fingerprint, error)) : found
    return whenKnown(key, (known) => acceptKey(call, known))
  }
}

export const invalidKey = () =>
  new DomainError('invalid_key', 'The API key is missing or not valid. Check the header x-api-key.')

const keyInOtherHeader = () =>
  new DomainError('invalid_key', 'The header Authorization is not read. Send the API key in the header x-api-key.')

/** Takes a slot of the account's window in the key's environment. [D10] */
export const limitRate =
  (windows: WindowStore): Step =>
  (call) =>
    whenKnown(windows.admit(windowNameOf(call.key), call.key.limits.requestsPerMinute), (admission) => {
      call.admittedAtMs = performance.now()
      call.window = admission.state
      requireSlot(call, admission)
      recordAdmitted(call)
    })

/** Sets `endpoint`. HEAD is a GET without a body, which Koa omits. [RFC 9110, 9.3.2, D67] */
export const matchMethod: Step = (call) => {
  const method = call.ctx.req.method === 'HEAD' ? 'GET' : call.ctx.req.method
  const endpoint = call.endpoints.find((row) => row.method === method)
  if (!endpoint) {
    const allowed = call.endpoints.map((row) => (row.method === 'GET' ? 'GET, HEAD' : row.method)).join(', ')
    const sentence = `Use ${allowed.replace(', ', ' or ')}: this path supports no other method.`
    throw new DomainError('method_not_allowed', sentence, { headers: { Allow: allowed } })
  }
  call.endpoint = endpoint
}

/** Requires a usable account, except at /status, where every valid key may read its own state. [D2] */
export const requireAccount = ({ endpoint, key }: Pick<Call, 'endpoint' | 'key'>): void => {
  if (endpoint.answeredBy !== 'status') requireUsableAccount(key.account, key.environment)
}

export const requireScope = ({ endpoint: { scope }, key }: Pick<Call, 'endpoint' | 'key'>): void => {
  if (scope && !key.scopes.includes(scope))
    throw new DomainError('missing_scope', `This key lacks the scope ${scope}. Use a key that has it.`)
}

/** Reserves quota for a call with weight if the quota is a hard stop. Sets `overQuota` for a call whose answer may be free. [D4, D17, D53] */
export function enforceQuota(quota: Pick<Quota, 'reserve'>): Step {
  async function reserve(call: Call): Promise<void> {
    const { account, environment, limits } = call.key
    try {
      call.reservation = await quota.reserve({ accountId: account.id, environment }, limits, call.admittedAt)
    } catch (error) {
      const mayBeFree = call.ctx.req.headers[call.endpoint.method === 'POST' ? 'idempotency-key' : 'if-none-match']
      if (mayBeFree === undefined || asDomainError(error).code !== 'quota_exceeded') throw error
      call.overQuota = asDomainError(error)
    }
  }
  return (call) => {
    const { account, environment } = call.key
    if (call.endpoint.weight > 0 && (environment === 'sandbox' || account.stopAtQuota)) return reserve(call)
  }
}
