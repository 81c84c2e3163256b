// The types of the checks of invariants, and the addition of their results. [I1-I15]
// A check compares rows of one snapshot per database. It never writes. Its result contains only ids and times, no personal data.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { ContractRow, DeliveryRow, Range } from './rows/contract-rows.js'
import type { Sessions, Source } from './sessions.js'

/** The largest number of violations that a check lists; also the limit of queries that list rows. */
export const LISTED_MAX = 1_000

export interface Scope {
  /** Only contracts, events and calls from this instant on. */
  since: Date | undefined
  /** Only this contract. */
  contractId: string | undefined
  /** How long work may be in progress before it counts as late. */
  withinSeconds: number
}

/** Reads the object store of signed PDFs and evidence. The signing service's `ObjectStore` is one. [P43] */
export interface ObjectReader {
  /** Compares an object with the hash and size of its row. Rejects while the store does not answer. */
  check: (key: string, expected: { sha256: string; size: number }) => Promise<'intact' | 'missing' | 'altered'>
}

/** One range of contracts. Reads rows that several checks share only once. */
export interface ContractBatch {
  sessions: Sessions
  /** Undefined if no object store was given: then objects are not read. */
  objects: ObjectReader | undefined
  scope: Scope
  range: Range
  /** The contracts of the range by id. */
  contracts: () => Promise<ReadonlyMap<string, ContractRow>>
  deliveries: () => Promise<readonly DeliveryRow[]>
}

export type Invariant = `I${1 | 2 | 3 | 4 | 5 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15}`

/** `broken`: never allowed. `late`: allowed while work is in progress, but the work takes too long. */
export interface Violation {
  invariant: Invariant
  kind: 'broken' | 'late'
  /** The contract, account or row concerned. */
  subject: string
  /** The violation in one clause without ids, so that equal violations can be counted. */
  fault: string
}

export interface Counted extends Pick<Violation, 'invariant' | 'kind'> {
  count: number
}

export interface Found {
  /** Kind of object → number of checked objects. */
  counts: Record<string, number>
  violations: Violation[]
  /** Counts of the violations beyond the first LISTED_MAX, which `violations` does not contain. */
  beyond?: Counted[]
}

interface CheckName {
  compares: string
  invariants: readonly Invariant[]
}

/** A check that runs over the contracts, some hundred at a time. */
export interface ContractCheck extends CheckName {
  check: (batch: ContractBatch) => Promise<Found>
}

/** A check of tables that are not read by ranges of contracts. */
export interface TableCheck extends CheckName {
  parts: readonly TablePart[]
}

/** One part of a check, over a snapshot of each database in `reads`. No other database has a snapshot then, because one delays vacuum. */
interface TablePart {
  reads: readonly Source[]
  check: (sessions: Sessions, scope: Scope) => Promise<Found>
}

export const broken = (invariant: Invariant, subject: string, fault: string): Violation => ({
  invariant,
  kind: 'broken',
  subject,
  fault,
})

type Condition = readonly [holds: boolean, invariant: Invariant, kind: Violation['kind'], fault: string]

/** The violations of `subject` whose condition holds. */
export const violationsOf = (subject: string, conditions: readonly Condition[]): Violation[] =>
  conditions.flatMap(([holds, invariant, kind, fault]) => (holds ? [{ invariant, kind, subject, fault }] : []))

/** Lists `violations` in `found`, and counts those beyond the limit. */
export function record(found: Found, ...violations: readonly Violation[]): void {
  for (const violation of violations)
    if (found.violations.length < LISTED_MAX) found.violations.push(violation)
    else count(found, { ...violation, count: 1 })
}

/** Adds one result to the sum. */
export function add(sum: Found, { counts = {}, violations = [], beyond = [] }: Partial<Found>): void {
  for (const [what, rows] of Object.entries(counts)) sum.counts[what] = (sum.counts[what] ?? 0) + rows
  record(sum, ...violations)
  for (const counted of beyond) count(sum, counted)
}

/** One violation for each of `subjects`. @param all the number of all such subjects, listed or not */
export const listed = (
  subjects: readonly string[],
  all: number,
  invariant: Invariant,
  fault: string,
  kind: Violation['kind'] = 'broken',
) => ({
  violations: subjects.map((subject): Violation => ({ invariant, kind, subject, fault })),
  beyond: [{ invariant, kind, count: all - subjects.length }],
})

/** One violation for each row of a query that selects `subject`. Reads at most LISTED_MAX rows. */
export async function listBroken(
  session: ReadOnlySession,
  invariant: Invariant,
  fault: string,
  statement: string,
  values?: unknown[],
  kind: Violation['kind'] = 'broken',
) {
  const rows = await session.query<{ subject: string; all: number }>(
    `select subject, count(*) over ()::int as all from (${statement}) each order by 1 limit ${LISTED_MAX}`,
    values,
  )
  const subjects = rows.map(({ subject }) => subject)
  return listed(subjects, rows[0]?.all ?? 0, invariant, fault, kind)
}

/** The number of unlisted violations for which `is` holds. */
export const beyondOf = ({ beyond = [] }: Pick<Found, 'beyond'>, is: (counted: Counted) => boolean): number =>
  beyond.filter(is).reduce((sum, { count }) => sum + count, 0)

function count(found: Found, { invariant, kind, count }: Counted): void {
  if (count === 0) return
  const known = (found.beyond ??= []).find((each) => each.invariant === invariant && each.kind === kind)
  if (known) known.count += count
  else found.beyond.push({ invariant, kind, count })
}

/** Caches the result of the first call. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= read())
}
