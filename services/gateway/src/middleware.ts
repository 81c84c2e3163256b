// The edge: what every call to the external interface passes, in the order of the two lists in the middle. [D5]
// Each step is one rule; reading the lists is reading the specification. Errors are written by renderErrors, outside.
import type { Context, Middleware } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import { asDomainError } from '@paraph/service/render-errors'
import { requireUsableAccount } from './account.js'
import type { AddressWindow } from './address-window.js'
import { setAnswerHeaders } from './answer-headers.js'
import { environmentOfKey, fingerprintOf } from './api-key.js'
import { callOf, windowNameOf, type Call } from './call.js'
import { tellAdmitted, tellRefusal } from './edge-metrics.js'
import { createForwardStep } from './forward-step.js'
import type { CachedKey, KeyCache } from './key-cache.js'
import type { KeyLastUse } from './key-last-use.js'
import type { ContractProxy } from './proxy.js'
import type { Quota } from './quota.js'
import { rateLimited, showWindow } from './rate-limit-headers.js'
import type { WindowState } from './rate-limit.js'
import type { OwnContext, RestRouter } from './rest-router.js'
import { matchTarget, versionRemoved } from './router.js'
import type { StoreClock } from '@paraph/service/store-clock'
import type { UsageRecord } from './usage.js'
import type { Waits } from './waits.js'
import type { Admission, WindowStore } from './window-store.js'

/** One rule: passes, or refuses with a DomainError. Waits only where it has to: most calls pass most steps without a pause. */
type Step = (call: Call) => void | Promise<void>

