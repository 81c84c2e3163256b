// How far the migrations of a database have come, as any role that may read its tables sees it. [H8, H15]
import { sql, type QueryExecutorProvider } from 'kysely'

/** SQLSTATE `undefined_table`. */
const UNDEFINED_TABLE = '42P01'

/**
 * The name of the newest applied migration; undefined if none was ever applied. Names begin with a number of fixed width, so the order of
 * their bytes is the order of application.
 * @throws the error of the connection, or of a role that may not read the table
 */
export async function newestAppliedMigration(database: QueryExecutorProvider): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ newest: string | null }>`
      select max(name collate "C") as newest from kysely_migration`.execute(database)
    return rows[0]?.newest ?? undefined
  } catch (error) {
    if (error instanceof Error && (error as { code?: unknown }).code === UNDEFINED_TABLE) return undefined
    throw error
  }
}
