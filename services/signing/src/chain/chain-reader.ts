// Reads a signed chain without trusting its writer. Checks that the lines are linked, and that each signature has the required entries.
// PURE. [D30, docs/explanation/evidence.md]
import { elementAt } from '@paraph/protocol/element-at'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { GENESIS, sha256Hex } from './entry.js'

/** The form of a time in a line: as text it sorts by time, and begins with its day. */
const timeSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)

const entrySchema = z.object({
  seq: z.int(),
  prev: z.string(),
  at: timeSchema,
  type: z.string(),
  data: z.looseObject({}),
})

/** One parsed line. */
export type Entry = z.infer<typeof entrySchema>

/** The entries of a chain, or a sentence about the first line that is invalid or not linked. */
export function readChain(lines: readonly string[]): { entries: Entry[] } | { fault: string } {
  const entries: Entry[] = []
  let prev = GENESIS
  for (const [index, line] of lines.entries()) {
    const entry = readEntry(line)
    if (!entry) return { fault: `Line ${index + 1} is no entry.` }
    if (entry.seq !== index + 1) return { fault: `Line ${index + 1} says that it is number ${entry.seq}.` }
    if (entry.at < (entries.at(-1)?.at ?? '')) return { fault: `Line ${index + 1} is older than the one before it.` }
    if (entry.prev !== prev) return { fault: `Line ${index + 1} does not follow the one before it.` }
    prev = sha256Hex(line)
    entries.push(entry)
  }
  return { entries }
}

function readEntry(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    // Accepts only the canonical form, because parsers disagree about a duplicate key. [RFC 8785]
    return canonicalize(entry) === line ? entrySchema.parse(entry) : undefined
  } catch {
    return undefined
  }
}

const contractSchema = z.object({
  contractNumber: z.string().regex(/^EXT-[0-9]{8}-[0-9A-Z]{8}$/),
  contentSha256: z.string(),
  parties: z.array(z.unknown()).min(2),
})
const ENDS = ['contract.completed', 'contract.expired', 'contract.cancelled']

/**
 * Checks that every party signed the text of the first entry. In one session, the party must have confirmed its mailbox, seen that text,
 * consented and signed, in this order. Checks that the last entry completes the contract.
 * @returns the number of parties, or a sentence about the first violation
 */
export function readSignatures(entries: readonly Entry[]): { count: number } | { fault: string } {
  const [created] = entries
  const contract = contractSchema.safeParse(created?.data)
  if (created?.type !== 'contract.created' || !contract.success)
    return { fault: 'The first entry is not the contract’s.' }
  const { parties, contentSha256 } = contract.data
  const accepted = entries.filter(({ type }) => type === 'signature.accepted')
  for (const partyIndex of parties.keys()) {
    const own = accepted.filter(({ data }) => data['partyIndex'] === partyIndex)
    if (own.length !== 1) return { fault: `Party ${partyIndex + 1} of ${parties.length} has ${own.length} signatures.` }
    const missing = missingBefore(entries, elementAt(own, 0), contentSha256)
    if (missing) return { fault: `Before the signature of party ${partyIndex + 1} there is no ${missing}.` }
  }
  if (accepted.length !== parties.length) return { fault: 'Somebody signed who is no party.' }
  const [end, ...more] = entries.filter(({ type }) => ENDS.includes(type))
  if (end !== entries.at(-1) || end?.type !== 'contract.completed' || more.length > 0)
    return { fault: 'The contract was not completed.' }
  if (end.data['total'] !== parties.length)
    return { fault: 'The contract was completed with another number of parties.' }
  if (!timeSchema.safeParse(end.data['completedAt']).success)
    return { fault: 'The last entry does not say when the contract was completed.' }
  return { count: parties.length }
}

/** The type of the entry that is missing before `accepted`, of several the latest; undefined if none is missing. */
function missingBefore(entries: readonly Entry[], accepted: Entry, contentSha256: string): string | undefined {
  const { partyIndex, attemptId } = accepted.data
  const before = (seq: number, type: string, data: Record<string, unknown>): Entry | undefined =>
    entries
      .slice(0, seq - 1)
      .findLast(
        (entry) => entry.type === type && Object.entries(data).every(([field, value]) => entry.data[field] === value),
      )
  const submitted = before(accepted.seq, 'signature.submitted', { partyIndex, attemptId, contentSha256 })
  if (!submitted) return 'signature.submitted'
  const { sessionId } = submitted.data
  if (typeof attemptId !== 'string' || typeof sessionId !== 'string') return 'session'
  const steps: [type: string, data: Record<string, unknown>][] = [
    ['consent.given', { partyIndex, sessionId }],
    ['text.shown', { partyIndex, sessionId, contentSha256 }],
    ['code.verified', { sessionId }],
  ]
  let { seq } = submitted
  for (const [type, data] of steps) {
    const step = before(seq, type, data)
    if (!step) return type
    seq = step.seq
  }
  return undefined
}
