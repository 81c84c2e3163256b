// Judges the object store. Pure.
import type { ObjectStoreFacts } from '../facts.js'
import { broken, look, ok, type Finding } from '../finding.js'

const subject = 'object store'
const page = 'objectStore'
/** A network policy that lets only signing reach the store drops packets. */
const SILENCE = /no answer in time|Timeout|TIMEDOUT/

export function judgeObjectStore({ failure }: ObjectStoreFacts): Finding {
  if (failure === undefined) return ok(subject, 'lists its objects')
  if (SILENCE.test(failure))
    return look(subject, `does not answer here (${failure})`, {
      remedy: 'Run paraph doctor in a pod of signing, because others may not reach the store.',
      page,
    })
  return broken(subject, `cannot be used (${failure})`, {
    remedy: 'Check host, bucket, region and key in OBJECT_STORE_URL, and the rights of the key.',
    page,
  })
}
