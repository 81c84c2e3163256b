// The shared window with a way out: 25 ms, then this gateway's own log decides. Never a 5xx for want of a window. [D27]
// What is promised while the store is slow or away, and in the minute after: every gateway admits at most the limit in any 60 s,
// so N gateways at most N times the limit. Owns: the deadline, the breaker, what the own log knows, what the store called full.
import type { Logger } from '@paraph/telemetry/logger'
import { count, measure } from '@paraph/telemetry/metrics'
import { createBreaker } from './breaker.js'
import type { MemoryWindows } from './memory-windows.js'
import { WINDOW_MS } from './rate-limit.js'
import type { Admission, WindowStore } from './window-store.js'

/** Failures in a row, each after the one before, until the store is left alone. */
const FAILURES_MAX = 3
const OPEN_MS = 3_000
/** Windows that the store has called full; beyond it the word longest unheard is forgotten. */
const FULL_MAX = 10_000

/** The store's last refusal of a window. */
interface Full {
  limit: number
  refusal: Admission
  untilMs: number
}

/**
 * @param shared rejects when it cannot be asked
 * @param own the same windows in this process's memory, by the clock `nowMs`
 * @param answerMsMax the shared store's time to answer
 */
export function createGuardedWindows({
  shared,
  own,
  answerMsMax,
  logger,
  nowMs = () => performance.now(),
}: {
  shared: WindowStore
  own: MemoryWindows
  answerMsMax: number
  logger: Logger
  nowMs?: () => number
}) {
  const full = new Map<string, Full>()
  let ownDecidedAtMs = -Infinity
  let lastError: unknown
  let isAsked = true
  const breaker = createBreaker({
    failuresMax: FAILURES_MAX,
    openMs: OPEN_MS,
    nowMs,
    onChange: (isOpen) => {
      isAsked = !isOpen
      if (isOpen)
        logger.warn({ err: lastError }, 'the shared windows do not answer; this gateway decides by its own log')
      else logger.info('the shared windows answer again')
    },
  })

  function decideAlone(name: string, limit: number): Admission {
    count('paraph.ratelimit.fallbacks', {})
    const known = full.get(name)
    if (known && limit <= known.limit && nowMs() < known.untilMs) return known.refusal
    ownDecidedAtMs = nowMs()
    return own.admit(name, limit)
  }

  /** The own log learns what the shared store admits, and for a minute has a say after it has decided alone. */
  function confirm(name: string, limit: number, admission: Admission): Admission {
    if (!admission.admitted) return rememberFull(name, limit, admission)
    if (nowMs() - ownDecidedAtMs > WINDOW_MS) own.remember(name, limit)
    else {
      const second = own.admit(name, limit)
      if (!second.admitted) return second
    }
    return admission
  }

  /** What is full stays so until its oldest admission leaves: one late answer admits nobody whom the store would refuse. */
  function rememberFull(name: string, limit: number, refusal: Admission): Admission {
    // A second less than said, which is rounded up: who waits as long as told is not refused for this.
    full.delete(name)
    full.set(name, { limit, refusal, untilMs: nowMs() + (refusal.state().resetSeconds - 1) * 1_000 })
    if (full.size > FULL_MAX) full.delete(full.keys().next().value ?? '')
    return refusal
  }

  return {
    /** False while the store is left alone. */
    isAsked: () => isAsked,
    /** To be called when the store may have lost what it knew: its connection broke, perhaps in a crash. */
    distrust(): void {
      ownDecidedAtMs = nowMs()
    },
    admit(name: string, limit: number): Admission | Promise<Admission> {
      if (!breaker.allows()) return decideAlone(name, limit)
      const askedAtMs = nowMs()
      return new Promise((resolve) => {
        let isDecided = false
        const end = (): void => {
          isDecided = true
          clearTimeout(timer)
          measure('paraph.ratelimit.duration', (nowMs() - askedAtMs) / 1_000, {})
        }
        const giveUp = (error: unknown) => {
          if (isDecided) return
          end()
          lastError = error
          breaker.failed(askedAtMs)
          resolve(decideAlone(name, limit))
        }
        // It may be this process that was busy for so long: an answer that has come meanwhile is read first.
        const timer = setTimeout(() => setImmediate(giveUp, new Error('no answer in time')), answerMsMax)
        Promise.resolve(shared.admit(name, limit)).then((admission) => {
          if (isDecided) return
          end()
          breaker.succeeded()
          resolve(confirm(name, limit, admission))
        }, giveUp)
      })
    },
  } satisfies WindowStore & Record<string, unknown>
}
