// Disclosures of a chain's commitments, as a file that shell commands can check: one line per value, `<seq> <path> <salt>:<value>`.
// PURE. Everyone with the PDF may read the names; only the party and the owner a party's mailbox, network address and browser. [D29, D30]
import { mailboxOf } from '@paraph/protocol/text-rules'
import { commitmentTo, type Disclosure } from './entry.js'
import type { Entry } from './chain-reader.js'

/** A disclosure and the number of its entry. */
export type ChainDisclosure = Disclosure & { seq: number }

const NAMES = /^(?:parties\.\d+\.(?:role|legalName)|typedName)$/

/** The roles and names of all parties, which the PDF shows too. */
export const namesOf = (disclosures: readonly ChainDisclosure[]): ChainDisclosure[] =>
  disclosures.filter(({ path }) => NAMES.test(path))

/** All names, and every disclosure of the entries that belong to `mailbox`. @param entries the entries of the same chain */
export function disclosuresOf(
  disclosures: readonly ChainDisclosure[],
  entries: readonly Entry[],
  { mailbox, partyIndexes }: { mailbox: string; partyIndexes: readonly number[] },
): ChainDisclosure[] {
  const isOwnAddress = ({ path, value }: ChainDisclosure): boolean =>
    /^(?:mailbox|email|oldEmail|parties\.\d+\.email)$/.test(path) && mailboxOf(value) === mailbox
  const own = new Set(
    entries
      .filter(
        ({ seq, type, data }) =>
          (type === 'signature.submitted' && partyIndexes.includes(Number(data['partyIndex']))) ||
          (seq > 1 &&
            type !== 'party.readdressed' &&
            disclosures.some((each) => each.seq === seq && isOwnAddress(each))),
      )
      .map(({ seq }) => seq),
  )
  return disclosures.filter((each) => NAMES.test(each.path) || isOwnAddress(each) || own.has(each.seq))
}

/**
 * The index of the first party that signed in a session whose code went to another mailbox than its own; undefined if there is none. A
 * submission that was refused is no signature: the address can have been corrected since. [D61]
 * @param mailboxes of the parties, in their order
 */
export function findForeignMailbox(
  disclosures: readonly ChainDisclosure[],
  entries: readonly Entry[],
  mailboxes: readonly string[],
): number | undefined {
  const isOf = (mailbox: string | undefined, { seq, data }: Entry): boolean => {
    const salt = disclosures.find((each) => each.seq === seq && each.path === 'mailbox')?.salt
    return mailbox !== undefined && salt !== undefined && data['mailbox'] === commitmentTo({ salt, value: mailbox })
  }
  const accepted = new Set(
    entries.flatMap(({ type, data }) => (type === 'signature.accepted' ? [data['attemptId']] : [])),
  )
  const foreign = entries.find(({ type, data: submitted }) => {
    if (type !== 'signature.submitted' || !accepted.has(submitted['attemptId'])) return false
    const codes = entries.filter(
      (each) => each.type === 'code.verified' && each.data['sessionId'] === submitted['sessionId'],
    )
    return !codes.every((code) => isOf(mailboxes[Number(submitted['partyIndex'])], code))
  })
  return foreign && Number(foreign.data['partyIndex'])
}

/** The file: lines in order of entry and path, each with an LF. */
export const writeDisclosures = (disclosures: readonly ChainDisclosure[]): string =>
  disclosures
    .toSorted((left, right) => left.seq - right.seq || (left.path < right.path ? -1 : 1))
    .map(({ seq, path, salt, value }) => `${seq} ${path} ${salt}:${value}\n`)
    .join('')

const LINE = /^(?<seq>\d+) (?<path>\S+) (?<salt>[0-9a-f]{32}):(?<value>.*)$/

/** The number of lines when each of them matches a commitment of its entry; otherwise a sentence about the first wrong line. */
export function checkDisclosures(file: string, entries: readonly Entry[]): { count: number } | { fault: string } {
  const lines = file.split('\n')
  if (lines.pop() !== '') return { fault: 'The last line of the openings has no end.' }
  if (lines.length === 0) return { fault: 'There are no openings.' }
  for (const [index, line] of lines.entries()) {
    const { seq = '', path = '', salt = '', value = '' } = LINE.exec(line)?.groups ?? {}
    if (path === '' || valueAt(entries[Number(seq) - 1]?.data, path) !== commitmentTo({ salt, value }))
      return { fault: `Line ${index + 1} opens nothing in the evidence.` }
  }
  return { count: lines.length }
}

/** The first role, legal name or typed name that `file` does not disclose exactly once; undefined if there is none. */
export function lacksName(file: string, entries: readonly Entry[]): string | undefined {
  const found = file.split('\n').map((line) => line.split(' ', 2).join(' '))
  const parties = entries[0]?.data['parties']
  const expected = [
    ...(Array.isArray(parties) ? parties : []).flatMap((_, at) => [
      `1 parties.${at}.role`,
      `1 parties.${at}.legalName`,
    ]),
    ...entries.filter(({ type }) => type === 'signature.submitted').map(({ seq }) => `${seq} typedName`),
  ]
  return expected.find((name) => found.filter((each) => each === name).length !== 1)
}

function valueAt(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) value = isObject(value) ? value[key] : undefined
  return value
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
