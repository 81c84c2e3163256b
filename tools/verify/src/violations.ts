// Sums up the violations of a check: lists the first thousand and counts the rest. Pure.
import type { Counted, Found, Violation } from './check.js'

/** Per check; also the limit of statements that list rows. */
export const LISTED_MAX = 1_000

/** Lists `violations` in `found`, and counts those beyond the limit. */
export function recordViolation(found: Found, violations: readonly Violation[]): void {
  for (const violation of violations)
    if (found.violations.length < LISTED_MAX) found.violations.push(violation)
    else count(found, { ...violation, count: 1 })
}

/** Adds one result to the sum. */
export function add(sum: Found, { looked, violations, beyond = [] }: Found): void {
  for (const [what, rows] of Object.entries(looked)) sum.looked[what] = (sum.looked[what] ?? 0) + rows
  recordViolation(sum, violations)
  for (const counted of beyond) count(sum, counted)
}

/**
 * The violations in the rows of a statement.
 * @param rows the first `LISTED_MAX`, each with the number of all: `count(*) over ()`
 */
export function listed<Row extends { all: number }>(
  rows: readonly Row[],
  toViolation: (row: Row) => Violation,
): Required<Pick<Found, 'violations' | 'beyond'>> {
  const violations = rows.map(toViolation)
  const [first] = violations
  return { violations, beyond: first ? [{ ...countedAs(first), count: rows[0]!.all - rows.length }] : [] }
}

/** The number of unlisted violations for which `is` holds. */
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
