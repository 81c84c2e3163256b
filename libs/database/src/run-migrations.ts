// The migration job: reads the URL from the environment and applies the migrations; a failure prints one sentence and exits with 1.
import type { Migration } from 'kysely/migration'
import { databaseUrlError } from '@paraph/config/database-url'
import { readFileSettings } from '@paraph/config/file-settings'
import { insecureSettings } from '@paraph/config/insecure-transport'
import { migrate } from './migrate.js'

/** @param variable name of the setting that holds the owner's URL */
export async function runMigrations(variable: string, migrations: Record<string, Migration>): Promise<void> {
  try {
    const { environment, errors } = readFileSettings(process.env, [variable])
    if (errors[0] !== undefined) throw new Error(`${errors[0].trim()}.`)
    const ownerUrl = environment[variable]
    if (!ownerUrl) throw new Error(`Set ${variable} to the URL of the database, as its owner.`)
    const urlError = databaseUrlError(ownerUrl)
    if (urlError !== undefined) throw new Error(`${variable}: ${urlError}.`)
    const { ALLOW_INSECURE_TRANSPORT } = process.env
    const [insecure] = insecureSettings({ [variable]: ownerUrl, ALLOW_INSECURE_TRANSPORT })
    if (insecure !== undefined) throw new Error(`${insecure.trim()}.`)
    await migrate(ownerUrl, migrations)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` ${error.cause.message}` : ''
    process.stderr.write(`${error instanceof Error ? error.message : 'The migration failed.'}${cause}\n`)
    process.exitCode = 1
  }
}
