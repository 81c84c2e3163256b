// How long rows live, as data, and the one statement that ends them. The whole list: docs/retention.md. [Pruning, D16, D33, D46]
// Owns: the form and the statement. Does not own: which rows (each service's retention.ts), nor when (service/pruning).
import { sql, type QueryExecutorProvider } from 'kysely'

/** Rows that go when they are old, or that lose a column. Names and conditions are SQL of ours, never anything that was sent. */
export interface Retention {
  table: string
  /** The column that says how old a row is. An index begins with it, for the same `only`, unless `along` or `isSmall` is set. */
  by: string
  /** A Postgres interval: rows whose `by` lies longer ago than this go. */
  keptFor: string
  /** Only rows for which this holds. What it excludes must be rare among old rows: each pass looks at it again. */
  only?: string
  /** The row stays and this column becomes null; `only` must say that it is not. */
  wipe?: string
  /** An indexed column that grows with `by`: the rows that are lowest by it are looked at, for want of an index on `by`. */
  along?: string
  /** So few rows that reading them all costs less than an index. */
  isSmall?: true
  /** Why so long and no longer, and by which decision. */
  why: string
  /** What of a person is in it; undefined for nothing. */
  personal?: string
}

/** Every table of a service: what goes, and what stays and why. */
export interface RetentionPlan {
  goes: readonly Retention[]
  stays: readonly Pick<Retention, 'table' | 'why' | 'personal'>[]
}

/** Rows of one statement: short enough that nobody waits for it and that vacuum can follow. */
export const PRUNE_ROWS = 1_000

/**
 * Ends what is due, at most `PRUNE_ROWS`, oldest first. Several at once share the work: rows that somebody else holds are passed over.
 * @returns how many rows it ended; `PRUNE_ROWS` says that more may be due
 */
export async function pruneBatch(database: QueryExecutorProvider, retention: Retention): Promise<number> {
  const { numAffectedRows } = await pruneStatement(retention).execute(database)
  return Number(numAffectedRows ?? 0)
}

/** The statement of `pruneBatch`. Its cost grows with what is due and not with the table. */
export function pruneStatement(retention: Retention) {
  const table = sql.id(retention.table)
  // By ctid: no table needs to say what its key is. A row that is changed between the look and the deletion has another and stays.
  const due = sql`ctid = any(array(${retention.along === undefined ? dueRows(retention) : lowestDueRows(retention, retention.along)}))`
  return retention.wipe === undefined
    ? sql`delete from ${table} where ${due}`
    : sql`update ${table} set ${sql.id(retention.wipe)} = null where ${due}`
}

// now(): an index serves only what stays the same during the statement, and clock_timestamp() does not.
const isDue = ({ by, keptFor, only }: Retention) =>
  sql`${sql.id(by)} < now() - ${sql.lit(keptFor)}::interval${only === undefined ? sql`` : sql` and ${sql.raw(only)}`}`

const dueRows = (retention: Retention) => sql`
  select ctid from ${sql.id(retention.table)} where ${isDue(retention)}
  order by ${sql.id(retention.by)} limit ${sql.lit(PRUNE_ROWS)} for update skip locked`

/** Without locks: it looks at rows that are not due, too. Whoever comes second finds nothing left to delete. */
const lowestDueRows = (retention: Retention, along: string) => sql`
  select ctid from (
    select ctid, * from ${sql.id(retention.table)} order by ${sql.id(along)} limit ${sql.lit(PRUNE_ROWS)}
  ) as lowest where ${isDue(retention)}`
