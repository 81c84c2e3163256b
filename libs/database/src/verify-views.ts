// The schema `verify`: what a role that only verifies may read of each table, without texts, names and addresses. [P37]
// A view has the name of its table, so that a search path decides between both.
import { sql, type Kysely } from 'kysely'

/** SQL for the columns of a view: a select list, or all columns of the table but some. */
export type VerifyColumns = string | { without: readonly string[] }

/** Every column of a table that holds no personal data. */
export const ALL_COLUMNS: VerifyColumns = { without: [] }

/** Creates the views. deploy/databases.sql grants them to `paraph_verify`, and may have created the schema. */
export async function createVerifyViews(
  database: Kysely<unknown>,
  views: Readonly<Record<string, VerifyColumns>>,
): Promise<void> {
  await sql`create schema if not exists verify`.execute(database)
  for (const [table, columns] of Object.entries(views)) {
    const list = typeof columns === 'string' ? columns : await columnsOf(database, table, columns.without)
    await sql`create view verify.${sql.id(table)} as select ${sql.raw(list)} from public.${sql.id(table)}`.execute(
      database,
    )
  }
}

async function columnsOf(database: Kysely<unknown>, table: string, without: readonly string[]): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select quote_ident(column_name) as name from information_schema.columns
     where table_schema = 'public' and table_name = ${table} and column_name <> all(${without}::text[])
     order by ordinal_position`.execute(database)
  return rows.map(({ name }) => name).join(', ')
}
