// The errors in the OpenAPI document: their meaning, example bodies and schema. [D6]
// The sentences equal those that the code throws: a test provokes every error and compares them. Does not own the codes.
import {
  CONTENT_BYTES_MAX,
  BODY_BYTES_MAX,
  CONTRACT_TYPES,
  IDEMPOTENCY_KEY_LENGTH_MAX,
} from '@paraph/protocol/contract'
import { ERROR_STATUS, errorPageOf, type ErrorCode, type Issue } from '@paraph/protocol/errors'
import { ERRORS_PATH, type Endpoint } from '../edge/endpoints.js'

type Json = { [key: string]: unknown }

interface ErrorExample {
  summary: string
  error: string
  /** Endpoints at which the example can occur; undefined: every endpoint at which the code can occur. */
  at: ((endpoint: Endpoint) => boolean) | undefined
  issues?: Issue[]
}

interface DocumentedError {
  when: string
  examples: Readonly<Record<string, ErrorExample>>
}

const isPost = ({ method }: Endpoint) => method === 'POST'
const isGet = ({ method }: Endpoint) => method === 'GET'
const isForwarded = ({ answeredBy }: Endpoint) => answeredBy === 'contract'

const row = (when: string, examples: DocumentedError['examples']): DocumentedError => ({ when, examples })
const example = (summary: string, error: string, at?: ErrorExample['at']): ErrorExample => ({ summary, error, at })
/** An error of one field of a POST. */
const issueOf = (path: string, summary: string, error: string): ErrorExample => ({
  ...example(summary, error, isPost),
  issues: [{ path, message: error }],
})

/** Every code with its meaning and its example bodies. The names of examples are unique. */
export const DOCUMENTED_ERRORS: Readonly<Record<ErrorCode, DocumentedError>> = {
  invalid_request: row('the request breaks a rule; `issues` names each field', {
    brokenRules: {
      ...example('Two fields break their rules', '2 fields are not valid. Correct the fields in issues.', isPost),
      issues: [
        { path: 'parties', message: 'parties must have at least 2 entries.' },
        { path: 'contractType', message: `contractType must be one of: ${CONTRACT_TYPES.join(', ')}.` },
      ],
    },
    contentTooLong: issueOf(
      'content',
      'One byte too many',
      `content has ${CONTENT_BYTES_MAX + 1} bytes of UTF-8; at most ${CONTENT_BYTES_MAX} are allowed.`,
    ),
    removedField: issueOf('businessName', 'A field of version 1', 'businessName was removed in v2. Send senderName.'),
    malformedJson: issueOf('', 'Not JSON', 'The body is not valid JSON. Check its quotes, commas and brackets.'),
    idempotencyKeyTooLong: issueOf(
      'Idempotency-Key',
      'An Idempotency-Key of 256 characters',
      `Idempotency-Key must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`,
    ),
    brokenHead: example('No Host header', 'The header Host is missing. Send the request again with it.'),
  }),
  invalid_key: row('there is no key, or more than one, or the key is malformed, unknown, revoked or expired', {
    invalidKey: example(
      'The key is missing or not valid; the reason is not stated',
      'The API key is missing or not valid. Check the header x-api-key.',
    ),
  }),
  missing_scope: row('the key does not have the scope', {
    missingReadScope: example(
      'A key that may only create',
      'This key lacks the scope contracts:read. Use a key that has it.',
      ({ scope }) => scope === 'contracts:read',
    ),
    missingWriteScope: example(
      'A key that may only read',
      'This key lacks the scope contracts:write. Use a key that has it.',
      ({ scope }) => scope === 'contracts:write',
    ),
  }),
  account_suspended: row('the operator suspended the account', {
    accountSuspended: example(
      'A suspended account',
      'This account is suspended. Write to the operator of this installation.',
    ),
  }),
  subscription_inactive: row('the account has no paid subscription', {
    subscriptionEnded: example(
      'The subscription has ended',
      'The subscription of this account has ended. Ask the operator of this installation to renew it.',
    ),
    trialInProduction: example(
      'A production key of an account on trial',
      'Production keys need a paid subscription. Use a sandbox key, or ask the operator of this installation for a subscription.',
    ),
  }),
  not_found: row('the account has no such contract in this environment, or there is no such path', {
    unknownContract: example(
      'An unknown contract, one of another account, or one of the other environment',
      'There is no such contract. Check the id and the environment of the key.',
      isForwarded,
    ),
    unknownPath: example(
      'No endpoint has this path',
      'There is no endpoint at this path. /openapi.json lists all endpoints.',
      isForwarded,
    ),
  }),
  version_removed: row('the path is under /api/external/v1', {
    versionRemoved: example('Version 1', 'Version 1 of this interface was removed. Use /api/external/v2.'),
  }),
  method_not_allowed: row('the path does not support the method', {
    onlyGet: example('PUT, for example', 'Use GET or HEAD: this path supports no other method.', isGet),
    onlyPost: example('GET, for example', 'Use POST: this path supports no other method.', isPost),
  }),
  request_timeout: row('the request did not arrive in time', {
    bodyTooSlow: example(
      'The body took more than 20 seconds',
      'The body did not arrive in time. Send the request again.',
      isPost,
    ),
    requestTooSlow: example(
      'The headers took more than 60 seconds',
      'The request did not arrive in time. Send it again.',
    ),
  }),
  idempotency_in_progress: row('a request with this Idempotency-Key is still running', {
    stillRunning: example(
      'The first request has no response yet',
      'A request with this Idempotency-Key is still running. Try again in a second.',
    ),
  }),
  body_too_large: row('the body has more than 512 KiB', {
    bodyTooLarge: example(
      'One byte too many, or a Content-Length that is too large',
      `The body has more than ${BODY_BYTES_MAX} bytes. Send a smaller one.`,
    ),
  }),
  unsupported_media_type: row('the body is not declared as uncompressed JSON in UTF-8', {
    notJson: example('Another Content-Type', 'Send the body as JSON with the header Content-Type: application/json.'),
    compressed: example('A Content-Encoding', 'Compressed bodies are not supported. Send the JSON uncompressed.'),
  }),
  idempotency_key_reused: row('this Idempotency-Key was used with another body within 30 days', {
    otherBody: example(
      'The bytes of the body differ',
      'This Idempotency-Key was used with another body. Use a new key for a new contract.',
    ),
  }),
  rate_limited: row('the rate limit per minute is reached', {
    windowFull: example(
      'One request too many',
      'Too many requests in the last minute. Wait as long as Retry-After says.',
    ),
  }),
  quota_exceeded: row('the monthly quota is used up, in the sandbox or in an account that stops at its quota', {
    quotaUsedUp: example(
      'No quota until the next month',
      'The monthly quota is used up. Wait for the next billing period, or move to a larger plan.',
    ),
  }),
  headers_too_large: row('the headers have more than 16 KiB', {
    headersTooLarge: example(
      'Headers of more than 16 KiB',
      'The headers have more than 16 KiB. Send fewer or shorter ones.',
    ),
  }),
  internal_error: row('an error on our side', {
    internalError: example(
      'An error on our side',
      'Something went wrong on our side. Try again. If it happens again, send the operator the request id.',
    ),
  }),
  unavailable: row('a part of the service is temporarily unavailable', {
    contractServiceAway: example(
      'The contract service does not answer',
      'The contract service cannot answer at the moment. Try again in a few seconds; a POST with an Idempotency-Key is safe to repeat.',
      isForwarded,
    ),
    databaseAway: example(
      'The database does not answer',
      'The service cannot answer at the moment. Try again in a few seconds.',
    ),
  }),
}

