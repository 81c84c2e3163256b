// The errors in the OpenAPI document: the codes of each endpoint, their meaning, and example bodies. [D5, D6]
// The sentences equal those that the code throws: a test provokes and compares every one. Does not own the codes.
import {
  CONTENT_BYTES_MAX,
  BODY_BYTES_MAX,
  CONTRACT_TYPES,
  IDEMPOTENCY_KEY_LENGTH_MAX,
} from '@paraph/protocol/contract'
import { ERROR_STATUS, type ErrorCode, type Issue } from '@paraph/protocol/errors'
import type { Endpoint } from '../edge/endpoints.js'

type Json = { [key: string]: unknown }

interface ErrorExample {
  summary: string
  error: string
  issues?: Issue[]
  /** Endpoints where the example can happen; undefined: wherever the code can. */
  at?: (endpoint: Endpoint) => boolean
}

interface DocumentedError {
  when: string
  examples: Readonly<Record<string, ErrorExample>>
}

const isPost = ({ method }: Endpoint) => method === 'POST'
const isGet = ({ method }: Endpoint) => method === 'GET'
const isForwarded = ({ answeredBy }: Endpoint) => answeredBy === 'contract'
const oneIssue = (path: string, error: string) => ({ error, issues: [{ path, message: error }] })

/** Every code with its meaning and its example bodies. The names of examples are unique. */
export const DOCUMENTED_ERRORS: Readonly<Record<ErrorCode, DocumentedError>> = {
  invalid_request: {
    when: 'the request breaks a rule; `issues` names each field',
    examples: {
      brokenRules: {
        summary: 'Two fields break their rules',
        error: '2 fields are not right. Correct those that issues names.',
        issues: [
          { path: 'parties', message: 'parties must have at least 2 entries.' },
          { path: 'contractType', message: `contractType must be one of: ${CONTRACT_TYPES.join(', ')}.` },
        ],
        at: isPost,
      },
      contentTooLong: {
        summary: 'One byte too many',
        ...oneIssue(
          'content',
          `content has ${CONTENT_BYTES_MAX + 1} bytes of UTF-8; at most ${CONTENT_BYTES_MAX} are allowed.`,
        ),
        at: isPost,
      },
      removedField: {
        summary: 'A field of version 1',
        ...oneIssue('businessName', 'businessName was removed in v2. Send senderName.'),
        at: isPost,
      },
      malformedJson: {
        summary: 'Not JSON',
        ...oneIssue('', 'The body is not valid JSON. Check its quotes, commas and brackets.'),
        at: isPost,
      },
      idempotencyKeyTooLong: {
        summary: 'An Idempotency-Key of 256 characters',
        ...oneIssue('Idempotency-Key', `Idempotency-Key must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`),
        at: isPost,
      },
      brokenHead: { summary: 'No Host header', error: 'The header Host is missing. Send the request again with it.' },
    },
  },
  invalid_key: {
    when: 'no key, two keys, or one that is malformed, unknown, revoked or expired',
    examples: {
      invalidKey: {
        summary: 'Whatever is wrong with the key',
        error: 'The API key is missing or not valid. Check the header x-api-key.',
      },
    },
  },
  missing_scope: {
    when: 'the key lacks the scope',
    examples: {
      missingReadScope: {
        summary: 'A key that may only create',
        error: 'This key lacks the scope contracts:read. Use a key that has it.',
        at: ({ scope }) => scope === 'contracts:read',
      },
      missingWriteScope: {
        summary: 'A key that may only read',
        error: 'This key lacks the scope contracts:write. Use a key that has it.',
        at: ({ scope }) => scope === 'contracts:write',
      },
    },
  },
  account_suspended: {
    when: 'the operator suspended the account',
    examples: {
      accountSuspended: {
        summary: 'A suspended account',
        error: 'This account is suspended. Write to the operator of this installation.',
      },
    },
  },
  subscription_inactive: {
    when: 'there is no paid subscription',
    examples: {
      subscriptionEnded: {
        summary: 'The subscription has ended',
        error: 'The subscription of this account has ended. Ask the operator of this installation to renew it.',
      },
      trialInProduction: {
        summary: 'A production key of an account on trial',
        error:
          'Production keys need a paid subscription. Use a sandbox key, or ask the operator of this installation for a subscription.',
      },
    },
  },
  not_found: {
    when: 'no such contract for this account and environment, or no such path',
    examples: {
      unknownContract: {
        summary: "Unknown, another account's, or of the other environment: one answer",
        error: 'There is no such contract. Check the id and the environment of the key.',
        at: isForwarded,
      },
      unknownPath: {
        summary: 'No endpoint has this path',
        error: 'There is nothing at this path. Use one of those in /openapi.json.',
        at: isForwarded,
      },
    },
  },
  version_removed: {
    when: 'any path and method under /api/external/v1',
    examples: {
      versionRemoved: { summary: 'Version 1', error: 'Version 1 of this interface was removed. Use /api/external/v2.' },
    },
  },
  method_not_allowed: {
    when: 'another method on this path',
    examples: {
      onlyGet: { summary: 'PUT, for example', error: 'Use GET: this path takes nothing else.', at: isGet },
      onlyPost: { summary: 'GET, for example', error: 'Use POST: this path takes nothing else.', at: isPost },
    },
  },
  request_timeout: {
    when: 'the request did not arrive in time',
    examples: {
      bodyTooSlow: {
        summary: 'The body took more than 20 seconds',
        error: 'The body did not arrive in time. Send the request again.',
        at: isPost,
      },
      requestTooSlow: {
        summary: 'The headers took more than 60 seconds',
        error: 'The request did not arrive in time. Send it again.',
      },
    },
  },
  idempotency_in_progress: {
    when: 'a request with this Idempotency-Key is still running',
    examples: {
      stillRunning: {
        summary: 'The first request is not answered yet',
        error: 'A request with this Idempotency-Key is still running. Try again in a second.',
      },
    },
  },
  body_too_large: {
    when: 'the body has more than 512 KiB',
    examples: {
      bodyTooLarge: {
        summary: 'One byte too many, or announced as too long',
        error: `The body has more than ${BODY_BYTES_MAX} bytes. Send a smaller one.`,
      },
    },
  },
  unsupported_media_type: {
    when: 'the body is not announced as plain JSON in UTF-8',
    examples: {
      notJson: {
        summary: 'Another Content-Type',
        error: 'Send the body as JSON with the header Content-Type: application/json.',
      },
      compressed: { summary: 'A Content-Encoding', error: 'Compressed bodies are not taken. Send the JSON as it is.' },
    },
  },
  idempotency_key_reused: {
    when: 'this Idempotency-Key was used with another body within 24 hours',
    examples: {
      otherBody: {
        summary: 'The bytes of the body differ',
        error: 'This Idempotency-Key was used with another body. Use a new key for a new contract.',
      },
    },
  },
  rate_limited: {
    when: 'the window of the last minute is full',
    examples: {
      windowFull: {
        summary: 'One request too many',
        error: 'Too many requests in the last minute. Wait as long as Retry-After says.',
      },
    },
  },
  quota_exceeded: {
    when: 'the monthly quota is used up, in the sandbox or where the account stops at it',
    examples: {
      quotaUsedUp: {
        summary: 'No quota until the next month',
        error: 'The monthly quota is used up. Wait for the next billing period, or move to a larger tier.',
      },
    },
  },
  headers_too_large: {
    when: 'the headers have more than 16 KiB',
    examples: {
      headersTooLarge: {
        summary: 'Headers of more than 16 KiB',
        error: 'The headers have more than 16 KiB. Send fewer or shorter ones.',
      },
    },
  },
  internal_error: {
    when: 'a fault on our side',
    examples: {
      internalError: {
        summary: 'A fault on our side',
        error: 'Something went wrong on our side. Try again; if it stays so, tell us the request id.',
      },
    },
  },
  unavailable: {
    when: 'a part of the service is away for a moment',
    examples: {
      contractServiceAway: {
        summary: 'The contract service does not answer',
        error:
          'The contract service cannot answer at the moment. Try again in a few seconds; a POST with an Idempotency-Key is safe to repeat.',
        at: isForwarded,
      },
      databaseAway: {
        summary: 'The database does not answer',
        error: 'The service cannot answer at the moment. Try again in a few seconds.',
      },
    },
  },
}

