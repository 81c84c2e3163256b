// What the request log keeps of a call. [D62]
import type { DomainError } from '@paraph/protocol/errors'
import type { RequestLog } from '../request-log/recorder.js'
import type { Call } from './call.js'

/** Logs a call with a valid key, unless its client has left. @param error undefined for an answer without an error */
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
    code: error?.code ?? null,
    arrivedAtMs: startedAtMs,
    durationMs: Math.round(performance.now() - startedAtMs),
    requestId,
  })
}
