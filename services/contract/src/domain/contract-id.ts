// Generates a contract's id, number and share token. The database enforces uniqueness; creation retries after a collision. [D21]
import { createHash, randomBytes, randomInt } from 'node:crypto'

const SUFFIX_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'
/** Without 0, O, 1 and I, because people read contract numbers aloud. */
const NUMBER_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** `contract-<ms>-<9 of a-z0-9>`. */
export const createContractId = (createdAt: Date): string =>
  `contract-${createdAt.getTime()}-${pick(SUFFIX_ALPHABET, 9)}`

/** `EXT-<UTC date>-<8 characters>`. */
export const createContractNumber = (createdAt: Date): string =>
  `EXT-${createdAt.toISOString().slice(0, 10).replaceAll('-', '')}-${pick(NUMBER_ALPHABET, 8)}`

/** 256 random bits as 43 characters of base64url. */
export const createShareToken = (): string => randomBytes(32).toString('base64url')

/** The stored hash by which a share token is looked up. */
export const hashShareToken = (token: string): Buffer => createHash('sha256').update(token).digest()

const pick = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
