// The log line of a request that is answered 5xx. One text for the interface, the pages and the calls between services, so that one search
// finds all. The request id leads from one service's line to the others'. [D17]
import type { Context } from 'koa'
import type { DomainError } from '@paraph/protocol/errors'
import type { Logger } from '@paraph/telemetry/logger'
import { recordRoute } from '@paraph/telemetry/tracing-facade'

declare module 'koa' {
  interface DefaultState {
    /** `performance.now()` when the request arrived. Set by `renderErrors`. */
    startedAtMs: number
    /** The template of the route, as soon as it is known. */
    route?: string
  }
}

/** Names the route of a request, for its log line, its span and the metrics. @param template as for `recordRoute`, never a path [I14] */
export function setRoute({ state }: Pick<Context, 'state'>, template: string): void {
  state.route = template
  recordRoute(template)
}

/** Logs why a request fails. Call it before the answer is sent. @param error its status, code and cause */
export function logFailure({ method, state }: Pick<Context, 'method' | 'state'>, error: DomainError, logger: Logger) {
  const { requestId, clientRequestId, route, startedAtMs } = state
  const { status, code } = error
  const durationMs = Math.round(performance.now() - startedAtMs)
  const ids = { requestId, clientRequestId }
  logger.error({ ...ids, method, route, status, code, durationMs, err: error.cause ?? error }, 'request failed')
}
