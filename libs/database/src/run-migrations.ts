// The whole of a migration job: the URL from the environment, the migrations, one sentence and exit 1 where it fails.
import type { Migration } from 'kysely/migration'
import { databaseUrlFault } from './database-url.js'
import { migrate } from './migrate.js'

/** @param variable name of the environment variable that holds the owner's URL */
export async function runMigrations(variable: string, migrations: Record<string, Migration>): Promise<void> {
  const ownerUrl = process.env[variable]
  try {
    if (!ownerUrl) throw new Error(`Set ${variable} to the URL of the database, as its owner.`)
    const fault = databaseUrlFault(ownerUrl)
    if (fault !== undefined) throw new Error(`${variable}: ${fault}.`)
    await migrate(ownerUrl, migrations)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : ''
    process.stderr.write(`${error instanceof Error ? error.message : 'The migration failed.'}${cause}\n`)
    process.exitCode = 1
  }
}
