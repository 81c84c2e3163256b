// The edge: what every call to the external interface passes, in the order of the list at the end. [D5]
// Each step is one rule; reading the list is reading the specification. Errors are written by renderErrors, outside.
import type { Middleware, ParameterizedContext } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { asDomainError } from '@paraph/service/render-errors'
import { requireUsableAccount } from './account.js'
import type { AddressWindow } from './address-window.js'
import { environmentOfKey, fingerprintOf } from './api-key.js'
import { within } from './deadline.js'
import type { CachedKey, KeyCache } from './key-cache.js'
import type { ContractProxy } from './proxy.js'
import type { Quota, Reservation } from './quota.js'
import { rateLimited, rateLimitHeaders } from './rate-limit-headers.js'
import type { WindowState } from './rate-limit.js'
import { askForBody } from './request-body.js'
import type { OwnContext, RestRouter } from './rest-router.js'
import { matchTarget, type Endpoint, type Match } from './router.js'
import type { UsageRecord } from './usage.js'
import type { WindowStore } from './window-store.js'

/** What the steps learn of a call, each from those before it. */
interface EdgeState {
  requestId: string
  clientAddress: string
  /** The window whose numbers the answer shows. */
  window: () => WindowState
  match: Match
  /** Of the path, until the method is known to be one of theirs. */
  endpoints: readonly Endpoint[]
  path: string
  key: CachedKey
  /** The key was good a while ago and the database cannot be asked now. [D40] */
  isRecalled: boolean
  admittedAtMs: number
  endpoint: Endpoint
  reservation: Reservation | undefined
  /** Counts this call once, whoever asks first. */
  count: (billable: number) => Promise<boolean>
}

/** This and the contract service's time together stay below the life of a reservation (quota). */
const BODY_MS_MAX = 20_000

type Step = Middleware<EdgeState>
type Context = ParameterizedContext<EdgeState>

