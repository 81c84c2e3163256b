import { TRPCClientError } from '@trpc/client'
import { expect, it } from '@jest/globals'
import { DomainError, type ErrorCode } from '@paraph/protocol/errors'
import { asDomainError } from './render-errors.js'

it.each<[refusal: ErrorCode, answer: ErrorCode]>([
  ['unavailable', 'unavailable'],
  // The other service refused our service token: the clocks of two databases have stepped apart, or a key is wrong.
  ['invalid_key', 'unavailable'],
  ['not_found', 'internal_error'],
])('a client gets for the refusal %s of another service the error %s [F32]', (refusal, answer) => {
  const thrown = TRPCClientError.from(new DomainError(refusal, 'No.'))
  expect(asDomainError(thrown).code).toBe(answer)
})
