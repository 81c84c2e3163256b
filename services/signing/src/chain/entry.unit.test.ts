import { createHash } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { commitmentTo, Personal, writeData } from './entry.js'

it('the data of an entry are canonical JSON [D30, RFC 8785]', () => {
  expect(writeData({ z: 1, a: 'é' }, () => 'ab'.repeat(16)).json).toBe('{"a":"é","z":1}')
})

it('an entry contains no personal value, only the SHA-256 of salt:value, with a new salt for each [D30]', () => {
  let salts = 0
  const newSalt = () => String((salts += 1)).padStart(32, '0')
  const data = { parties: [{ email: new Personal('jane@example.test') }, { email: new Personal('jane@example.test') }] }
  const { json, disclosures } = writeData(data, newSalt)
  expect(json).not.toContain('jane')
  expect(disclosures.map(({ path }) => path)).toEqual(['parties.0.email', 'parties.1.email'])
  const [first, second] = disclosures.map(commitmentTo)
  expect(first).toBe(
    createHash('sha256')
      .update(`${'1'.padStart(32, '0')}:jane@example.test`)
      .digest('hex'),
  )
  expect(first).not.toBe(second)
  expect(json).toContain(first)
  expect(json).toContain(second)
})