/** The codes that the gateway itself answers at `endpoint`. [D5] */
export function edgeErrorsOf({ scope, weight, answeredBy, method }: Endpoint): ErrorCode[] {
  return [
    'invalid_request',
    'invalid_key',
    ...(scope ? (['missing_scope'] as const) : []),
    ...(answeredBy === 'status' ? [] : (['account_suspended', 'subscription_inactive'] as const)),
    'method_not_allowed',
    'request_timeout',
    ...(method === 'POST' ? (['body_too_large'] as const) : []),
    'rate_limited',
    ...(weight > 0 ? (['quota_exceeded'] as const) : []),
    'headers_too_large',
    'internal_error',
    'unavailable',
  ]
}

const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/**
 * Whether a call that ends with `status` is counted always, sometimes or never. [D3, D5]
 * A 401 comes before counting, except on a long poll whose key was revoked meanwhile. [D22]
 */
const countedWith = (status: number, { method }: Endpoint): 'always' | 'sometimes' | 'never' => {
  if ([403, 409, 413, 415, 422].includes(status)) return 'always'
  return [405, 431].includes(status) || (status === 401 && method === 'POST') ? 'never' : 'sometimes'
}

/** One response per status of `codes`, each with its possible bodies. */
export function errorResponses(codes: readonly ErrorCode[], endpoint: Endpoint): Json {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter(
        (code) => ERROR_STATUS[code] === status && codes.includes(code),
      )
      return [status, errorResponse(status, ofStatus, endpoint)]
    }),
  )
}