/** Answers what names the external interface; every refusal is a DomainError, written by renderErrors. [D5] */
export function createEdge({
  addresses,
  keys,
  lastUse,
  windows,
  clock,
  usage,
  quota,
  contract,
  waits,
  own,
}: {
  addresses: AddressWindow
  keys: KeyCache
  lastUse: KeyLastUse
  windows: WindowStore
  clock: StoreClock
  usage: UsageRecord
  quota: Quota
  contract: ContractProxy
  waits: Waits
  own: RestRouter
}): Middleware {
  const matchPath: Step = (call) => {
    const match = matchTarget(call.ctx.req.url ?? '')
    if (match.kind === 'known') {
      call.path = match.path
      call.endpoints = match.endpoints
      noteRoute(call.ctx.req.url ?? '')
      return
    }
    // Never counted, never refused by a window. [Versioning, D9]
    if (match.kind === 'v1') throw versionRemoved()
    countAddress(call)
    throw new DomainError('not_found', 'There is nothing at this path. Use one of those in /openapi.json.')
  }

  const authenticate: Step = (call) => {
    // Node joins a repeated header with a comma, which no key contains: two keys are no key. [D28]
    const sent = call.ctx.req.headers['x-api-key']
    if (typeof sent !== 'string' || !environmentOfKey(sent)) return letIn(call, undefined)
    call.fingerprint = fingerprintOf(sent)
    return whenKnown(findKey(call, call.fingerprint), (found) => letIn(call, found))
  }

  function letIn(call: Call, key: CachedKey | undefined): void {
    if (!key) {
      countAddress(call)
      throw invalidKey()
    }
    call.key = key
    lastUse.note(key.id)
  }

  /** Window and quota belong to the account in one environment, not to a key. [D10] */
  const limitRate: Step = (call) => {
    const asked = windows.admit(windowNameOf(call.key), call.key.limits.requestsPerMinute)
    return whenKnown(asked, (admission) => keepTo(call, admission))
  }

  function keepTo(call: Call, admission: Admission): void {
    call.admittedAtMs = performance.now()
    call.window = admission.state
    if (!admission.admitted) refuse(call, admission.state())
    tellAdmitted(call)
  }

  const matchMethod: Step = (call) => {
    const endpoint = call.endpoints.find((row) => row.method === call.ctx.req.method)
    if (!endpoint) {
      const allowed = call.endpoints.map((row) => row.method).join(', ')
      throw new DomainError('method_not_allowed', `Use ${allowed}: this path takes nothing else.`, {
        headers: { Allow: allowed },
      })
    }
    call.endpoint = endpoint
  }

  /** A valid key learns its state from /status in any case. [D2] */
  const requireAccount: Step = ({ endpoint, key }) => {
    if (endpoint.answeredBy !== 'status') requireUsableAccount(key.account, key.environment)
  }

  const requireScope: Step = ({ endpoint: { scope }, key }) => {
    if (scope && !key.scopes.includes(scope)) {
      throw new DomainError('missing_scope', `This key lacks the scope ${scope}. Use a key that has it.`)
    }
  }

  /** Who waits is told what the steps above would say to the key, as soon as they would say it. [D22] */
  function requireStill(call: Call, key: CachedKey | undefined): void {
    if (!key) {
      call.window = () => addresses.look(addressOf(call.ctx))
      throw invalidKey()
    }
    for (const step of [requireAccount, requireScope]) void step({ ...call, key })
  }

  const enforceQuota: Step = (call) => {
    const { account, environment } = call.key
    if (call.endpoint.weight > 0 && (environment === 'sandbox' || account.stopAtQuota)) return reserve(call)
  }

  async function reserve(call: Call): Promise<void> {
    const { account, environment, limits } = call.key
    try {
      call.reservation = await quota.reserve({ accountId: account.id, environment }, limits, call.admittedAt)
    } catch (error) {
      const mayBeReplay = call.endpoint.method === 'POST' && call.ctx.req.headers['idempotency-key'] !== undefined
      if (!mayBeReplay || asDomainError(error).code !== 'quota_exceeded') throw error
      call.overQuota = asDomainError(error)
    }
  }

  const forward = createForwardStep({ contract, waits, requireStill })

  const answer: Step = (call) => {
    const { answeredBy } = call.endpoint
    return answeredBy === 'contract' ? forward(call) : answerHere(call, answeredBy)
  }

  async function answerHere(call: Call, procedure: 'status' | 'usage'): Promise<void> {
    const { ctx, key, admittedAt } = call
    const procedures = own.createCaller({
      key,
      admittedAt,
      countNow: () => countOnce(call, 0),
      isDatabaseAway: call.isRecalled || usage.isFailing(),
    } satisfies OwnContext)
    ctx.body = await procedures[procedure]({})
  }

  /** The order of the specification: who these steps refuse is not in the record of calls, … [D3, D5] */
  const uncounted: readonly Step[] = [matchPath, authenticate, limitRate, matchMethod]
  /** … and what follows is, whatever comes of it. */
  const counted: readonly Step[] = [requireAccount, requireScope, enforceQuota, answer]

  return async (ctx: Context) => {
    const call = callOf(ctx, () => addresses.look(addressOf(ctx)))
    setAnswerHeaders(ctx.res)
    try {
      for (const step of uncounted) {
        const waiting = step(call)
        if (waiting) await waiting
      }
      await countedWhile(call)
    } catch (error) {
      tellRefusal(call, error)
      throw error
    } finally {
      // On every answer, and as it is when the answer is written. [Limits, D9]
      showWindow(ctx.res, call.window())
    }
  }

  /** The call is counted before its answer is sent, whatever the answer. [D3, D40] */
  async function countedWhile(call: Call): Promise<void> {
    const { ctx, endpoint } = call
    if (call.isRecalled || usage.isFailing()) {
      if (endpoint.answeredBy === 'status') return serve(call)
      showReceipt(call, endpoint.weight, 0)
      throw new DomainError('unavailable', 'Calls cannot be counted at the moment. Try again in a few seconds.')
    }
    const admittedAt = clock.instantOf(call.admittedAtMs)
    call.admittedAt = admittedAt instanceof Promise ? await admittedAt : admittedAt
    let failure: Error | undefined
    try {
      await serve(call)
    } catch (error) {
      failure = error instanceof Error ? error : new Error('what was thrown is no error', { cause: error })
    }
    // Nobody is there to be answered, and a GET has changed nothing: it is not counted. [D3, D22]
    if (endpoint.method === 'GET' && (call.isGone || ctx.req.socket.destroyed)) {
      if (call.reservation) await countOnce(call, 0, false)
      // Not for the client any more: for the log.
      if (failure) throw failure
      return
    }
    const status = !failure ? ctx.status : asDomainError(failure).status
    // A replay costs nothing: the first answer was paid for. [D17]
    const weight = ctx.response.get('Idempotency-Replayed') === 'true' ? 0 : endpoint.weight
    const billable = (status >= 200 && status < 300) || status === 304 ? weight : 0
    showReceipt(call, weight, billable)
    await countOnce(call, billable)
    if (failure) throw failure
  }

  async function serve(call: Call): Promise<void> {
    for (const step of counted) {
      const waiting = step(call)
      if (waiting) await waiting
    }
  }

  /** Counts the call, unless it is counted already. True once it is durable. */
  function countOnce(call: Call, billable: number, answered = true): Promise<boolean> {
    const { key, endpoint, admittedAt, reservation } = call
    return (call.counting ??= usage.count({
      accountId: key.account.id,
      environment: key.environment,
      endpoint: endpoint.label,
      billable,
      admittedAt,
      reservation,
      answered,
    }))
  }

  function findKey(call: Call, fingerprint: string): CachedKey | Promise<CachedKey | undefined> | undefined {
    const found = keys.find(fingerprint)
    return found instanceof Promise ? found.catch((error: unknown) => recall(call, fingerprint, error)) : found
  }

  /** A key that was good a while ago answers /status while the database cannot be asked. [D40] */
  function recall(call: Call, fingerprint: string, error: unknown): CachedKey {
    const asksForStatus = call.endpoints.some((endpoint) => endpoint.answeredBy === 'status')
    const recalled = asksForStatus && asDomainError(error).code === 'unavailable' ? keys.recall(fingerprint) : undefined
    if (!recalled) throw error
    call.isRecalled = true
    return recalled
  }

  /** Takes a slot of the client address, or refuses for want of one. [D9] */
  function countAddress(call: Call): void {
    const admission = addresses.admit(addressOf(call.ctx))
    if (!admission.admitted) refuse(call, admission.state())
  }
}

/** Goes on at once with what is known already; a promise for it would cost more than most steps. */
function whenKnown<T>(value: T | Promise<T>, use: (known: T) => void): void | Promise<void> {
  return value instanceof Promise ? value.then(use) : use(value)
}

const invalidKey = () =>
  new DomainError('invalid_key', 'The API key is missing or not valid. Check the header x-api-key.')

/** What a weighted call costs, on each answer to it. [D3] */
function showReceipt({ ctx, endpoint }: Call, weight: number, billable: number): void {
  if (endpoint.weight === 0) return
  ctx.set({ 'Paraph-Quota-Weight': String(weight), 'Paraph-Quota-Billable': String(billable > 0) })
}

const addressOf = (ctx: Context): string => (ctx.state['clientAddress'] as () => string)()

/** Retry-After and the RateLimit-Reset of the answer are one number. @throws DomainError `rate_limited` [D27] */
function refuse(call: Call, window: WindowState): never {
  call.window = () => window
  throw rateLimited(window)
}
