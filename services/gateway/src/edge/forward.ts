// The last step for endpoints of the contract service: reads the body, forwards the call, copies the answer. [D4, D5, D7, D17]
// Owns: the time limit of a body, and which answers pass although the quota is used up. Does not own: which headers are forwarded
// (contract-proxy), which calls may long-poll (long-poll).
import type { Context } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { withTimeout } from '@paraph/protocol/deadline'
import { waitSecondsOf } from '@paraph/http/prefer'
import { asDomainError } from '@paraph/http/render-errors'
import { withUrlTemplate } from '@paraph/telemetry/tracing-facade'
import type { CachedKey } from '../keys/key-cache.js'
import type { Call } from './call.js'
import type { Answer, ContractProxy } from './contract-proxy.js'
import type { LongPolls } from './long-poll.js'
import { requestBody } from './request-body.js'

/** The sum with FORWARD_MS_MAX (contract-proxy) must be shorter than a quota reservation lives (quota.ts). */
const BODY_MS_MAX = 20_000

interface ForwardDeps {
  contract: Pick<ContractProxy, 'forward'>
  longPolls: Pick<LongPolls, 'forward'>
  /** Throws the refusal that a long-polling call would get with `key` now. Undefined: the key is no longer valid. */
  requireAccess: (call: Call, key: CachedKey | undefined) => void
}

export function createForward({ contract, longPolls, requireAccess }: ForwardDeps) {
  return async function forward(call: Call): Promise<void> {
    const { ctx, key, path, overQuota } = call
    const { method } = call.endpoint
    const { headers } = ctx.req
    const { requestId } = ctx.state
    const body = method === 'POST' ? await readBody(ctx, overQuota) : undefined
    const forwarded = {
      method,
      path,
      headers,
      key,
      requestId,
      body,
      replayOnly: method === 'POST' && overQuota !== undefined,
    }
    const seconds = method === 'GET' && headers['if-none-match'] ? waitSecondsOf(ctx.get('prefer')) : undefined
    const send = () =>
      seconds
        ? longPolls.forward(forwarded, {
            seconds,
            fingerprint: call.fingerprint,
            requireAccess: (current) => requireAccess(call, current),
            response: ctx.res,
          })
        : contract.forward(forwarded)
    const answer = await withUrlTemplate(call.endpoint.template, send)
    if (!answer) {
      call.isGone = true
      ctx.respond = false
      return
    }
    if (overQuota && !passesUsedUpQuota(answer)) throw overQuota
    ctx.status = answer.status
    ctx.set(answer.headers)
    ctx.body = answer.body
  }
}

/**
 * Whether a call beyond the quota gets `answer` instead of the refusal: an unchanged contract (304), a replay (the stored 201, which was
 * billed), a first request that still runs (409), or an unknown outcome (503). Any other answer costs a call, which the quota refuses.
 * [D4, D5, D17, D53]
 */
function passesUsedUpQuota({ status, headers }: Answer): boolean {
  return status === 201 ? headers['idempotency-replayed'] === 'true' : [304, 409, 503].includes(status)
}

async function readBody(ctx: Context, overQuota: DomainError | undefined): Promise<Buffer> {
  try {
    return await withTimeout(BODY_MS_MAX, requestBody(ctx), requestTimeout)
  } catch (error) {
    if (!overQuota) throw error
    // The error of the quota precedes that of the body, but a broken body still closes the connection. [D5]
    const headers = { ...overQuota.headers, ...asDomainError(error).headers }
    throw new DomainError(overQuota.code, overQuota.message, { headers })
  }
}

function requestTimeout(): DomainError {
  const sentence = 'The body did not arrive in time. Send the request again.'
  return new DomainError('request_timeout', sentence, { headers: { Connection: 'close' } })
}