/** In the order of the statuses. */
export const ERROR_CODES = Object.keys(ERROR_STATUS) as ErrorCode[]

export const REQUEST_ID = '5f0c7d2e-8f4b-4c43-9f0e-0f7f3c1f9a11'
export const REQUEST_ID_PATTERN = '^[A-Za-z0-9-]{8,64}$'
function bodyOf(code: ErrorCode, { error, issues }: ErrorExample, baseUrl: string): Json {
  const type = errorPageOf(`${baseUrl}${ERRORS_PATH}`, code)
  return { error, code, requestId: REQUEST_ID, type, ...(issues && { issues }) }
}

/** Every example body that an operation refers to. No operation answers `version_removed`. @param baseUrl public origin */
export function errorExamples(baseUrl: string): Json {
  return Object.fromEntries(
    ERROR_CODES.filter((code) => code !== 'version_removed').flatMap((code) =>
      Object.entries(DOCUMENTED_ERRORS[code].examples).map(([name, each]) => [
        name,
        { summary: each.summary, value: bodyOf(code, each, baseUrl) },
      ]),
    ),
  )
}

/** The schema of every error body, and its parts. [Errors, D6, D56] @param baseUrl public origin */
export const errorSchemas = (baseUrl: string): Record<'ApiError' | 'ErrorCode' | 'Issue', Json> => ({
  ApiError: apiErrorSchema(baseUrl),
  ErrorCode: {
    type: 'string',
    // Not an enum, which a new code would break in some clients.
    'x-extensible-enum': ERROR_CODES,
    description: 'For your program: what happened. A code keeps its meaning, and new codes may come.',
  },
  Issue: {
    type: 'object',
    description: 'One broken rule.',
    required: ['path', 'message'],
    properties: {
      path: {
        type: 'string',
        description: 'The field, such as `parties[1].email`, or the name of a header. Empty for the whole body.',
      },
      message: { type: 'string', minLength: 1, description: 'What to do.' },
    },
  },
})

const apiErrorSchema = (baseUrl: string): Json => ({
  type: 'object',
  description:
    'The body of every response that is not 2xx or 304. Decide by `code`; if you do not know the code, decide by the status.',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: {
      type: 'string',
      minLength: 1,
      description: 'For a person: what happened and what to do. The wording may change.',
    },
    code: { $ref: '#/components/schemas/ErrorCode' },
    requestId: {
      type: 'string',
      pattern: REQUEST_ID_PATTERN,
      description: 'Identifies this request in the logs of the operator.',
    },
    type: { type: 'string', format: 'uri-reference', description: 'The page about `code`, as in RFC 9457.' },
    issues: {
      type: 'array',
      minItems: 1,
      description: 'Only with `invalid_request`: every broken rule.',
      items: { $ref: '#/components/schemas/Issue' },
    },
  },
  examples: [bodyOf('version_removed', DOCUMENTED_ERRORS.version_removed.examples['versionRemoved']!, baseUrl)],
})
