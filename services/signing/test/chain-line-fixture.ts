// Writes a line of the chain as the database does, for chains without a database. chain-store.int.test.ts holds the two together.
import canonicalize from 'canonicalize'
import type { Disclosure } from '../src/chain/entry.js'
import { sha256Hex, writeData, type EntryData, type EntryType } from '../src/chain/entry.js'

/**
 * @param prev hash of the line before, or GENESIS
 * @returns `line` without its newline; `hash` is the next entry's `prev`
 */
export function writeLine(
  { at, data, ...entry }: { seq: number; type: EntryType; at: Date; data: EntryData },
  prev: string,
  newSalt: () => string,
): { line: string; hash: string; disclosures: Disclosure[] } {
  const { json, disclosures } = writeData(data, newSalt)
  const line = canonicalize({ ...entry, at: at.toISOString(), data: JSON.parse(json) as unknown, prev })!
  return { line, hash: sha256Hex(line), disclosures }
}
