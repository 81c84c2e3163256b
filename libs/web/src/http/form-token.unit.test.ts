import { describe, expect, it } from '@jest/globals'
import { createFormTokens } from './form-token.js'

const HOUR_MS = 3_600_000
const issuedAt = new Date('2026-11-20T14:59:59Z')
const later = (hours: number) => new Date(issuedAt.getTime() + hours * HOUR_MS)
const tokens = createFormTokens([{ id: 'k1', secret: 'one' }])

describe('a form token [ceremony: headers]', () => {
  it('is valid for 24 hours, and invalid after 25', () => {
    const token = tokens.issue('share-token', issuedAt)
    expect(tokens.verify(token, 'share-token', issuedAt)).toBe(true)
    expect(tokens.verify(token, 'share-token', later(24))).toBe(true)
    expect(tokens.verify(token, 'share-token', later(25))).toBe(false)
  })

  it('is valid on a replica whose clock is an hour behind, and invalid a day before its hour', () => {
    const token = tokens.issue('share-token', issuedAt)
    expect(tokens.verify(token, 'share-token', later(-1))).toBe(true)
    expect(tokens.verify(token, 'share-token', later(-3))).toBe(false)
  })

  it('is valid only for its own link, session and kind of form', () => {
    const open = tokens.issue('a', issuedAt)
    const inSession = tokens.issueForSession('a')
    expect(tokens.verify(open, 'b', issuedAt)).toBe(false)
    expect(tokens.verifyForSession(inSession, 'a')).toBe(true)
    expect(tokens.verifyForSession(inSession, 'b')).toBe(false)
    expect(tokens.verifyForSession(open, 'a')).toBe(false)
    expect(tokens.verify(inSession, 'a', issuedAt)).toBe(false)
  })

  it('is invalid if its hour was changed', () => {
    const [keyId, , mac] = tokens.issue('a', issuedAt).split('.')
    const hour = Math.floor(later(20).getTime() / HOUR_MS).toString(36)
    expect(tokens.verify(`${keyId}.${hour}.${mac}`, 'a', later(20))).toBe(false)
  })

  it('stays valid during a rotation: the old key still verifies, the new key signs', () => {
    const rotated = createFormTokens([
      { id: 'k2', secret: 'two' },
      { id: 'k1', secret: 'one' },
    ])
    expect(rotated.verify(tokens.issue('a', issuedAt), 'a', issuedAt)).toBe(true)
    expect(tokens.verify(rotated.issue('a', issuedAt), 'a', issuedAt)).toBe(false)
  })

  it.each([undefined, '', '.', '...', 'k1.~.', `k1.zzzzzzzzzzzz.${'x'.repeat(43)}`, 'x'.repeat(10_000)])(
    'is invalid, and throws nothing, if it is %j',
    (token) => {
      expect(tokens.verify(token, 'a', issuedAt)).toBe(false)
      expect(tokens.verifyForSession(token, 'a')).toBe(false)
    },
  )
})
