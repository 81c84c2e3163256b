// The last step of the edge where the contract service answers: the body is read, the call passed on, the answer taken over. [D5, D7]
// Owns: how long a body may take, what a used-up quota lets through, who asks to wait. Does not own: which headers travel (proxy),
// who may wait (waits).
import type { Context } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { waitSecondsOf } from '@paraph/service/prefer'
import { asDomainError } from '@paraph/service/render-errors'
import { windowNameOf, type Call } from './call.js'
import { within } from '@paraph/service/deadline'
import type { CachedKey } from './key-cache.js'
import type { ContractProxy } from './proxy.js'
import { passesTheQuota } from './replay.js'
import { askForBody } from './request-body.js'
import type { Waits } from './waits.js'

/** This and the contract service's time together stay below the life of a reservation (quota). */
const BODY_MS_MAX = 20_000

/** @param requireStill throws what the edge would answer to the key of a call that waits; undefined is a key that is none any more */
export function createForwardStep({
  contract,
  waits,
  requireStill,
}: {
  contract: Pick<ContractProxy, 'forward'>
  waits: Pick<Waits, 'forward'>
  requireStill: (call: Call, key: CachedKey | undefined) => void
}) {
  return async function forward(call: Call): Promise<void> {
    const { ctx, key, path, overQuota } = call
    const { method } = call.endpoint
    const { headers } = ctx.req
    const forwarded = {
      ...{ method, path, headers, key, requestId: ctx.state['requestId'] as string },
      body: method === 'POST' ? await readBody(ctx, overQuota) : undefined,
      replayOnly: overQuota !== undefined,
    }
    const seconds = method === 'GET' && headers['if-none-match'] ? waitSecondsOf(ctx.get('prefer')) : undefined
    const answered = seconds
      ? await waits.forward(forwarded, {
          seconds,
          windowName: windowNameOf(key),
          requestsPerMinute: key.limits.requestsPerMinute,
          fingerprint: call.fingerprint,
          requireStill: (still) => requireStill(call, still),
          response: ctx.res,
        })
      : await contract.forward(forwarded)
    if (!answered) {
      call.isGone = true
      ctx.respond = false
      return
    }
    if (overQuota && !passesTheQuota(answered)) throw overQuota
    ctx.status = answered.status
    ctx.set(answered.headers)
    ctx.body = answered.body
  }
}

async function readBody(ctx: Context, overQuota: DomainError | undefined): Promise<Buffer> {
  try {
    return await within(BODY_MS_MAX, askForBody(ctx), requestTimeout)
  } catch (fault) {
    if (!overQuota) throw fault
    // The quota comes before the body. What the fault does to the connection holds all the same. [D5]
    const headers = { ...overQuota.headers, ...asDomainError(fault).headers }
    throw new DomainError(overQuota.code, overQuota.message, { headers })
  }
}

const requestTimeout = () =>
  new DomainError('request_timeout', 'The body did not arrive in time. Send the request again.', {
    headers: { Connection: 'close' },
  })
