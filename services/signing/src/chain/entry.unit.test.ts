import { createHash } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { commitmentTo, GENESIS, Personal, writeLine } from './entry.js'

const at = new Date('2026-11-21T10:00:26.123Z')
const salt = 'ab'.repeat(16)

it('an entry is canonical JSON of at, data, prev, seq and type, and its hash excludes the newline [D30, RFC 8785]', () => {
  const { line, hash } = writeLine(
    { seq: 1, type: 'contract.expired', at, data: { z: 1, a: 'é' } },
    GENESIS,
    () => salt,
  )
  expect(line).toBe(
    `{"at":"2026-11-21T10:00:26.123Z","data":{"a":"é","z":1},"prev":"${GENESIS}","seq":1,"type":"contract.expired"}`,
  )
  expect(hash).toBe(createHash('sha256').update(line).digest('hex'))
})

it('an entry contains no personal value, only the SHA-256 of salt:value, with a new salt for each [D30]', () => {
  let salts = 0
  const newSalt = () => String((salts += 1)).padStart(32, '0')
  const data = { parties: [{ email: new Personal('jane@example.test') }, { email: new Personal('jane@example.test') }] }
  const { line, disclosures } = writeLine({ seq: 1, type: 'contract.created', at, data }, GENESIS, newSalt)
  expect(line).not.toContain('jane')
  expect(disclosures.map(({ path }) => path)).toEqual(['parties.0.email', 'parties.1.email'])
  const [first, second] = disclosures.map(commitmentTo)
  expect(first).toBe(
    createHash('sha256')
      .update(`${'1'.padStart(32, '0')}:jane@example.test`)
      .digest('hex'),
  )
  expect(first).not.toBe(second)
  expect(line).toContain(first)
  expect(line).toContain(second)
})
