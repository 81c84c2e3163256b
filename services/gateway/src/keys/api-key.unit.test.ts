import { describe, expect, it } from '@jest/globals'
import { crc32 } from 'node:zlib'
import { composeKey, environmentOfKey, fingerprintOf, recordOf } from './api-key.js'

/** A repeatable stand-in for the CSPRNG. */
function drawFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const key = composeKey('production', drawFrom(7))

describe('the key format [Authentication, D28]', () => {
  it('marks the environment in the prefix, then 32 + 6 characters of base62 [S2.10, S18.2]', () => {
    expect(key).toMatch(/^paraph_live_[0-9A-Za-z]{38}$/)
    expect(composeKey('sandbox', drawFrom(7))).toMatch(/^paraph_test_[0-9A-Za-z]{38}$/)
  })

  it('ends in the CRC32 of everything before it, in base62, most significant first', () => {
    const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const checksum = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + alphabet.indexOf(digit), 0)
    expect(checksum).toBe(crc32(key.slice(0, -6)))
  })

  it('recognises the environment of every key that it creates', () => {
    for (let seed = 0; seed < 500; seed += 1) {
      expect(environmentOfKey(composeKey('production', drawFrom(seed)))).toBe('production')
      expect(environmentOfKey(composeKey('sandbox', drawFrom(seed)))).toBe('sandbox')
    }
  })

  it('detects any single changed character, without a database query', () => {
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x'
      expect(environmentOfKey(key.slice(0, at) + other + key.slice(at + 1))).toBeUndefined()
    }
  })

  it.each([
    ['nothing', ''],
    ['one character less', key.slice(0, -1)],
    ['one character more', `${key}0`],
    ['a space before', ` ${key}`],
    ['a line break after', `${key}\n`],
    ['two keys joined as Node joins headers', `${key}, ${key}`],
    ['the prefix in capitals', key.replace('paraph', 'PARAPH')],
    ['the other environment', key.replace('live', 'test')],
  ])('is invalid for %s', (_, text) => {
    expect(environmentOfKey(text)).toBeUndefined()
  })
})

it('the database contains a hash, the start and the end of a key, never the key [D28]', () => {
  const record = recordOf(key, 'production')
  expect(record.sha256.toString('hex')).toBe(fingerprintOf(key))
  expect(record).toMatchObject({ displayStart: key.slice(0, 16), lastFour: key.slice(-4) })
  expect(JSON.stringify(record)).not.toContain(key.slice(16, -4))
})
