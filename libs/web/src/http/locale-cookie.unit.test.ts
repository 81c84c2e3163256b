import { expect, it } from '@jest/globals'
import { localeCookie, readLocaleCookie } from './locale-cookie.js'

it.each([true, false])('the locale cookie returns the language that was stored, https: %s [D25]', (https) => {
  const [pair] = localeCookie('fr', https).split(';')
  expect(readLocaleCookie(pair, https)).toBe('fr')
  expect(readLocaleCookie('other=1', https)).toBeUndefined()
})
