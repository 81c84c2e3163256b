// One line of evidence: its canonical form, its hash, and how personal values are committed to. [D30, RFC 8785]
// PURE: salts and times come from outside. Does not own the rows (evidence-chain.ts) nor the signature over them.
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

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
  | 'contract.completed'
  | 'contract.expired'
  | 'contract.cancelled'

/** Marks a value that enters the chain only as a commitment. */
export class Personal {
  constructor(readonly value: string) {}
}

/** What goes into an entry: JSON, with `Personal` wherever a person's value stands. */
export type EntryData = { readonly [field: string]: EntryValue }
type EntryValue = string | number | Personal | readonly EntryValue[] | EntryData

/** What opens one commitment: `sha256(salt:value)`. Kept apart from the chain, so that erasure can delete it. */
export interface Opening {
  /** Where in `data`: `parties.0.email`. */
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
export const commitmentTo = ({ salt, value }: Pick<Opening, 'salt' | 'value'>): string => sha256Hex(`${salt}:${value}`)

/**
 * The line of one entry and what opens its commitments.
 * @param prev hash of the line before, or GENESIS
 * @param newSalt gives 32 hex digits at each call
 * @returns `line` without its newline; `hash` is the next entry's `prev`
 */
export function writeLine(
  entry: { seq: number; type: EntryType; at: Date; data: EntryData },
  prev: string,
  newSalt: () => string,
): { line: string; hash: string; openings: Opening[] } {
  const openings: Opening[] = []
  const data = commit(entry.data, '', (path, value) => {
    const opening = { path, salt: newSalt(), value }
    openings.push(opening)
    return commitmentTo(opening)
  })
  const line = canonicalize({ at: entry.at.toISOString(), data, prev, seq: entry.seq, type: entry.type })
  if (line === undefined) throw new Error('an entry has no canonical form')
  return { line, hash: sha256Hex(line), openings }
}

function commit(value: EntryValue, path: string, close: (path: string, value: string) => string): unknown {
  if (value instanceof Personal) return close(path, value.value)
  if (typeof value !== 'object') return value
  const below = (key: string, inner: EntryValue) => commit(inner, path === '' ? key : `${path}.${key}`, close)
  if (Array.isArray(value)) return value.map((inner: EntryValue, index) => below(String(index), inner))
  return Object.fromEntries(Object.entries(value as EntryData).map(([key, inner]) => [key, below(key, inner)]))
}
