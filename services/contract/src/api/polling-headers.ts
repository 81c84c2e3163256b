// The headers of conditional requests and long polls, as the OpenAPI document describes them. Data only. [GET /contracts/{id}, D22]
import type { DocumentedHeader } from '@paraph/rpc/rest'

type Headers = Readonly<Record<string, DocumentedHeader>>

export const POLLING_REQUEST_HEADERS: Headers = {
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
}

export const POLLING_RESPONSE_HEADERS: Headers = {
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
}
