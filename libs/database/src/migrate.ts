// Applies a service's numbered migrations as the owner role. Concurrent runs are safe: kysely holds an advisory lock.
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'

/**
 * Applies the pending `migrations` (name → migration; they apply in the order of their names).
 * @throws Error with a sentence for the operator, such as when a newer version created the database
 */
export async function migrate(ownerUrl: string, migrations: Record<string, Migration>): Promise<void> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 1 })
  // Without a listener a broken connection would end the process; the failed query reports the error.
  pool.on('error', () => undefined)
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const migrator = new Migrator({ db: database, provider: { getMigrations: () => Promise.resolve(migrations) } })
    const { error, results } = await migrator.migrateToLatest()
    if (!error) return
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    if (!failed && error instanceof Error && error.message.includes('corrupted migrations')) {
      throw new Error('The database was made by a newer version of Paraph. Run that version, or restore a back-up.', {
        cause: error,
      })
    }
    throw new Error(`The migration ${failed ?? 'run'} failed.`, { cause: error })
  } finally {
    await database.destroy()
  }
}
