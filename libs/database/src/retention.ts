// Retention rules as data, and the statement that deletes due rows. The list is in docs/reference/retention.md. [Pruning, D16, D33, D46]
// Each service's retention.ts has its rules; background/pruning.ts runs them.
import { sql, type QueryExecutorProvider } from 'kysely'

/** Deletes old rows of a table, or clears one of its columns. Names and conditions are our own SQL, never input. */
export interface Retention {
  table: string
  /** The column with the age of a row. An index begins with it, with the same `only`, unless `along` or `isSmall` is set. */
  by: string
  /** A Postgres interval: rows whose `by` is older are due. */
  keptFor: string
  /** A SQL condition on due rows. Old rows that the condition excludes must be rare, because each pass reads them again. */
  only?: string
  /** Clears this column instead of deleting the row; `only` must require that it is not null. */
  clearColumn?: string
  /** An indexed column that grows with `by`, for a table without an index on `by`: a pass reads the rows with its lowest values. */
  along?: string
  /** The table is so small that reading it all costs less than an index. */
  isSmall?: true
  /** The reason for this duration, with the id of the decision. */
  why: string
  /** The personal data in these rows; undefined if they contain none. */
  personalData?: string
}

/** The rules for every table of a service: the rows that are deleted, and the tables that are kept. */
export interface RetentionPlan {
  pruned: readonly Retention[]
  kept: readonly Pick<Retention, 'table' | 'why' | 'personalData'>[]
}

/** Every service has this table (position.ts). */
export const POSITION_KEPT = {
  table: 'database_position',
  why: 'One row for each service, which shows how far each database has progressed (P40).',
} as const

/** Rows per statement: few enough that no query waits for long and that vacuum keeps up. */
export const PRUNE_ROWS = 1_000

/**
 * Deletes or clears at most `PRUNE_ROWS` due rows, oldest first. Concurrent calls share the work: they skip locked rows.
 * @returns the number of rows; if it equals `PRUNE_ROWS`, more may be due
 */
export async function pruneBatch(database: QueryExecutorProvider, retention: Retention): Promise<number> {
  const { numAffectedRows } = await pruneStatement(retention).execute(database)
  return Number(numAffectedRows ?? 0)
}

/** The statement of `pruneBatch`. Its cost grows with the due rows, not with the table. */
export function pruneStatement(retention: Retention) {
  const table = sql.id(retention.table)
  // Selects by ctid, so that a rule needs no key. A row that is updated meanwhile gets another ctid and stays.
  const due = sql`ctid = any(array(${retention.along === undefined ? dueRows(retention) : lowestDueRows(retention, retention.along)}))`
  return retention.clearColumn === undefined
    ? sql`delete from ${table} where ${due}`
    : sql`update ${table} set ${sql.id(retention.clearColumn)} = null where ${due}`
}

// now(), because clock_timestamp() changes during the statement and so cannot use an index.
const isDue = ({ by, keptFor, only }: Retention) =>
  sql`${sql.id(by)} < now() - ${sql.lit(keptFor)}::interval${only === undefined ? sql`` : sql` and ${sql.raw(only)}`}`

const dueRows = (retention: Retention) => sql`
  select ctid from ${sql.id(retention.table)} where ${isDue(retention)}
  order by ${sql.id(retention.by)} limit ${sql.lit(PRUNE_ROWS)} for update skip locked`

/** Without locks, because it also reads rows that are not due. A concurrent call finds nothing left to delete. */
const lowestDueRows = (retention: Retention, along: string) => sql`
  select ctid from (
    select ctid, * from ${sql.id(retention.table)} order by ${sql.id(along)} limit ${sql.lit(PRUNE_ROWS)}
  ) as lowest where ${isDue(retention)}`
