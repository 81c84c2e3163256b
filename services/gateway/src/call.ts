// What the edge knows of one call: nothing at first, then what each of its steps has learnt (middleware). [D5]
import type { Context } from 'koa'
import type { DomainError } from '@paraph/protocol/errors'
import type { CachedKey } from './key-cache.js'
import type { Reservation } from './quota.js'
import type { WindowState } from './rate-limit.js'
import type { Endpoint } from './router.js'

/** A step may use what those before it have learnt. */
export interface Call {
  ctx: Context
  /** The window whose numbers the answer shows. */
  window: () => WindowState
  /** Below the version, as the client sent it. */
  path: string
  /** Of the path, until the method is known to be one of theirs. */
  endpoints: readonly Endpoint[]
  endpoint: Endpoint
  fingerprint: string
  key: CachedKey
  /** The key was good a while ago and the database cannot be asked now. [D40] */
  isRecalled: boolean
  /** `performance.now()` when the window let it in. */
  admittedAtMs: number
  /** The same by the store's clock: the call belongs to this month. [D3] */
  admittedAt: Date
  reservation: Reservation | undefined
  /** The quota is used up: only the replay of a call that was paid for passes. [D17] */
  overQuota: DomainError | undefined
  /** True once the record of calls holds it; asked for at most once. */
  counting: Promise<boolean> | undefined
  /** The client left while its answer was held back: there is nothing to answer, and nothing to count. [D22] */
  isGone: boolean
}

/** A call of which nothing is known yet but where it came from. @param window that of its client address */
export function callOf(ctx: Context, window: () => WindowState): Call {
  return {
    ctx,
    window,
    isRecalled: false,
    reservation: undefined,
    overQuota: undefined,
    counting: undefined,
    isGone: false,
  } as Call
}

/** Window and waits belong to the account in one environment, not to a key. [D10] */
export const windowNameOf = ({ account, environment }: CachedKey): string => `${account.id} ${environment}`
