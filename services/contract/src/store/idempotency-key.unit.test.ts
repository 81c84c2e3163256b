import { describe, expect, it } from 'vitest'
import { DomainError } from '@paraph/protocol/errors'
import { readIdempotencyKey } from './idempotency-key.js'

const sentenceFor = (header: string): string => {
  try {
    readIdempotencyKey(header)
  } catch (error) {
    if (error instanceof DomainError && error.code === 'invalid_request') return error.message
  }
  return 'taken'
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

  it('is refused with a sentence of its own when it is empty, too long, sent twice or not ASCII', () => {
    const sentences = ['', 'x'.repeat(256), 'first, second', 'caf\u00c3\u00a9'].map(sentenceFor)
    expect(sentences).toEqual([
      expect.stringContaining('is empty') as string,
      expect.stringContaining('at most 255') as string,
      expect.stringContaining('once') as string,
      expect.stringContaining('ASCII') as string,
    ])
    // As Node joins two headers that are both empty, and what a terminal could not show.
    expect(sentenceFor(', ')).toContain('once')
    expect(sentenceFor('a\tb')).toContain('ASCII')
    expect(sentenceFor('x'.repeat(300) + 'secret')).not.toContain('secret')
  })
})
