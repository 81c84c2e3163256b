// The routes of the public REST procedures and their part of the OpenAPI document. Data only, for `mountRest` and `describeRest`.
// [Endpoints, GET /contracts/{id}, D17, D22]
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@paraph/protocol/contract'
import type { RestMeta } from '@paraph/rpc/rest'
import { CREATE_EXAMPLES, GET_EXAMPLES } from './examples.js'

export const CREATE_META: RestMeta = {
  openapi: {
    method: 'POST',
    path: '/contracts',
    operationId: 'createContract',
    summary: 'Create a multi-party contract',
    description:
      'Stores the contract and sends a signing e-mail to every party. With an `Idempotency-Key` it is safe to repeat.',
    tags: ['Contracts'],
    successDescription: 'The contract was made; every party will get an e-mail.',
  },
  rest: {
    status: 201,
    requestHeaders: {
      'Idempotency-Key': {
        description:
          '1 to 255 printable ASCII characters without a comma, such as a UUID. Within 24 hours the same key with the same body, byte for byte, gives the same contract and makes no second one.',
        required: false,
        schema: {
          type: 'string',
          minLength: 1,
          maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
          // A header's value neither starts nor ends with a space.
          pattern: '^[!-+.-~-]([ -+.-~-]*[!-+.-~-])?$',
        },
      },
    },
    responseHeaders: {
      Location: {
        description: 'Path of the new contract.',
        required: true,
        schema: { type: 'string', format: 'uri-reference' },
        example: '/api/external/v2/contracts/contract-1795183380000-k3v9x2m1q',
      },
      'Idempotency-Replayed': {
        description: 'On the answer to a repeated request; such a call is not billed.',
        required: false,
        schema: { type: 'string', enum: ['true'] },
        example: 'true',
      },
    },
    errors: [
      'invalid_request',
      'idempotency_in_progress',
      'body_too_large',
      'unsupported_media_type',
      'idempotency_key_reused',
      'internal_error',
      'unavailable',
    ],
    examples: CREATE_EXAMPLES,
    links: {
      getContract: {
        operationId: 'getContract',
        parameters: { id: '$response.body#/contract/id' },
        description: 'Follow the signing of the contract that was made.',
      },
    },
  },
}

export const GET_META: RestMeta = {
  openapi: {
    method: 'GET',
    path: '/contracts/{id}',
    operationId: 'getContract',
    summary: 'Contract details and signing progress',
    description:
      'Poll it until `status` is final. Send the `ETag` of the last answer as `If-None-Match` and get 304 while nothing has changed; add `Prefer: wait=30` and the answer waits for a change.',
    tags: ['Contracts'],
    successDescription: 'The contract as it stands.',
  },
  rest: {
    status: 200,
    notModified: 'Nothing has changed since the answer with this `ETag`. No body; billed like a 200.',
    requestHeaders: {
      'If-None-Match': {
        description: 'The `ETag` of an earlier answer, or several: 304 while it is still the right one.',
        required: false,
        schema: { type: 'string' },
      },
      Prefer: {
        description:
          '`wait=N` with `If-None-Match` (RFC 7240): hold the answer until the contract changes, N seconds at most; more than 30 counts as 30. What is no such preference is ignored.',
        required: false,
        schema: { type: 'string' },
      },
    },
    responseHeaders: {
      ETag: {
        description: 'Changes whenever the body does, expiry included.',
        required: true,
        schema: { type: 'string', pattern: '^"[!#-~]+"$' },
        example: '"vX2nQ7b0c9TtKfR4yL1sWm8aZ3hJ6uEo"',
      },
      'Last-Modified': {
        description: 'When the contract last changed.',
        required: true,
        schema: {
          type: 'string',
          pattern: '^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$',
        },
        example: 'Fri, 20 Nov 2026 15:20:11 GMT',
      },
      'Cache-Control': {
        description: 'Keep it, but ask each time.',
        required: true,
        schema: { type: 'string', const: 'private, no-cache' },
        example: 'private, no-cache',
      },
      'Preference-Applied': {
        description:
          'The wait was honoured, and for how long at most. Without it the answer came at once: wait a moment before the next.',
        required: false,
        schema: { type: 'string', pattern: '^wait=([1-9]|[12][0-9]|30)$' },
        example: 'wait=30',
      },
    },
    errors: ['not_found', 'internal_error', 'unavailable'],
    examples: GET_EXAMPLES,
  },
}
