// What opens the commitments of a chain, as a file that a shell can check: a line for each value, `<seq> <path> <salt>:<value>`. PURE.
// Who may have which: names, whoever holds the PDF; a mailbox, a network address and a browser, only the party itself. [D29, D30]
import { mailboxOf } from '@paraph/protocol/text-rules'
import { commitmentTo, type Opening } from './evidence.js'
import type { Entry } from './evidence-story.js'

/** An opening with the entry that it belongs to. */
export type ChainOpening = Opening & { seq: number }

const NAMES = /^(?:parties\.\d+\.(?:role|legalName)|typedName)$/

/** Of everybody's: what the PDF shows anyway. */
export const namesOf = (openings: readonly ChainOpening[]): ChainOpening[] =>
  openings.filter(({ path }) => NAMES.test(path))

/** The names, and everything of the entries that are `mailbox`'s own. @param entries of the same chain */
export function openingsOf(
  openings: readonly ChainOpening[],
  entries: readonly Entry[],
  { mailbox, partyIndexes }: { mailbox: string; partyIndexes: readonly number[] },
): ChainOpening[] {
  const isOwnAddress = ({ path, value }: ChainOpening): boolean =>
    /^(?:mailbox|parties\.\d+\.email)$/.test(path) && mailboxOf(value) === mailbox
  const own = new Set(
    entries
      .filter(
        ({ seq, type, data }) =>
          (type === 'signature.submitted' && partyIndexes.includes(Number(data['partyIndex']))) ||
          (seq > 1 && openings.some((opening) => opening.seq === seq && isOwnAddress(opening))),
      )
      .map(({ seq }) => seq),
  )
  return openings.filter((opening) => NAMES.test(opening.path) || isOwnAddress(opening) || own.has(opening.seq))
}

/** The file: lines by entry and path, the last one with its end, too. */
export const writeOpenings = (openings: readonly ChainOpening[]): string =>
  openings
    .toSorted((left, right) => left.seq - right.seq || (left.path < right.path ? -1 : 1))
    .map(({ seq, path, salt, value }) => `${seq} ${path} ${salt}:${value}\n`)
    .join('')

const LINE = /^(?<seq>\d+) (?<path>\S+) (?<salt>[0-9a-f]{32}):(?<value>.*)$/

/** How many lines of `file` open what the entries commit to, or the first that does not. */
export function checkOpenings(file: string, entries: readonly Entry[]): { count: number } | { fault: string } {
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

/** Whether `file` opens every role and every name, as given and as typed, once: the first that it does not. */
export function lacksName(file: string, entries: readonly Entry[]): string | undefined {
  const found = file.split('\n').map((line) => line.split(' ', 2).join(' '))
  const parties = entries[0]?.data['parties']
  const wanted = [
    ...(Array.isArray(parties) ? parties : []).flatMap((_, at) => [
      `1 parties.${at}.role`,
      `1 parties.${at}.legalName`,
    ]),
    ...entries.filter(({ type }) => type === 'signature.submitted').map(({ seq }) => `${seq} typedName`),
  ]
  return wanted.find((name) => found.filter((each) => each === name).length !== 1)
}

const valueAt = (data: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
      data,
    )
