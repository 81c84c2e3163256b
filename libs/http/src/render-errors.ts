// Writes the body of every error answer. [Errors, D6]
// Koa's default handler deletes headers that are already set, so this middleware is the first one and passes no error on.
import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { TRPCClientError } from '@trpc/client'
import { TRPCError } from '@trpc/server'
import { DomainError, ERROR_STATUS, errorPageOf, unavailable, type ErrorBody } from '@paraph/protocol/errors'
import { INTERNAL_HEADERS } from '@paraph/protocol/internal-headers'
import { isDatabaseBusy, isDatabaseUnavailable } from '@paraph/database/database-failure'
import { isSuspicious } from '@paraph/telemetry/attribute-allow-list'
import type { Logger } from '@paraph/telemetry/logger'
import { recordRequestId } from '@paraph/telemetry/tracing-facade'
import { logFailure } from './failed-request.js'

/** The name of a request for a person, on every answer of the gateway. [D54] */
export const REQUEST_ID_HEADER = 'Paraph-Request-Id'

/** The shape of a client's `X-Request-Id`. Without a space, it is no text. */
const PRINTABLE = /^[\x21-\x7e]{1,128}$/

declare module 'koa' {
  /** The type of `ctx.state`, for all routers. */
  interface DefaultState {
    /** Set by `renderErrors`. */
    requestId: string
    /** The client's own `X-Request-Id`, for log lines. Set by `renderErrors`. */
    clientRequestId?: string
    /** The client's address, resolved on demand. Only the gateway sets this, in its `clientAddress`. */
    clientAddress: () => string
  }
}

/**
 * Answers every error of the following middleware with `{error, code, requestId, type}`. An error that is not a DomainError becomes a 500
 * with a fixed sentence; only the log contains its cause.
 * @param errorsUrl the page about the error codes. Only the gateway has it, and creates every request id; other services accept the
 *   id and the page that it sends [D17]
 */
export function renderErrors(logger: Logger, errorsUrl?: string): Middleware {
  return async (ctx, next) => {
    ctx.state.startedAtMs = performance.now()
    const sent = errorsUrl === undefined ? ctx.get(INTERNAL_HEADERS.requestId) : ''
    ctx.state.requestId = /^[A-Za-z0-9-]{8,64}$/.test(sent) ? sent : randomUUID()
    recordRequestId(ctx.state.requestId)
    if (errorsUrl !== undefined) {
      ctx.set(REQUEST_ID_HEADER, ctx.state.requestId)
      const own = ctx.get('x-request-id')
      if (PRINTABLE.test(own) && !isSuspicious(own)) ctx.state.clientRequestId = own
    }
    try {
      await next()
    } catch (thrown) {
      const error = asDomainError(thrown)
      if (error.status >= 500) logFailure(ctx, error, logger)
      else {
        const { requestId, clientRequestId } = ctx.state
        logger.debug({ requestId, clientRequestId, code: error.code }, 'request refused')
      }
      writeError(ctx, error, errorsUrl ?? ctx.get(INTERNAL_HEADERS.errorsUrl))
    }
  }
}

function writeError(ctx: Context, error: DomainError, errorsUrl: string): void {
  ctx.status = error.status
  ctx.set(error.headers)
  if (error.status === 503 && !error.headers['Retry-After']) ctx.set('Retry-After', '1')
  ctx.body = errorBody(error, ctx.state.requestId, errorsUrl)
}

/** The body of an error answer. @param errorsUrl the page about the error codes; empty: the body names no page */
export function errorBody({ message, code, issues }: DomainError, requestId: string, errorsUrl: string): ErrorBody {
  const type = errorsUrl === '' ? {} : { type: errorPageOf(errorsUrl, code) }
  return { error: message, code, requestId, ...type, ...(issues ? { issues } : {}) }
}

/**
 * Any thrown value as a DomainError: a DomainError unchanged, an unavailable database or service as 503, everything else as
 * 500. A refusal by another service is an internal error for our own client; if it refused our service token, its clock and ours may have
 * stepped apart for a few seconds, so our client tries again. [F32]
 */
export function asDomainError(thrown: unknown): DomainError {
  const error = thrown instanceof TRPCError && thrown.cause !== undefined ? thrown.cause : thrown
  if (error instanceof TRPCClientError) {
    const refusal: unknown = error.cause
    if (!(refusal instanceof DomainError)) return internalError(refusal ?? error)
    if (refusal.code === 'unavailable') return refusal
    return refusal.code === 'invalid_key' ? unavailable(refusal) : internalError(refusal)
  }
  if (error instanceof DomainError) return error
  if (isDatabaseUnavailable(error) || isDatabaseBusy(error)) return unavailable(error)
  if (isHttpError(error)) {
    // Koa and the body readers throw these when a client disconnects or aborts its request.
    return new DomainError('invalid_request', 'The request could not be read. Check it and send it again.', {
      cause: error,
    })
  }
  return internalError(error)
}

const internalError = (cause: unknown) =>
  new DomainError(
    'internal_error',
    'Something went wrong on our side. Try again. If it happens again, send the operator the request id.',
    { cause },
  )

function isHttpError(error: unknown): error is Error & { status: number } {
  const status = (error as { status?: unknown } | null)?.status
  return error instanceof Error && typeof status === 'number' && status >= 400 && status < 500
}

/** True for a key of ERROR_STATUS. For error bodies of other services. */
export const isErrorCode = (code: unknown): code is keyof typeof ERROR_STATUS =>
  typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code)
