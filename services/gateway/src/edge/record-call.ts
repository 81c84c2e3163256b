// Counts each call before its answer is sent, whatever the answer. [D3, D4, D40]
import { DomainError } from '@paraph/protocol/errors'
import { asDomainError } from '@paraph/http/render-errors'
import type { StoreClock } from '@paraph/background/store-clock'
import type { UsageRecord } from '../usage/recorder.js'
import type { Call } from './call.js'

interface CallRecorderDeps {
  usage: Pick<UsageRecord, 'count' | 'isFailing'>
  clock: Pick<StoreClock, 'instantOf'>
}

export function createCallRecorder({ usage, clock }: CallRecorderDeps) {
  /** Counts the call once. Resolves with true when the count is durable. @param answered false gives the reservation back uncounted */
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

  /** True while calls cannot be counted: only /status is served then. [D40] */
  const isUnavailable = ({ isRecalled }: Call): boolean => isRecalled || usage.isFailing()

  return {
    countOnce,
    isUnavailable,

    /**
     * Runs `serve`, then counts the call and shows what it cost.
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
      // The client has left and a GET has changed nothing: do not count it. [D3, D22]
      if (endpoint.method === 'GET' && (call.isGone || ctx.req.socket.destroyed)) {
        if (call.reservation) await countOnce(call, 0, false)
        // For the log alone.
        if (failure) throw failure
        return
      }
      const status = failure ? asDomainError(failure).status : ctx.status
      // A replay costs nothing: the first answer was paid for. [D17]
      const weight = ctx.response.get('Idempotency-Replayed') === 'true' ? 0 : endpoint.weight
      const billable = (status >= 200 && status < 300) || status === 304 ? weight : 0
      setQuotaHeaders(call, weight, billable)
      await countOnce(call, billable)
      if (failure) throw failure
    },
  }
}

/** What a call costs, on each answer of an endpoint with a quota weight. [D3] */
function setQuotaHeaders({ ctx, endpoint }: Call, weight: number, billable: number): void {
  if (endpoint.weight === 0) return
  ctx.set({ 'Paraph-Quota-Weight': String(weight), 'Paraph-Quota-Billable': String(billable > 0) })
}
