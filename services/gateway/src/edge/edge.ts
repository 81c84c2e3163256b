// The edge: the steps that every call to the external interface passes, in the order of the two lists below. [D5]
// The order is that of the specification. A call that reaches the second list is counted before its answer is sent. [D3, D4, D40]
// Does not own: writing the errors (`renderErrors`).
import type { Context, Middleware } from 'koa'
import type { StoreClock } from '@paraph/background/store-clock'
import { DomainError } from '@paraph/protocol/errors'
import { asDomainError } from '@paraph/http/render-errors'
import type { CachedKey, KeyCache } from '../keys/key-cache.js'
import type { KeyLastUse } from '../keys/key-last-use.js'
import type { AddressWindow } from '../rate-limit/address-limit.js'
import type { WindowStore } from '../rate-limit/sliding-window.js'
import type { RequestLog } from '../request-log/recorder.js'
import type { Quota } from '../usage/quota.js'
import { billingPeriodOf } from '../usage/billing-period.js'
import type { Counted, UsageRecord } from '../usage/recorder.js'
import { createCall, requireSlot, runSteps, type Call, type Step } from './call.js'
import { clientAddressOf } from './client-address.js'
import type { ContractProxy } from './contract-proxy.js'
import { logCall } from './logged-call.js'
import { recordRefusal } from './edge-metrics.js'
import { createForward } from './forward.js'
import { setAnswerHeaders, setRateLimitHeaders, type MonthState } from './headers.js'
import type { LongPolls } from './long-poll.js'
import type { OwnContext, RestRouter } from './own-endpoints.js'
import { createAuthenticate, enforceQuota, invalidKey, limitRate, matchMethod, matchPath } from './steps.js'
import { requireAccount, requireScope } from './steps.js'

interface EdgeDeps {
  addresses: AddressWindow
  keys: KeyCache
  lastUse: KeyLastUse
  windows: WindowStore
  clock: StoreClock
  usage: UsageRecord
  requestLog: Pick<RequestLog, 'record'>
  quota: Quota
  contract: ContractProxy
  longPolls: LongPolls
  own: RestRouter
}

/** Answers calls to the external interface. Every refusal is a DomainError. [D5] */
export function createEdge(deps: EdgeDeps): Middleware {
  const { addresses, keys, lastUse, windows, requestLog, quota, contract, longPolls, own } = deps
  const { countOnce, isUnavailable, serveCounted } = createCallRecorder(deps)

  /** Takes a slot of the client address. @throws DomainError `rate_limited` if no slot is free [D9] */
  const countAddress = (call: Call): void => requireSlot(call, addresses.admit(clientAddressOf(call.ctx)))

  /** Re-checks a long-polling call: a key that would now be refused ends the wait. [D22] */
  function requireAccess(call: Call, key: CachedKey | undefined): void {
    if (!key) {
      call.window = () => addresses.peek(clientAddressOf(call.ctx))
      throw invalidKey()
    }
    requireAccount({ ...call, key })
    requireScope({ ...call, key })
  }

  async function answerHere(call: Call, procedure: 'status' | 'usage'): Promise<void> {
    const procedures = own.createCaller({
      key: call.key,
      admittedAt: call.admittedAt,
      countNow: async () => (await countOnce(call, 0)).isDurable,
      isDatabaseUnavailable: isUnavailable(call),
    } satisfies OwnContext)
    call.ctx.body = await procedures[procedure]({})
  }

  const forward = createForward({ contract, longPolls, requireAccess })

  const answer: Step = (call) => {
    const { answeredBy } = call.endpoint
    return answeredBy === 'contract' ? forward(call) : answerHere(call, answeredBy)
  }

  /** The first steps. A call that one of them refuses is not counted in the usage record. [D3, D5] */
  const uncounted: readonly Step[] = [
    matchPath(countAddress),
    createAuthenticate({ keys, lastUse, countAddress }),
    limitRate(windows),
    matchMethod,
  ]
  /** The further steps. A call that reaches them is counted, whatever its answer, except a GET whose client has left. */
  const counted: readonly Step[] = [requireAccount, requireScope, enforceQuota(quota), answer]

  return async (ctx: Context) => {
    const call = createCall(ctx, () => addresses.peek(clientAddressOf(ctx)))
    setAnswerHeaders(ctx.res)
    try {
      await runSteps(uncounted, call)
      await serveCounted(call, (admitted) => runSteps(counted, admitted))
      logCall(requestLog, call)
    } catch (error) {
      recordRefusal(call, error)
      logCall(requestLog, call, asDomainError(error))
      throw error
    } finally {
      // Sets the window's headers on every answer, with the numbers at the end of the call. [Limits, D9]
      setRateLimitHeaders(ctx.res, call.window(), call.month)
    }
  }
}

