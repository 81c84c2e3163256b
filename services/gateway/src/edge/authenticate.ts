// The step that finds the API key of a call. [Authentication, D9, D28, D40]
import { DomainError } from '@paraph/protocol/errors'
import { asDomainError } from '@paraph/http/render-errors'
import { environmentOfKey, fingerprintOf } from '../keys/api-key.js'
import type { CachedKey, KeyCache } from '../keys/key-cache.js'
import type { KeyLastUse } from '../keys/key-last-use.js'
import { whenKnown, type Call, type Step } from './call.js'

interface AuthenticateDeps {
  keys: Pick<KeyCache, 'find' | 'recall'>
  lastUse: Pick<KeyLastUse, 'record'>
  /** Takes a slot of the client address for a call without a valid key. */
  countAddress: (call: Call) => void
}

/** Sets `key` and `fingerprint`. The step throws DomainError `invalid_key`, or what `countAddress` or the key store throws. */
export function createAuthenticate({ keys, lastUse, countAddress }: AuthenticateDeps): Step {
  function acceptKey(call: Call, key: CachedKey | undefined): void {
    if (!key) {
      countAddress(call)
      throw invalidKey()
    }
    call.key = key
    lastUse.record(key.id)
  }

  /** While the database is unavailable, a key that was valid recently may call /status. [D40] */
  function recall(call: Call, fingerprint: string, error: unknown): CachedKey {
    const isStatus = call.endpoints.some((endpoint) => endpoint.answeredBy === 'status')
    const recalled = isStatus && asDomainError(error).code === 'unavailable' ? keys.recall(fingerprint) : undefined
    if (!recalled) throw error
    call.isRecalled = true
    return recalled
  }

  return (call) => {
    // Node joins repeated headers with a comma, which no key contains: two keys count as none. [D28]
    const sent = call.ctx.req.headers['x-api-key']
    if (typeof sent !== 'string' || !environmentOfKey(sent)) return acceptKey(call, undefined)
    const fingerprint = (call.fingerprint = fingerprintOf(sent))
    const found = keys.find(fingerprint)
    const key = found instanceof Promise ? found.catch((error: unknown) => recall(call, fingerprint, error)) : found
    return whenKnown(key, (known) => acceptKey(call, known))
  }
}

export const invalidKey = () =>
  new DomainError('invalid_key', 'The API key is missing or not valid. Check the header x-api-key.')
