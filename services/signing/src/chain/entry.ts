// The data of an entry: its canonical form, and the commitments to personal values. [D30, RFC 8785]
// PURE: the caller gives salts. Does not own the line around the data and its hash (chain-store.ts) or the signature (sealing/jws.ts).
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/** What an entry of the evidence chain records. [D30] */
export type EntryType =
  | 'contract.created'
  | 'code.sent'
  | 'code.verified'
  | 'code.locked'
  | 'text.shown'
  | 'consent.given'
  | 'signature.submitted'
  | 'signature.accepted'
  | 'signature.refused'
  | 'party.declined'
  | 'party.readdressed'
  | 'contract.completed'
  | 'contract.expired'
  | 'contract.cancelled'

/** The client of a request, as the gateway reports it. */
export interface Visitor {
  clientAddress: string
  userAgent: string
}

/** Marks a personal value: the chain holds only a commitment to it. */
export class Personal {
  constructor(readonly value: string) {}
}

/** The data of an entry: JSON in which `Personal` wraps each personal value. */
export type EntryData = { readonly [field: string]: EntryValue }
type EntryValue = string | number | Personal | readonly EntryValue[] | EntryData

/** The preimage of one commitment `sha256(salt:value)`. Stored apart from the chain, so that erasure can delete it. */
export interface Disclosure {
  /** The path in `data`, such as `parties.0.email`. */
  path: string
  /** 32 lower-case hex digits, one salt per value. */
  salt: string
  value: string
}

/** `prev` of the first line. */
export const GENESIS = '0'.repeat(64)

/** Lower-case hex SHA-256. */
export const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** The commitment to a value: lower-case hex SHA-256 of `<salt>:<value>`. */
export const commitmentTo = ({ salt, value }: Pick<Disclosure, 'salt' | 'value'>): string =>
  sha256Hex(`${salt}:${value}`)

/**
 * The data of one entry as canonical JSON, in which commitments replace the personal values, and their disclosures.
 * @param newSalt returns 32 new hex digits at each call
 */
export function writeData(data: EntryData, newSalt: () => string): { json: string; disclosures: Disclosure[] } {
  const disclosures: Disclosure[] = []
  const committed = commit(data, '', (path, value) => {
    const disclosure = { path, salt: newSalt(), value }
    disclosures.push(disclosure)
    return commitmentTo(disclosure)
  })
  return { json: canonicalize(committed)!, disclosures }
}

function commit(value: EntryValue, path: string, close: (path: string, value: string) => string): unknown {
  if (value instanceof Personal) return close(path, value.value)
  if (typeof value !== 'object') return value
  const below = (key: string, inner: EntryValue) => commit(inner, path === '' ? key : `${path}.${key}`, close)
  if (Array.isArray(value)) return value.map((inner: EntryValue, index) => below(String(index), inner))
  return Object.fromEntries(Object.entries(value as EntryData).map(([key, inner]) => [key, below(key, inner)]))
}
