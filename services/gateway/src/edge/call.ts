// The state of one call at the edge, which the steps fill in one after the other, and the type of a step. [D5]
import type { Context } from 'koa'
import type { DomainError } from '@paraph/protocol/errors'
import type { CachedKey } from '../keys/key-cache.js'
import type { Admission, WindowState } from '../rate-limit/sliding-window.js'
import type { Reservation } from '../usage/quota.js'
import type { Counted } from '../usage/recorder.js'
import type { Endpoint } from './endpoints.js'
import { rateLimited, type MonthState } from './headers.js'

/** A step may read only fields that earlier steps have set. */
export interface Call {
  ctx: Context
  /** The window for the RateLimit headers of the answer. */
  window: () => WindowState
  /** The path after the version, as the client sent it. */
  path: string
  /** The endpoints of the path, one per method. */
  endpoints: readonly Endpoint[]
  endpoint: Endpoint
  fingerprint: string
  key: CachedKey
  /** The key was valid recently, and the database is unavailable now. [D40] */
  isRecalled: boolean
  /** `performance.now()` at admission to the window. */
  admittedAtMs: number
  /** The same instant by the store's clock; determines the month of the call. [D3] */
  admittedAt: Date
  reservation: Reservation | undefined
  /** The refusal if the quota is used up. Only 304 and answers about an earlier call with the same Idempotency-Key still pass. [D17, D53] */
  overQuota: DomainError | undefined
  /** Set when counting begins. */
  counting: Promise<Counted> | undefined
  /** The quota of the month after this call, for the headers; undefined for a call that is not counted. [D67] */
  month: MonthState | undefined
  /** The client left during a long poll: the call is neither answered nor counted. [D22] */
  isGone: boolean
}

/** A new call. @param window the window of its client address */
export function createCall(ctx: Context, window: () => WindowState): Call {
  return { ctx, window, isRecalled: false, isGone: false } as Call
}

/** One check: returns if the call passes, or throws a DomainError. Returns a promise only if it must wait, which is rare. */
export type Step = (call: Call) => void | Promise<void>

/** Runs the steps in order until one refuses. */
export async function runSteps(steps: readonly Step[], call: Call): Promise<void> {
  for (const step of steps) {
    const pending = step(call)
    if (pending) await pending
  }
}

/** Calls `use` with `value`, synchronously unless `value` is a promise, because a promise costs more than most steps. */
export function whenKnown<T>(value: T | Promise<T>, use: (known: T) => void): void | Promise<void> {
  return value instanceof Promise ? value.then(use) : use(value)
}

/** Refuses a call that got no slot. The answer's RateLimit-Reset then equals its Retry-After. @throws DomainError `rate_limited` [D27] */
export function requireSlot(call: Call, { admitted, state }: Admission): void {
  if (admitted) return
  const window = state()
  call.window = () => window
  throw rateLimited(window)
}

/** Windows and long polls belong to the account in one environment, not to a key. [D10] */
export const windowNameOf = ({ account, environment }: CachedKey): string => `${account.id} ${environment}`
