// Adds up what checks have found: the first thousand of each are listed, what is beyond is counted. Pure.
import type { Counted, Found, Violation } from './check.js'

/** Of one check. Statements that list rows end there too. */
export const LISTED_MAX = 1_000

/** Lists `violations` in `found`, or counts them. */
export function note(found: Found, violations: readonly Violation[]): void {
  for (const violation of violations)
    if (found.violations.length < LISTED_MAX) found.violations.push(violation)
    else count(found, { ...violation, count: 1 })
}

/** Adds one look to the sum of them. */
export function add(sum: Found, { looked, violations, beyond = [] }: Found): void {
  for (const [what, rows] of Object.entries(looked)) sum.looked[what] = (sum.looked[what] ?? 0) + rows
  note(sum, violations)
  for (const counted of beyond) count(sum, counted)
}

/**
 * The violations that a statement has found.
 * @param rows the first `LISTED_MAX` of them, each with the number of all: `count(*) over ()`
 */
export function listed<Row extends { all: number }>(
  rows: readonly Row[],
  say: (row: Row) => Violation,
): Required<Pick<Found, 'violations' | 'beyond'>> {
  const violations = rows.map(say)
  const [first] = violations
  return { violations, beyond: first ? [{ ...countedAs(first), count: rows[0]!.all - rows.length }] : [] }
}

/** How many of an invariant and a kind were found and are not listed. */
export const beyondOf = (
  { beyond = [] }: Pick<Found, 'beyond'>,
  is: (counted: Omit<Counted, 'count'>) => boolean,
): number => beyond.filter(is).reduce((sum, { count }) => sum + count, 0)

const countedAs = ({ invariant, kind }: Omit<Counted, 'count'>): Omit<Counted, 'count'> => ({ invariant, kind })

function count(found: Found, counted: Counted): void {
  if (counted.count === 0) return
  const { invariant, kind } = counted
  const known = (found.beyond ??= []).find((each) => each.invariant === invariant && each.kind === kind)
  if (known) known.count += counted.count
  else found.beyond.push({ invariant, kind, count: counted.count })
}
