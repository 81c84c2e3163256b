import { expect, it } from '@jest/globals'
import { DomainError } from '@paraph/protocol/errors'
import { sentenceOf } from './paraph.js'

const refusal = (...issues: { path: string; message: string }[]) =>
  new DomainError('invalid_request', `${issues.length} fields are not valid. Correct the fields in issues.`, { issues })

it('the command line names each invalid field on its own line [local-stack]', () => {
  expect(
    sentenceOf(
      refusal(
        { path: 'name', message: 'name must not be blank.' },
        { path: 'email', message: 'email must be one plain address with a domain.' },
      ),
    ),
  ).toBe('name must not be blank.\nemail must be one plain address with a domain.')
  expect(sentenceOf(refusal({ path: 'reason', message: 'Too big.' }))).toBe('reason: Too big.')
})

it('the command line prints the message of a refusal without fields, and otherwise that the service does not answer [local-stack]', () => {
  expect(sentenceOf(new DomainError('not_found', 'There is no such contract.'))).toBe('There is no such contract.')
  expect(sentenceOf(new Error('connect ECONNREFUSED'))).toContain('Paraph does not answer.')
})
