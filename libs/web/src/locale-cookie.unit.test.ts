import { expect, it } from '@jest/globals'
import { localeCookie, readLocaleCookie } from './locale-cookie.js'

it.each([true, false])('reads back the language it set, https: %s [D25]', (https) => {
  const [pair] = localeCookie('fr', https).split(';')
  expect(readLocaleCookie(pair, https)).toBe('fr')
  expect(readLocaleCookie('other=1', https)).toBeUndefined()
})