function errorResponse(status: number, codes: readonly ErrorCode[], endpoint: Endpoint): Json {
  const examples = codes.flatMap((code) =>
    Object.entries(DOCUMENTED_ERRORS[code].examples)
      .filter(([, { at }]) => at?.(endpoint) ?? true)
      .map(([name]) => [name, { $ref: `#/components/examples/${name}` }]),
  )
  return {
    description: codes.map((code) => `\`${code}\`: ${DOCUMENTED_ERRORS[code].when}.`).join('\n\n'),
    headers: headerRefs([
      ...RATE_LIMIT,
      ...([409, 429, 503].includes(status) ? ['Retry-After'] : []),
      ...(status === 405 ? ['Allow'] : []),
      ...quotaHeadersOf(endpoint, countedWith(status, endpoint)),
    ]),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            { type: 'object', properties: { code: { type: 'string', enum: codes } } },
          ],
        },
        examples: Object.fromEntries(examples) as Json,
      },
    },
  }
}

/** The headers of every success of `endpoint`. */
export const successHeaders = (endpoint: Endpoint): Json =>
  headerRefs([...RATE_LIMIT, ...quotaHeadersOf(endpoint, 'always')])

/** An answer from before counting has neither of these two headers. */
function quotaHeadersOf({ weight }: Endpoint, counted: 'always' | 'sometimes' | 'never'): string[] {
  if (weight === 0 || counted === 'never') return []
  return ['Paraph-Quota-Weight', 'Paraph-Quota-Billable'].map((name) =>
    counted === 'always' ? name : `${name}-If-Counted`,
  )
}

/** Components are named after the header, with `-If-Counted` where not every answer has it. */
const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name.replace(/-If-Counted$/, ''), { $ref: `#/components/headers/${name}` }]))

const quotaWeight = {
  description: 'Calls of quota that this call costs when it is billed; 0 for a replay.',
  schema: { type: 'integer', minimum: 0, maximum: 1 },
  example: 1,
}
const quotaBillable = {
  description: 'Whether this call was billed: answered 2xx or 304, and no replay.',
  schema: { type: 'string', enum: ['true', 'false'] },
  example: 'true',
}
const count = (description: string, minimum: number, example: number) => ({
  description,
  required: true,
  schema: { type: 'integer', minimum },
  example,
})

/** The headers of more than one endpoint. [Limits, D3, D5, D27] */
export const HEADERS: Json = {
  'RateLimit-Limit': count('Requests that the window of one minute takes.', 1, 60),
  'RateLimit-Remaining': count('Requests left in the window, after this one.', 0, 59),
  'RateLimit-Reset': count('Seconds until the window resets: until its oldest request leaves it.', 1, 60),
  'Retry-After': count('Seconds to wait before trying again.', 1, 12),
  Allow: {
    description: 'The methods that the path takes.',
    required: true,
    schema: { type: 'string', pattern: '^(GET|POST)(, (GET|POST))*$' },
    example: 'GET',
  },
  'Paraph-Quota-Weight': { ...quotaWeight, required: true },
  'Paraph-Quota-Billable': { ...quotaBillable, required: true },
  'Paraph-Quota-Weight-If-Counted': {
    ...quotaWeight,
    description: `${quotaWeight.description} Left out of what was refused before it was counted.`,
  },
  'Paraph-Quota-Billable-If-Counted': {
    ...quotaBillable,
    description: 'Here always false. Left out of what was refused before it was counted.',
  },
}

const REQUEST_ID = '5f0c7d2e-8f4b-4c43-9f0e-0f7f3c1f9a11'
const bodyOf = (code: ErrorCode, { error, issues }: ErrorExample): Json => ({
  error,
  code,
  requestId: REQUEST_ID,
  ...(issues ? { issues } : {}),
})

/** Every body that an operation refers to; `version_removed` belongs to no operation but to the schema. */
export function errorExamples(): Json {
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => code !== 'version_removed')
  return Object.fromEntries(
    codes.flatMap((code) =>
      Object.entries(DOCUMENTED_ERRORS[code].examples).map(([name, example]) => [
        name,
        { summary: example.summary, value: bodyOf(code, example) },
      ]),
    ),
  )
}

/** The schema of every error body. [Errors, D6] */
export const ERROR_SCHEMA: Json = {
  type: 'object',
  description:
    'The body of every answer that is not 2xx or 304. Decide by `code`, or by the status if you do not know it.',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: {
      type: 'string',
      minLength: 1,
      description: 'A sentence for a person: what happened and what to do. It may be reworded; decide by `code`.',
    },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS), description: 'What happened, for a program.' },
    requestId: {
      type: 'string',
      pattern: '^[A-Za-z0-9-]{8,64}$',
      description: 'Names this request in the logs of the operator.',
    },
    issues: {
      type: 'array',
      minItems: 1,
      description: 'With `invalid_request`: each broken rule.',
      items: {
        type: 'object',
        description: 'One broken rule.',
        required: ['path', 'message'],
        properties: {
          path: {
            type: 'string',
            description: 'Where: `parties[1].email`, or the name of a header; empty for the body as a whole.',
          },
          message: { type: 'string', minLength: 1, description: 'What to do.' },
        },
      },
    },
  },
  examples: [bodyOf('version_removed', DOCUMENTED_ERRORS.version_removed.examples['versionRemoved']!)],
}
