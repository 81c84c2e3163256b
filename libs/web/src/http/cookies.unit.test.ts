import { describe, expect, it } from '@jest/globals'
import {
  CEREMONY_COOKIES_MAX,
  createCeremonyCookies,
  localeCookie,
  parseCookies,
  readLocaleCookie,
  serializeCookie,
} from './cookies.js'

const now = new Date('2026-11-20T14:00:00Z')
const session = (scope: string) => ({ scope, value: 'session-id', maxAgeSeconds: 86_400 })
const pair = (setCookie: string) => setCookie.split(';', 1)[0] ?? ''

describe('the cookie module [D33]', () => {
  it('adds the prefix __Host- and Secure on https, and neither on plain local http', () => {
    expect(serializeCookie({ name: 'lang', value: 'fr', maxAgeSeconds: 60 }, { https: true })).toBe(
      '__Host-lang=fr; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
    )
    expect(serializeCookie({ name: 'lang', value: 'fr' }, { https: false })).toBe(
      'lang=fr; Path=/; HttpOnly; SameSite=Lax',
    )
  })

  it('refuses a value that could add attributes', () => {
    expect(() => serializeCookie({ name: 'lang', value: 'fr; Domain=evil' }, { https: true })).toThrow()
  })

  it('skips malformed parts of a header, and uses the first of several cookies with the same name', () => {
    expect([...parseCookies('a=1; ; =x; b = 2 ;a=3; c')]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
  })

  it('stores one session per contract, and reads it back', () => {
    const cookies = createCeremonyCookies({ https: true })
    const header = ['one', 'two']
      .flatMap((scope) => cookies.write(undefined, session(scope), now))
      .map(pair)
      .join('; ')
    expect(cookies.read(header, 'two')).toBe('session-id')
    expect(cookies.read(header, 'three')).toBeUndefined()
    expect(cookies.clear('two')).toMatch(/^__Host-sign-two=;.*Max-Age=0/)
  })

  it('clears the oldest session, whatever order the browser sends, when a 21st is set', () => {
    const cookies = createCeremonyCookies({ https: true })
    const pairs = Array.from({ length: CEREMONY_COOKIES_MAX }, (_, index) => {
      const setAt = new Date(now.getTime() + ((index * 7 + 5) % CEREMONY_COOKIES_MAX) * 1000)
      return pair(cookies.write(undefined, session(`c${index}`), setAt)[0] ?? '')
    })
    const header = [...pairs.toReversed(), 'other=1'].join('; ')
    const written = cookies.write(header, session('new'), new Date(now.getTime() + 60_000))
    expect(written.map((setCookie) => pair(setCookie))).toEqual([
      expect.stringMatching(/^__Host-sign-new=.+/),
      '__Host-sign-c5=',
    ])
  })

  it('does not count the session that the new one replaces', () => {
    const cookies = createCeremonyCookies({ https: false })
    const header = Array.from({ length: CEREMONY_COOKIES_MAX }, (_, index) =>
      pair(cookies.write(undefined, session(`c${index}`), now)[0] ?? ''),
    ).join('; ')
    expect(cookies.write(header, session('c3'), now)).toHaveLength(1)
  })
})

it.each([true, false])('the language cookie returns the stored language, https: %s [D25]', (https) => {
  const [pair] = localeCookie('fr', https).split(';')
  expect(readLocaleCookie(pair, https)).toBe('fr')
  expect(readLocaleCookie('other=1', https)).toBeUndefined()
})
