import { describe, expect, it } from '@jest/globals'
import { DomainError } from '@paraph/protocol/errors'
import { readIdempotencyKey } from './idempotency.js'

const messageFor = (header: string): string => {
  try {
    readIdempotencyKey(header)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request') return error.message
  }
  return 'accepted'
}

describe('an Idempotency-Key [D11, D17]', () => {
  it('is any printable ASCII text of 1 to 255 characters', () => {
    for (const key of [
      'a',
      'x'.repeat(255),
      '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
      "order 7; try #1 (~!@$%^&*'<>[]{}|)",
    ])
      expect(readIdempotencyKey(key)).toBe(key)
    expect(readIdempotencyKey(undefined)).toBeUndefined()
  })

  it('is refused with a message of its own when it is empty, too long, sent twice or not ASCII', () => {
    const sentences = ['', 'x'.repeat(256), 'first, second', 'caf\u00c3\u00a9'].map(messageFor)
    expect(sentences).toEqual([
      expect.stringContaining('is empty'),
      expect.stringContaining('at most 255'),
      expect.stringContaining('once'),
      expect.stringContaining('ASCII'),
    ])
    // Node joins two empty headers to `, `. A tab is not printable.
    expect(messageFor(', ')).toContain('once')
    expect(messageFor('a\tb')).toContain('ASCII')
    expect(messageFor('x'.repeat(300) + 'secret')).not.toContain('secret')
  })
})
