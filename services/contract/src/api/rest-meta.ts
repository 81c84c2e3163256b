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
    summary: 'Create a contract',
    description:
      'Creates a contract with two or more parties and sends each of them an email with the share link. Send an `Idempotency-Key` to retry safely.',
    tags: ['Contracts'],
    successDescription: 'The contract was created. Every party gets an email.',
  },
  rest: {
    status: 201,
    requestHeaders: {
      'Idempotency-Key': {
        description:
          'Your own name for this request, such as a UUID: 1 to 255 printable ASCII characters without a comma. Within 30 days, the same key with the same body, byte for byte, returns the same contract.',
        required: false,
        schema: {
          type: 'string',
          minLength: 1,
          maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
          // A header's value neither starts nor ends with a space.
          pattern: '^[!-+.-~-]([ -+.-~-]*[!-+.-~-])?$',
        },
      },
      Prefer: {
        description:
          '`handling=strict` (RFC 7240): unknown fields are refused with 400 instead of ignored. Other preferences are ignored.',
        required: false,
        schema: { type: 'string' },
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
        description: 'Present on a replay, which is not billed.',
        required: false,
        schema: { type: 'string', enum: ['true'] },
        example: 'true',
      },
      'Preference-Applied': {
        description: 'Present if the request asked for strict handling.',
        required: false,
        schema: { type: 'string', enum: ['handling=strict'] },
        example: 'handling=strict',
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
        description: 'Follow the signing of the new contract.',
      },
    },
  },
}

export const GET_META: RestMeta = {
  openapi: {
    method: 'GET',
    path: '/contracts/{id}',
    operationId: 'getContract',
    summary: 'Get a contract',
    description:
      'Returns the contract and who has signed. Poll it until `status` is final. Send the last `ETag` as `If-None-Match` to get 304 while nothing has changed. Add `Prefer: wait=30` to wait for a change.',
    tags: ['Contracts'],
    successDescription: 'The contract in its current state.',
  },
  rest: {
    status: 200,
    notModified: 'Nothing has changed since the response with this `ETag`. No body. Free of charge.',
    requestHeaders: {
      'If-None-Match': {
        description: 'One or more values of `ETag`. The response is 304 while one of them is current.',
        required: false,
        schema: { type: 'string' },
      },
      Prefer: {
        description:
          '`wait=N` (RFC 7240), together with `If-None-Match`: the response waits until the contract changes, at most N seconds. The maximum is 30. Other preferences are ignored.',
        required: false,
        schema: { type: 'string' },
      },
    },
    responseHeaders: {
      ETag: {
        description: 'Changes whenever the body changes, also when the contract expires.',
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
        description: 'You may store the response, but ask again before you use it.',
        required: true,
        schema: { type: 'string', const: 'private, no-cache' },
        example: 'private, no-cache',
      },
      'Preference-Applied': {
        description:
          'Present if the response waited: the longest wait in seconds. If it is absent, pause for a second before you poll again.',
        required: false,
        schema: { type: 'string', pattern: '^wait=([1-9]|[12][0-9]|30)$' },
        example: 'wait=30',
      },
    },
    errors: ['not_found', 'internal_error', 'unavailable'],
    examples: GET_EXAMPLES,
  },
}
