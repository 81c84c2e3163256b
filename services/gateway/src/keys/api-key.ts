// The format of an API key, and the stored data of a key. Pure. [Authentication, D28]
// `paraph_live_` or `paraph_test_`, 32 base62 characters, and the CRC32 of everything before, in 6 base62 characters. The gateway refuses
// a mistyped key without a look-up, and secret scanners can recognise a key.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '@paraph/protocol/environment'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const PREFIX: Record<Environment, string> = { production: 'paraph_live_', sandbox: 'paraph_test_' }
const SHAPE = /^paraph_(live|test)_[0-9A-Za-z]{38}$/

/**
 * A new key for `environment`.
 * @param draw a uniformly random integer from 0 to `below` - 1, from a CSPRNG
 */
export function composeKey(environment: Environment, draw: (below: number) => number): string {
  let key = PREFIX[environment]
  for (let at = 0; at < SECRET_LENGTH; at += 1) key += BASE62.charAt(draw(BASE62.length))
  return key + checksumOf(key)
}

/** The environment of a key with a valid format and checksum, whether or not it exists; undefined for any other text. */
export function environmentOfKey(text: string): Environment | undefined {
  const marker = SHAPE.exec(text)?.[1]
  if (!marker || checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return marker === 'live' ? 'production' : 'sandbox'
}

/** SHA-256 of a key in hexadecimal, under which it is cached and looked up. */
export function fingerprintOf(key: string): string {
  return hash('sha256', key, 'hex')
}

/** The stored data of a new key; the key itself is shown once and never stored. */
export function recordOf(key: string, environment: Environment) {
  return {
    sha256: Buffer.from(fingerprintOf(key), 'hex'),
    /** Prefix and first four characters of the secret, by which people tell keys apart. */
    displayStart: key.slice(0, PREFIX[environment].length + 4),
    lastFour: key.slice(-4),
  }
}

/** CRC32 in base62, six characters: 62^6 > 2^32. */
function checksumOf(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let at = 0; at < CHECKSUM_LENGTH; at += 1) {
    digits = BASE62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
