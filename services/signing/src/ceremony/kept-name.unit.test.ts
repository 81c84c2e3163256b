import { expect, it } from '@jest/globals'
import { createKeptNames } from './kept-name.js'

const SECRET = { id: 'a', secret: 'a secret of at least 32 characters' }
const NEXT = { id: 'b', secret: 'another one of at least 32 characters' }
const names = createKeptNames({ secrets: [SECRET], https: true })
const NOW = new Date('2026-11-20T14:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000)
const kept = (typedName: string, contract = 'contract-1-a') =>
  names.keep(contract, { partyIndex: 1, typedName }, NOW)?.split(';')[0]

it('a typed name is returned for its contract for 15 minutes, and is unreadable in the cookie [ceremony 14]', () => {
  const cookie = kept('Hélène Côté')
  expect(cookie).toMatch(/^__Host-kept-name=/)
  expect(Buffer.from(cookie!.split('.')[1]!, 'base64url').toString()).not.toContain('Hélène')
  expect(names.read(`a=b; ${cookie}`, 'contract-1-a', later(899))).toMatchObject({
    partyIndex: 1,
    typedName: 'Hélène Côté',
  })
  expect(names.read(cookie, 'contract-1-a', later(900))).toBeUndefined()
  expect(names.read(cookie, 'contract-2-b', NOW)).toBeUndefined()
})

it('a typed name is returned as long as the secret that encrypted it is configured [ceremony 14, P9, F25]', () => {
  const reads = (...secrets: (typeof SECRET)[]) =>
    createKeptNames({ secrets, https: true }).read(kept('Jane Roe'), 'contract-1-a', NOW)?.typedName
  expect([reads(SECRET, NEXT), reads(NEXT, SECRET), reads(NEXT)]).toEqual(['Jane Roe', 'Jane Roe', undefined])
})

it.each(['', 'x', 'a.', '.a', 'a.AAAA', 'c.AAAA', 'AAAA', 'A'.repeat(5_000)])(
  'a forged or malformed cookie %j is ignored',
  (value) => {
    expect(names.read(`__Host-kept-name=${value}`, 'contract-1-a', NOW)).toBeUndefined()
  },
)

it('an empty name, or a name of more than 1,000 bytes, is not stored', () => {
  expect(kept('字'.repeat(200))!.length).toBeLessThan(1_500)
  expect(kept('字'.repeat(400))).toBeUndefined()
  expect(kept('')).toBeUndefined()
})
