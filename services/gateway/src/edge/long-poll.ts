// Long polls at the edge: which calls may wait, and what ends a wait early. [D22]
// Owns: how many calls wait, and that a wait ends when the client leaves, when its key loses access, and when this process stops.
// Does not own: the waiting itself (contract service), the connections (contract-proxy), parsing of the request (prefer).
import type { ServerResponse } from 'node:http'
import { clientLeft } from '@paraph/http/client-left'
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { recordRoute } from '@paraph/telemetry/tracing-facade'
import type { CachedKey, KeyCache } from '../keys/key-cache.js'
import { windowNameOf } from './call.js'
import { LONG_POLLS_MAX, type Answer, type ContractProxy, type ForwardedCall } from './contract-proxy.js'

/** The requested wait, and the check of access that may end the wait. */
interface LongPollRequest {
  seconds: number
  fingerprint: string
  /** Throws the refusal that the call would get with `key` now. Undefined: the key is no longer valid. */
  requireAccess: (key: CachedKey | undefined) => void
  response: ServerResponse
}

interface LongPoll {
  request: LongPollRequest
  /** The window that admitted the call. [D10] */
  windowName: string
  ending: AbortController
}

/** Replaces the route of the endpoint in metrics: a long wait is not a slow read. [D22] */
const ROUTE = '/api/external/v2/contracts/{id}/wait'
/** Pause between re-checks of the keys of long polls, which read the key cache. A NOTIFY triggers a re-check immediately. */
const RECHECK_MS = 250
/** Concurrent key look-ups of one re-check. */
const RECHECKS_AT_ONCE = 4
/** Time limit of the read that ends a wait when the process stops; the call must be shorter than a quota reservation lives (quota.ts). */
const LAST_READ_MS_MAX = 10_000

const STOPPING = Symbol('this process stops')

interface LongPollDeps {
  contract: Pick<ContractProxy, 'forward'>
  keys: Pick<KeyCache, 'find'>
  logger: Logger
}

/** The long polls of this process. */
export function createLongPolls({ contract, keys, logger }: LongPollDeps) {
  const countByWindow = new Map<string, number>()
  /** Fingerprint → the open long polls of a key, and the cached key at their last check. */
  const byKey = new Map<string, { longPolls: Set<LongPoll>; key: CachedKey | undefined }>()
  let openCount = 0
  let isStopping = false

  async function recheckAll(): Promise<false> {
    // The workers share one iterator: each takes the next key.
    const pending = [...byKey.keys()].values()
    const worker = async () => {
      for (const fingerprint of pending) await recheck(fingerprint)
    }
    await Promise.all(Array.from({ length: RECHECKS_AT_ONCE }, worker))
    return false
  }

  const failureMessage = 'could not re-check the keys of long polls, which continue; retrying the check with back-off'
  const rechecks = createLoop({
    name: 'long poll key checks',
    work: recheckAll,
    pauseMs: RECHECK_MS,
    failureMessage,
    logger,
  })

  async function recheck(fingerprint: string): Promise<void> {
    const key = await keys.find(fingerprint)
    const entry = byKey.get(fingerprint)
    // The cache returns the same object until it refreshes the key.
    if (!entry || (key && key === entry.key)) return
    entry.key = key
    for (const { request, ending } of entry.longPolls) {
      try {
        request.requireAccess(key)
      } catch (refusal) {
        ending.abort(refusal)
      }
    }
  }

  /** At most half of an account's requests per minute may wait concurrently; the other half remains for ordinary calls. */
  const mayWait = (windowName: string, requestsPerMinute: number): boolean =>
    !isStopping &&
    openCount < LONG_POLLS_MAX &&
    (countByWindow.get(windowName) ?? 0) < Math.floor(requestsPerMinute / 2)

  function open(request: LongPollRequest, windowName: string): LongPoll {
    const longPoll = { request, windowName, ending: new AbortController() }
    const entry = byKey.get(request.fingerprint) ?? { longPolls: new Set(), key: undefined }
    entry.longPolls.add(longPoll)
    byKey.set(request.fingerprint, entry)
    countByWindow.set(windowName, (countByWindow.get(windowName) ?? 0) + 1)
    openCount += 1
    return longPoll
  }

  function close(longPoll: LongPoll): void {
    const { windowName, request } = longPoll
    const entry = byKey.get(request.fingerprint)
    entry?.longPolls.delete(longPoll)
    if (entry?.longPolls.size === 0) byKey.delete(request.fingerprint)
    const count = (countByWindow.get(windowName) ?? 0) - 1
    if (count > 0) countByWindow.set(windowName, count)
    else countByWindow.delete(windowName)
    openCount -= 1
  }

  return {
    /**
     * Returns the contract service's answer, which the service may delay by `request.seconds` if this call may wait.
     * @returns undefined if the client left
     * @throws the refusal of `requireAccess`; what `contract.forward` throws
     */
    async forward(call: ForwardedCall, request: LongPollRequest): Promise<Answer | undefined> {
      const windowName = windowNameOf(call.key)
      if (!mayWait(windowName, call.key.limits.requestsPerMinute)) return contract.forward(call)
      recordRoute(ROUTE)
      const longPoll = open(request, windowName)
      const { ending } = longPoll
      const left = clientLeft(request.response)
      const signal = AbortSignal.any([left, ending.signal])
      try {
        return await contract.forward({ ...call, wait: { seconds: request.seconds, signal } })
      } catch (error) {
        if (left.aborted && error === left.reason) return undefined
        // Answers with the current state, without Preference-Applied: the client polls again and reaches another process.
        if (error === STOPPING) return await contract.forward({ ...call, msMax: LAST_READ_MS_MAX })
        throw error
      } finally {
        close(longPoll)
      }
    },

    /** Re-checks the keys of all long polls now, because keys may have changed. */
    recheckKeys: rechecks.wake,

    /** Ends all waits with the current state; later calls do not wait. */
    endAll(): void {
      isStopping = true
      for (const { longPolls } of byKey.values()) for (const { ending } of longPolls) ending.abort(STOPPING)
    },

    openCount: () => openCount,
    start: rechecks.start,
    stop: rechecks.stop,
  }
}

export type LongPolls = ReturnType<typeof createLongPolls>
