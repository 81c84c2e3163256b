import { expect, it } from 'vitest'
import { pageSecretsSetting } from './config.js'

const [A, B] = ['a'.repeat(32), 'b'.repeat(40)]
const idsOf = (text: string) => pageSecretsSetting.parse(text).map(({ id }) => id)

it('takes one secret of pages, or two while one takes the place of the other; each keeps its name wherever it stands [P9, F25]', () => {
  expect(pageSecretsSetting.parse(A)).toEqual([{ id: expect.stringMatching(/^[\w-]{6}$/), secret: A }])
  expect(idsOf(`${A},${B}`)).toEqual([...idsOf(A), ...idsOf(B)])
  expect(idsOf(`${B},${A}`)).toEqual([...idsOf(B), ...idsOf(A)])
  expect(idsOf(A)).not.toEqual(idsOf(B))
})

it.each(['', 'short', `${A},`, `${A},short`, `${A},${B},${A}`])('refuses %j as secrets of pages [P9]', (text) => {
  const { error } = pageSecretsSetting.safeParse(text)
  expect(error?.issues[0]?.message).toBe('must be one or two secrets of at least 32 characters, a comma between')
})
