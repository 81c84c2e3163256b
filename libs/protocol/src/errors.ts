// The error codes of the public interface with their HTTP statuses, and the error class. [Errors, D5, D6]
// libs/http/src/render-errors.ts writes the bodies.

/** Code → HTTP status. The codes are part of the public interface and of docs/openapi.json. */
export const ERROR_STATUS = {
  invalid_request: 400,
  invalid_key: 401,
  missing_scope: 403,
  account_suspended: 403,
  subscription_inactive: 403,
  not_found: 404,
  version_removed: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_in_progress: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  headers_too_large: 431,
  internal_error: 500,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One violation in a request: its path, and a sentence that states the remedy without the input. */
export interface Issue {
  /** JSON path as a client writes it: `parties[1].email`; empty for the body as a whole. */
  path: string
  message: string
}

/** The body of every response that is not 2xx or 304. [Errors, D6] */
export interface ErrorBody {
  error: string
  code: ErrorCode
  requestId: string
  /** The page about `code`, as in RFC 9457. Present in every answer to a client; services alone do not know the address. */
  type?: string
  issues?: Issue[]
}

/** The page about a code. @param errorsUrl the page about all codes */
export const errorPageOf = (errorsUrl: string, code: ErrorCode): string => `${errorsUrl}#${code}`

/**
 * An error code and a sentence for a person. `ERROR_STATUS` alone gives the status. `cause` is logged and never sent.
 */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly issues: Issue[] | undefined
  /** Headers of the response to this error, such as `Retry-After` or `Allow`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    sentence: string,
    detail: { issues?: Issue[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(sentence, detail.cause === undefined ? undefined : { cause: detail.cause })
    this.name = 'DomainError'
    this.code = code
    this.issues = detail.issues
    this.headers = detail.headers ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** A 503: a database or service that the answer requires is unavailable. */
export const unavailable = (cause?: unknown): DomainError =>
  new DomainError('unavailable', 'The service cannot answer at the moment. Try again in a few seconds.', { cause })
