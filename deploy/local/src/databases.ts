// Makes the five databases and brings each to the newest version. [D50]
// In this process: a program per service would load the same query builder five times, a second of CPU each.
import { migrate } from '@paraph/database/migrate'
import { provisionDatabase, withClient } from '@paraph/database/provision'
import { migrations as contract } from '@paraph/contract/migrations'
import { migrations as gateway } from '@paraph/gateway/migrations'
import { busMigrations as bus } from '@paraph/messaging/bus-migrations'
import { migrations as notification } from '@paraph/notification/migrations'
import { SERVICES } from '@paraph/protocol/caller'
import { migrations as signing } from '@paraph/signing/migrations'
import { DATABASES, databaseUrl, superuserUrl } from './environment.js'
import type { Ports } from './ports.js'
import { Refusal } from './refusal.js'
import type { Secrets } from './secrets.js'

interface Basis {
  ports: Ports
  secrets: Secrets
}

/** Of each database, by name, in the order in which they apply. */
export const MIGRATIONS = { gateway, contract, signing, notification, bus }

/** Makes databases and roles where they are missing and sets the roles' passwords. */
export async function provisionDatabases(basis: Basis): Promise<void> {
  const adminUrl = superuserUrl(basis)
  await Promise.all(
    DATABASES.map((name) =>
      provisionDatabase(adminUrl, { service: name, database: name, passwords: basis.secrets.rolePasswords[name] }),
    ),
  )
  await withClient(adminUrl, async (admin) => {
    // Names from our own list: nothing to escape.
    for (const service of SERVICES) await admin.query(`grant connect on database bus to ${service}_runtime`)
  })
}

/**
 * Brings every database up to date, all at once; the bus too, for the roles that it names exist by now.
 * @throws Refusal with what the first that failed said
 */
export async function migrateDatabases(basis: Basis): Promise<void> {
  await Promise.all(
    DATABASES.map((name) =>
      migrate(databaseUrl(basis, name, 'owner'), MIGRATIONS[name]).catch((error: unknown) => {
        const said = [error, error instanceof Error ? error.cause : undefined]
          .flatMap((each) => (each instanceof Error ? [each.message] : []))
          .join(' ')
        throw new Refusal(`The database ${name} could not be brought up to date. ${said}`, { cause: error })
      }),
    ),
  )
}
