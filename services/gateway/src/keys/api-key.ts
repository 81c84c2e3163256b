// What an API key looks like and what is stored of it. Pure. [Authentication, D28]
// `paraph_live_` or `paraph_test_` + 32 base62 characters + 6 base62 characters of CRC32 over all before them, so that a
// mistyped key is refused without a look-up and secret scanners can tell a key from a look-alike.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '@paraph/protocol/caller'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 32
const CHECKSUM_LENGTH = 6
const PREFIX: Record<Environment, string> = { production: 'paraph_live_', sandbox: 'paraph_test_' }
const SHAPE = /^paraph_(live|test)_[0-9A-Za-z]{38}$/

/** What the gateway keeps of a key; the key itself is shown once and forgotten. */
interface KeyRecord {
  environment: Environment
  /** SHA-256 of the whole key. */
  sha256: Buffer
  /** Prefix and first four characters of the secret, for people to tell keys apart. */
  displayStart: string
  lastFour: string
}

/**
 * A new key for `environment`.
 * @param draw gives a uniformly random whole number from 0 to `below` - 1, from a CSPRNG
 */
export function composeKey(environment: Environment, draw: (below: number) => number): string {
  let key = PREFIX[environment]
  for (let at = 0; at < SECRET_LENGTH; at += 1) key += BASE62.charAt(draw(BASE62.length))
  return key + checksumOf(key)
}

/** The environment of a key of the right shape and checksum; undefined for any other text. Says nothing about whether it exists. */
export function environmentOfKey(text: string): Environment | undefined {
  const marker = SHAPE.exec(text)?.[1]
  if (!marker || checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return marker === 'live' ? 'production' : 'sandbox'
}

/** SHA-256 of a key as hexadecimal: the name under which it is kept and looked up. */
export function fingerprintOf(key: string): string {
  return hash('sha256', key, 'hex')
}

/** What is stored of a new key. */
export function recordOf(key: string, environment: Environment): KeyRecord {
  return {
    environment,
    sha256: Buffer.from(fingerprintOf(key), 'hex'),
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
