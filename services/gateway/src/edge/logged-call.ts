// What the request log keeps of a call. [D62]
import type { DomainError, ErrorCode } from '@paraph/protocol/errors'
import { isErrorCode } from '@paraph/http/render-errors'
import type { RequestLog } from '../request-log/recorder.js'
import type { Call } from './call.js'

/** Logs a call with a valid key, unless its client has left. @param error of the gateway; the contract service answers with its own */
export function logCall(log: Pick<RequestLog, 'record'>, call: Call, error?: DomainError): void {
  // Without a valid key, no account is known.
  const { key, ctx, endpoints, isGone } = call as Call & { key: Call['key'] | undefined }
  if (!key || isGone) return
  const { requestId, startedAtMs } = ctx.state
  log.record({
    accountId: key.account.id,
    environment: key.environment,
    keyId: key.id,
    method: ctx.method,
    route: endpoints[0]?.template ?? '',
    status: error?.status ?? ctx.status,
    code: error?.code ?? forwardedCode(ctx.status, ctx.body),
    arrivedAtMs: startedAtMs,
    durationMs: Math.round(performance.now() - startedAtMs),
    requestId,
  })
}

/** The error code in an answer of the contract service; null for an answer without an error. */
function forwardedCode(status: number, body: unknown): ErrorCode | null {
  // Quotes within the sentence of an error are escaped, so only the member itself matches.
  const code = status >= 400 && typeof body === 'string' ? /"code":"([a-z_]+)"/.exec(body)?.[1] : undefined
  return isErrorCode(code) ? code : null
}
