// Shared windows with a fallback: when Postgres does not answer in 25 ms, this gateway's own windows decide. [D27]
// During an outage and the minute after, each gateway admits at most the limit in any 60 s, so N gateways admit at most N times the limit.
// No request fails because the store is unavailable. Owns: the time limit, the circuit breaker, and the remembered refusals.
import { BoundedMap } from '@paraph/protocol/bounded-map'
import type { Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { createBreaker } from './circuit-breaker.js'
import type { MemoryWindows } from './memory-store.js'
import { WINDOW_MS, type Admission, type WindowStore } from './sliding-window.js'

/** Failures in a row after which the store is not called for `OPEN_MS`. */
const FAILURES_MAX = 3
const OPEN_MS = 3_000
/** Maximum of remembered refusals. */
const REFUSALS_MAX = 10_000

/** The store's last refusal for a window. */
interface Refusal {
  limit: number
  admission: Admission
  untilMs: number
}

interface GuardedWindowsDeps {
  /** Its `admit` rejects when the store cannot be called. */
  shared: WindowStore
  /** The same windows in this process's memory, by the clock `nowMs`. */
  own: MemoryWindows
  /** Milliseconds within which the shared store must answer. */
  answerMsMax: number
  logger: Logger
  nowMs?: () => number
}

export function createGuardedWindows(deps: GuardedWindowsDeps) {
  const { shared, own, answerMsMax, logger, nowMs = () => performance.now() } = deps
  const refusals = new BoundedMap<string, Refusal>(REFUSALS_MAX)
  let ownDecidedAtMs = -Infinity
  let lastError: unknown
  let isSharedInUse = true
  const breaker = createBreaker({
    failuresMax: FAILURES_MAX,
    openMs: OPEN_MS,
    nowMs,
    onChange: (isOpen) => {
      isSharedInUse = !isOpen
      if (!isOpen) return logger.info('rate-limit store recovered')
      logger.warn({ err: lastError }, 'rate-limit store timed out or failed; falling back to per-process limits')
    },
  })

  function decideAlone(name: string, limit: number): Admission {
    count('paraph.ratelimit.fallbacks', {})
    const refusal = refusals.get(name)
    if (refusal && limit <= refusal.limit && nowMs() < refusal.untilMs) return refusal.admission
    ownDecidedAtMs = nowMs()
    return own.admit(name, limit)
  }

  /** Records the store's admission in the own window. For a minute after a decision without the store, the own window may refuse it. */
  function confirm(name: string, limit: number, admission: Admission): Admission {
    if (!admission.admitted) {
      // A full window stays full until its oldest admission leaves. Until then, `decideAlone` repeats this refusal.
      // Reset is rounded up. Remember the refusal for one second less, so that a client that waits for Reset is not refused again.
      refusals.set(name, { limit, admission, untilMs: nowMs() + (admission.state().resetSeconds - 1) * 1_000 })
      return admission
    }
    if (nowMs() - ownDecidedAtMs <= WINDOW_MS) {
      const second = own.admit(name, limit)
      return second.admitted ? admission : second
    }
    own.record(name, limit)
    return admission
  }

  return {
    /** False while the circuit breaker is open. */
    isSharedInUse: () => isSharedInUse,
    /** Makes the own windows overrule the store for a minute: a lost connection may mean a crash that emptied the store. */
    distrust(): void {
      ownDecidedAtMs = nowMs()
    },
    admit(name: string, limit: number): Admission | Promise<Admission> {
      if (!breaker.allows()) return decideAlone(name, limit)
      const startedAtMs = nowMs()
      return new Promise((resolve) => {
        let isDecided = false
        const end = (): void => {
          isDecided = true
          clearTimeout(timer)
          measure('paraph.ratelimit.duration', (nowMs() - startedAtMs) / 1_000, {})
        }
        const fallBack = (error: unknown) => {
          if (isDecided) return
          end()
          lastError = error
          breaker.failed(startedAtMs)
          resolve(decideAlone(name, limit))
        }
        // This process itself may have been busy: setImmediate lets it first read an answer that has arrived meanwhile.
        const timer = setTimeout(() => setImmediate(fallBack, new Error('no answer in time')), answerMsMax)
        Promise.resolve(shared.admit(name, limit)).then((admission) => {
          if (isDecided) return
          end()
          breaker.succeeded()
          resolve(confirm(name, limit, admission))
        }, fallBack)
      })
    },
  } satisfies WindowStore & Record<string, unknown>
}
