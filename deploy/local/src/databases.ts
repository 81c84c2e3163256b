// Creates the five databases and migrates each to the newest version. [D50]
// Migrates in this process: a program per database would load the query builder five times, at a second of CPU each.
import { migrate } from '@paraph/database/migrate'
import { provisionDatabase, withClient } from '@paraph/database/provision'
import { migrations as contract } from '@paraph/contract/migrations'
import { migrations as gateway } from '@paraph/gateway/migrations'
import { busMigrations as bus } from '@paraph/messaging/postgres/bus-migrations'
import { migrations as notification } from '@paraph/notification/migrations'
import { SERVICES } from '@paraph/protocol/services'
import { migrations as signing } from '@paraph/signing/migrations'
import { databaseUrl, superuserUrl, type Basis } from '@paraph/paraph/installation/environment'
import { UserError } from '@paraph/config/refusal'
import { DATABASES } from '@paraph/paraph/installation/secrets'

/** The migrations of each database, by name, in their order. */
export const MIGRATIONS = { gateway, contract, signing, notification, bus }

/** Creates missing databases and roles and sets the roles' passwords. */
export async function provisionDatabases(basis: Basis): Promise<void> {
  const adminUrl = superuserUrl(basis)
  await Promise.all(
    DATABASES.map((name) =>
      provisionDatabase(adminUrl, { service: name, database: name, passwords: basis.secrets.rolePasswords[name] }),
    ),
  )
  await withClient(adminUrl, async (admin) => {
    // A role connects to its own database alone. Every user may connect to these two by default. [P37]
    await admin.query('revoke connect on database postgres, template1 from public')
    // Names from a constant list need no escaping.
    for (const service of SERVICES) await admin.query(`grant connect on database bus to ${service}_runtime`)
  })
}

/**
 * Migrates all databases concurrently, the bus included: provisionDatabases has created the roles that its migrations name.
 * @throws UserError with the message of the first failure
 */
export async function migrateDatabases(basis: Basis): Promise<void> {
  await Promise.all(
    DATABASES.map((name) =>
      migrate(databaseUrl(basis, name, 'owner'), MIGRATIONS[name]).catch((error: unknown) => {
        const { message = '', cause } = error instanceof Error ? error : {}
        const said = [message, cause instanceof Error ? cause.message : ''].filter(Boolean).join(' ')
        throw new UserError(`Could not migrate the database ${name}. ${said}`, { cause: error })
      }),
    ),
  )
}
