// The one place that writes an error body. [Errors, D6]
// Koa's default handler deletes headers that are already set, so errors never reach it: this is the first middleware.
import { randomUUID } from 'node:crypto'
import type { Context, Middleware } from 'koa'
import { TRPCClientError } from '@trpc/client'
import { TRPCError } from '@trpc/server'
import { DomainError, ERROR_STATUS, type ErrorBody } from '@paraph/protocol/errors'
import { INTERNAL_HEADERS } from '@paraph/protocol/caller'
import { isDatabaseAway, isStatementTimeout } from '@paraph/database/database-failure'
import type { Logger } from '@paraph/telemetry/logger'

/**
 * Answers every error below it with `{error, code, requestId}`. What is not a DomainError is a 500 with a fixed sentence;
 * its cause goes to the log alone.
 * @param facesClients true for the gateway, which names every request itself; the services behind take its name over [D17]
 */
export function renderErrors(logger: Logger, { facesClients = false } = {}): Middleware {
  return async (ctx, next) => {
    const sent = facesClients ? '' : ctx.get(INTERNAL_HEADERS.requestId)
    ctx.state['requestId'] = /^[A-Za-z0-9-]{8,64}$/.test(sent) ? sent : randomUUID()
    try {
      await next()
    } catch (thrown) {
      const error = asDomainError(thrown)
      const line = { requestId: ctx.state['requestId'] as string, code: error.code }
      if (error.status >= 500) logger.error({ ...line, err: error.cause ?? error }, 'a request failed')
      else logger.debug(line, 'a request was refused')
      writeError(ctx, error)
    }
  }
}

/** Writes `error` as the answer. */
function writeError(ctx: Context, error: DomainError): void {
  ctx.status = error.status
  ctx.set(error.headers)
  if (error.status === 503 && !error.headers['Retry-After']) ctx.set('Retry-After', '1')
  ctx.body = errorBody(error, ctx.state['requestId'] as string)
}

/** The body of an error answer. */
export function errorBody(error: DomainError, requestId: string): ErrorBody {
  return { error: error.message, code: error.code, requestId, ...(error.issues ? { issues: error.issues } : {}) }
}

/**
 * Any thrown value as an error of the table: our own as it is, a database or a service behind us that is away as 503,
 * everything else as 500. What a callee refused is our fault towards whoever asked us.
 */
export function asDomainError(thrown: unknown): DomainError {
  const error = thrown instanceof TRPCError && thrown.cause !== undefined ? thrown.cause : thrown
  if (error instanceof TRPCClientError) {
    const refusal: unknown = error.cause
    return refusal instanceof DomainError && refusal.code === 'unavailable' ? refusal : internalError(refusal ?? error)
  }
  if (error instanceof DomainError) return error
  if (isDatabaseAway(error) || isStatementTimeout(error)) {
    return new DomainError('unavailable', 'The service cannot answer at the moment. Try again in a few seconds.', {
      cause: error,
    })
  }
  if (isHttpError(error)) {
    // Koa and the body readers throw these for a client that left or broke its request off.
    return new DomainError('invalid_request', 'The request could not be read. Check it and send it again.', {
      cause: error,
    })
  }
  return internalError(error)
}

const internalError = (cause: unknown) =>
  new DomainError(
    'internal_error',
    'Something went wrong on our side. Try again; if it stays so, tell us the request id.',
    { cause },
  )

function isHttpError(error: unknown): error is Error & { status: number } {
  const status = (error as { status?: unknown } | null)?.status
  return error instanceof Error && typeof status === 'number' && status >= 400 && status < 500
}

/** True when `code` is one of the table; for bodies that come from another service. */
export const isErrorCode = (code: unknown): code is keyof typeof ERROR_STATUS =>
  typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code)