function createCallRecorder({ usage, clock }: Pick<EdgeDeps, 'usage' | 'clock'>) {
  /** Counts the call once. Resolves with true when the count is durable. @param answered false releases the reservation only */
  function countOnce(call: Call, billable: number, answered = true): Promise<Counted> {
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

  /** True while calls cannot be counted; the edge then serves only /status. [D40] */
  const isUnavailable = ({ isRecalled }: Call): boolean => isRecalled || usage.isFailing()

  return {
    countOnce,
    isUnavailable,

    /**
     * Runs `serve`, then counts the call and sets the headers with its cost.
     * @throws what `serve` throws, after counting; DomainError `unavailable` while calls cannot be counted
     */
    async serveCounted(call: Call, serve: (call: Call) => Promise<void>): Promise<void> {
      const { ctx, endpoint } = call
      if (isUnavailable(call)) {
        if (endpoint.answeredBy === 'status') return serve(call)
        setQuotaHeaders(call, endpoint.weight, 0)
        throw new DomainError('unavailable', 'Calls cannot be counted at the moment. Try again in a few seconds.')
      }
      const admittedAt = clock.instantOf(call.admittedAtMs)
      call.admittedAt = admittedAt instanceof Promise ? await admittedAt : admittedAt
      let failure: Error | undefined
      try {
        await serve(call)
      } catch (error) {
        failure = error instanceof Error ? error : new Error('a step threw a value that is no Error', { cause: error })
      }
      // Do not count a GET whose client has left: it changed nothing. [D3, D22]
      if (endpoint.method === 'GET' && (call.isGone || ctx.req.socket.destroyed)) {
        if (call.reservation) await countOnce(call, 0, false)
        // The client has left, so this error only reaches the log.
        if (failure) throw failure
        return
      }
      const weight = !failure && isFree(ctx) ? 0 : endpoint.weight
      const billable = !failure && ctx.status >= 200 && ctx.status < 300 ? weight : 0
      setQuotaHeaders(call, weight, billable)
      const { monthBillable } = await countOnce(call, billable)
      call.month = monthBillable === undefined ? undefined : monthStateOf(call, monthBillable)
      if (failure) throw failure
    },
  }
}

/** True if the client has got this answer before, and paid for it: a replay, or 304. [D17, D53] */
const isFree = ({ status, response }: Context): boolean =>
  status === 304 || response.get('Idempotency-Replayed') === 'true'

function monthStateOf({ key, admittedAt }: Call, billable: number): MonthState {
  const { startAt, endAt } = billingPeriodOf(admittedAt)
  return {
    quota: key.limits.monthlyQuota,
    remaining: Math.max(0, key.limits.monthlyQuota - billable),
    seconds: Math.round((Number(endAt) + 1 - Number(startAt)) / 1_000),
    resetSeconds: Math.ceil((Number(endAt) + 1 - Number(admittedAt)) / 1_000),
  }
}

/** Sets the headers with the cost of a call, on each answer of an endpoint with a quota weight. [D3] */
function setQuotaHeaders({ ctx, endpoint }: Call, weight: number, billable: number): void {
  if (endpoint.weight === 0) return
  ctx.set({ 'Paraph-Quota-Weight': String(weight), 'Paraph-Quota-Billable': String(billable > 0) })
}
