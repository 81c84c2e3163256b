// What a repeated POST gets when the quota would refuse it: the stored answer, which was paid for. Pure. [D4, D17]
// The gateway cannot know beforehand that a call is a replay, so it asks the contract service for a replay and nothing else.
import type { Answer } from './proxy.js'

/**
 * Whether `answer` is one that the client gets instead of the refusal: the stored 201, that the first request still runs, or that
 * nobody can say now. Anything else is a new call, which the quota refuses as it would have, whatever its body holds. [D5]
 */
export function passesTheQuota({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  if (status === 201) return headers['idempotency-replayed'] === 'true'
  return status === 409 || status === 503
}
