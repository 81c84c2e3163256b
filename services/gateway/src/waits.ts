// Answers that may be held back, as the edge sees them: who may wait, and what ends a wait before its answer comes. [D22]
// Owns: how many wait, and that a wait ends when the client leaves, when its key may no longer read, and when this process stops.
// Does not own: the waiting itself (contract service, long-poll), the connections (proxy), what the client asked for (prefer).
import type { ServerResponse } from 'node:http'
import { clientLeft } from '@paraph/service/client-left'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import { noteRoute } from '@paraph/telemetry/tracing-seam'
import type { CachedKey, KeyCache } from './key-cache.js'
import { WAITS_MAX, type Answer, type ContractProxy, type ForwardedCall } from './proxy.js'

/** Who asks to wait, and by what right. */
interface Patient {
  seconds: number
  /** Of the window that the call was admitted in. [D10] */
  windowName: string
  requestsPerMinute: number
  fingerprint: string
  /** Throws what the edge would answer to this key now; undefined is a key that is none any more. */
  requireStill: (key: CachedKey | undefined) => void
  response: ServerResponse
}

interface Wait {
  patient: Patient
  ending: AbortController
}

/** Told in place of the endpoint's own: how long readings take must not mean how long nothing changed. [D22, B.5] */
const ROUTE = '/api/external/v2/contracts/{id}/wait'
/** How often keys that wait are looked at; the key cache says what that costs. NOTIFY does not wait for it. */
const RECHECK_MS = 250
/** Look-ups of keys that wait, at a time. */
const RECHECKS_AT_ONCE = 4
/** After a wait that was cut short; with it a call stays below the life of a reservation (quota). */
const ASK_AGAIN_MS_MAX = 10_000

const LEFT = Symbol('the client left')
const STOPPING = Symbol('this process stops')

/** The waits of this process. @param waitsMax more are answered at once */
export function createWaits({
  contract,
  keys,
  logger,
  waitsMax = WAITS_MAX,
}: {
  contract: Pick<ContractProxy, 'forward'>
  keys: Pick<KeyCache, 'find'>
  logger: Logger
  waitsMax?: number
}) {
  const counts = new Map<string, number>()
  /** By fingerprint: the waits of a key, and what of it they were all last held against. */
  const byKey = new Map<string, { waits: Set<Wait>; key: CachedKey | undefined }>()
  let waitCount = 0
  let isStopping = false

  const rechecks = createLoop({
    work: async () => {
      // One list for several hands: each takes the next key.
      const left = [...byKey.keys()].values()
      const hand = async () => {
        for (const fingerprint of left) await recheck(fingerprint)
      }
      await Promise.all(Array.from({ length: RECHECKS_AT_ONCE }, hand))
      return false
    },
    pauseMs: RECHECK_MS,
    trouble: 'keys that wait cannot be checked; they wait on',
    logger,
  })

  async function recheck(fingerprint: string): Promise<void> {
    const key = await keys.find(fingerprint)
    const ofKey = byKey.get(fingerprint)
    // The cache gives the same object until it has asked again.
    if (!ofKey || (key && key === ofKey.key)) return
    ofKey.key = key
    for (const { patient, ending } of ofKey.waits) {
      try {
        patient.requireStill(key)
      } catch (refusal) {
        ending.abort(refusal)
      }
    }
  }

  /** Half of the account's requests per minute: waiting must not use up what ordinary calls need. */
  const mayWait = ({ windowName, requestsPerMinute }: Patient): boolean =>
    !isStopping && waitCount < waitsMax && (counts.get(windowName) ?? 0) < Math.floor(requestsPerMinute / 2)

  function enter(patient: Patient): Wait {
    const wait = { patient, ending: new AbortController() }
    const ofKey = byKey.get(patient.fingerprint) ?? { waits: new Set(), key: undefined }
    ofKey.waits.add(wait)
    byKey.set(patient.fingerprint, ofKey)
    counts.set(patient.windowName, (counts.get(patient.windowName) ?? 0) + 1)
    waitCount += 1
    return wait
  }

  function leave(wait: Wait): void {
    const { fingerprint, windowName } = wait.patient
    const ofKey = byKey.get(fingerprint)
    ofKey?.waits.delete(wait)
    if (ofKey?.waits.size === 0) byKey.delete(fingerprint)
    const count = (counts.get(windowName) ?? 0) - 1
    if (count > 0) counts.set(windowName, count)
    else counts.delete(windowName)
    waitCount -= 1
  }

  return {
    /**
     * The contract service's answer, held back by it as long as asked where this client may wait, at once where not.
     * @returns undefined when the client left: nothing was answered
     * @throws what `requireStill` throws while it waits; what forwarding throws
     */
    async forward(call: ForwardedCall, patient: Patient): Promise<Answer | undefined> {
      if (!mayWait(patient)) return contract.forward(call)
      noteRoute(ROUTE)
      const wait = enter(patient)
      const { ending } = wait
      const left = clientLeft(patient.response)
      const onLeft = () => ending.abort(LEFT)
      if (left.aborted) onLeft()
      else left.addEventListener('abort', onLeft, { once: true })
      try {
        return await contract.forward({ ...call, wait: { seconds: patient.seconds, signal: ending.signal } })
      } catch (error) {
        if (error === LEFT) return undefined
        // How it stands now, said without the word that the wait was honoured: the client comes back, to another process.
        if (error === STOPPING) return await contract.forward({ ...call, msMax: ASK_AGAIN_MS_MAX })
        throw error
      } finally {
        left.removeEventListener('abort', onLeft)
        leave(wait)
      }
    },

    /** Keys may have changed: those that wait are asked for at once. */
    recheckKeys: rechecks.wake,

    /** Ends all waits with how it stands now; from here on nobody waits. */
    endAll(): void {
      isStopping = true
      for (const { waits } of byKey.values()) for (const { ending } of waits) ending.abort(STOPPING)
    },

    waitCount: () => waitCount,
    start: rechecks.start,
    stop: rechecks.stop,
  }
}

export type Waits = ReturnType<typeof createWaits>