/** The steps in their order; every refusal is a DomainError, written by renderErrors. [D5] */
export function createEdge({
  addresses,
  keys,
  windows,
  usage,
  quota,
  contract,
  own,
}: {
  addresses: AddressWindow
  keys: KeyCache
  windows: WindowStore
  usage: UsageRecord
  quota: Quota
  contract: ContractProxy
  own: RestRouter
}): Middleware[] {
  /** The three headers stand on every answer and say how it is when the answer is written. [Limits, D9] */
  const showWindow: Step = async (ctx, next) => {
    const { state } = ctx
    state.window = () => addresses.look(state.clientAddress)
    try {
      await next()
    } finally {
      ctx.set(rateLimitHeaders(state.window()))
    }
  }

  const matchPath: Step = async ({ state, req }, next) => {
    state.match = matchTarget(req.url ?? '')
    if (state.match.kind === 'unknown') {
      countAddress(state)
      throw new DomainError('not_found', 'There is nothing at this path. Check it against the documentation.')
    }
    await next()
  }

  /** Never counted, never refused by a window. [Versioning, D9] */
  const refuseV1: Step = async ({ state }, next) => {
    if (state.match.kind !== 'known') {
      throw new DomainError('version_removed', 'Version 1 of this interface was removed. Use /api/external/v2.')
    }
    state.path = state.match.path
    state.endpoints = state.match.endpoints
    await next()
  }

  const authenticate: Step = async ({ state, req }, next) => {
    // Node joins a repeated header with a comma, which no key contains: two keys are no key. [D28]
    const sent = req.headers['x-api-key']
    const fingerprint = typeof sent === 'string' && environmentOfKey(sent) ? fingerprintOf(sent) : undefined
    state.isRecalled = false
    const key = fingerprint === undefined ? undefined : await findKey(state, fingerprint)
    if (!key) {
      countAddress(state)
      throw new DomainError('invalid_key', 'The API key is missing or not valid. Check the header x-api-key.')
    }
    state.key = key
    await next()
  }

  /** Window and quota belong to the account in one environment, not to a key. [D10] */
  const limitRate: Step = async ({ state }, next) => {
    const { account, environment, limits } = state.key
    const admission = await windows.admit(`${account.id} ${environment}`, limits.requestsPerMinute)
    state.admittedAtMs = performance.now()
    state.window = admission.state
    if (!admission.admitted) refuse(state, admission.state())
    await next()
  }

  const matchMethod: Step = async ({ state, method }, next) => {
    const endpoint = state.endpoints.find((row) => row.method === method)
    if (!endpoint) {
      const allowed = state.endpoints.map((row) => row.method).join(', ')
      throw new DomainError('method_not_allowed', `This path takes only ${allowed}.`, { headers: { Allow: allowed } })
    }
    state.endpoint = endpoint
    await next()
  }

  /** The call is counted before its answer is sent, whatever the answer. [D3, D40] */
  const countCall: Step = async (ctx, next) => {
    const { state } = ctx
    const { account, environment } = state.key
    if (state.isRecalled || usage.isFailing()) {
      if (state.endpoint.answeredBy !== 'status') {
        throw new DomainError('unavailable', 'Calls cannot be counted at the moment. Try again in a few seconds.')
      }
      return next()
    }
    let counted: Promise<boolean> | undefined
    state.count = (billable) =>
      (counted ??= usage.count({
        accountId: account.id,
        environment,
        endpoint: state.endpoint.label,
        billable,
        admittedAtMs: state.admittedAtMs,
        reservation: state.reservation,
      }))
    let failure: Error | undefined
    await next().catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error('what was thrown is no error', { cause: error })
    })
    const status = !failure ? ctx.status : asDomainError(failure).status
    // A replay costs nothing: the first answer was paid for. [D17]
    const weight = ctx.response.get('Idempotency-Replayed') === 'true' ? 0 : state.endpoint.weight
    const billable = (status >= 200 && status < 300) || status === 304 ? weight : 0
    if (state.endpoint.weight > 0) {
      ctx.set({ 'Paraph-Quota-Weight': String(weight), 'Paraph-Quota-Billable': String(billable > 0) })
    }
    await state.count(billable)
    if (failure) throw failure
  }

  /** A valid key learns its state from /status in any case. [D2] */
  const requireAccount: Step = async ({ state }, next) => {
    if (state.endpoint.answeredBy !== 'status') requireUsableAccount(state.key.account, state.key.environment)
    await next()
  }

  const requireScope: Step = async ({ state }, next) => {
    const { scope } = state.endpoint
    if (scope && !state.key.scopes.includes(scope)) {
      throw new DomainError('missing_scope', `This key lacks the scope ${scope}. Use a key that has it.`)
    }
    await next()
  }

  const enforceQuota: Step = async ({ state }, next) => {
    const { account, environment, limits } = state.key
    const stops = environment === 'sandbox' || account.stopAtQuota
    if (stops && state.endpoint.weight > 0) {
      state.reservation = await quota.reserve({ accountId: account.id, environment }, limits, state.admittedAtMs)
    }
    await next()
  }

  const answer: Step = async (ctx) => {
    const { state } = ctx
    if (state.endpoint.answeredBy === 'contract') return forward(ctx)
    const procedures = own.createCaller({
      key: state.key,
      admittedAtMs: state.admittedAtMs,
      countNow: () => state.count(0),
      isDatabaseAway: state.isRecalled || usage.isFailing(),
    } satisfies OwnContext)
    ctx.body = await procedures[state.endpoint.answeredBy]({})
  }

  async function forward(ctx: Context): Promise<void> {
    const { state, req } = ctx
    const { method } = state.endpoint
    const answered = await contract.forward({
      method,
      path: state.path,
      headers: req.headers,
      body: method === 'POST' ? await within(BODY_MS_MAX, askForBody(ctx), requestTimeout) : undefined,
      key: state.key,
      requestId: state.requestId,
    })
    ctx.status = answered.status
    ctx.set(answered.headers)
    ctx.body = answered.body
  }

  async function findKey(state: EdgeState, fingerprint: string): Promise<CachedKey | undefined> {
    try {
      return await keys.find(fingerprint)
    } catch (error) {
      const asksForStatus = state.endpoints.some((endpoint) => endpoint.answeredBy === 'status')
      const recalled =
        asksForStatus && asDomainError(error).code === 'unavailable' ? keys.recall(fingerprint) : undefined
      if (!recalled) throw error
      state.isRecalled = true
      return recalled
    }
  }

  /** Takes a slot of the client address, or refuses for want of one. [D9] */
  function countAddress(state: EdgeState): void {
    const admission = addresses.admit(state.clientAddress)
    if (!admission.admitted) refuse(state, admission.state())
  }

  return [
    showWindow,
    matchPath,
    refuseV1,
    authenticate,
    limitRate,
    matchMethod,
    countCall,
    requireAccount,
    requireScope,
    enforceQuota,
    answer,
  ] as Middleware[]
}

/** Retry-After and the RateLimit-Reset of the answer are one number. @throws DomainError `rate_limited` [D27] */
function refuse(state: EdgeState, window: WindowState): never {
  state.window = () => window
  throw rateLimited(window)
}

const requestTimeout = () =>
  new DomainError('request_timeout', 'The body did not arrive in time. Send the request again.', {
    headers: { Connection: 'close' },
  })
