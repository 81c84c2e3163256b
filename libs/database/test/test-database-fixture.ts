// A database for one test file, cloned from the service's migrated template in about 12 ms.
// test/runner/postgres-setup.ts creates the server and the templates once per run.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { withClient } from '../src/provision.js'

export interface TestDatabase {
  /** The service's runtime role. */
  url: string
  /** The owner role, with the rights of a migration. */
  ownerUrl: string
  /** The superuser. */
  adminUrl: string
  drop(): Promise<void>
}

/** The password of every role on the test server. */
export const TEST_PASSWORD = 'test'

/**
 * Clones the template of `service` (`gateway`, `contract`, `signing`, `notification`, `bus`).
 * @param role connects as `<role>_runtime`; by default the role of the service
 */
export async function cloneTestDatabase(service: string, role = service): Promise<TestDatabase> {
  const server = process.env['PARAPH_TEST_SERVER_URL']
  if (!server) throw new Error('No test server: run this file with `npx jest <file>`.')
  const name = `${service}_${randomBytes(6).toString('hex')}`
  await withClient(server, async (admin) => {
    await admin.query(
      `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(`template_${service}`)} strategy file_copy owner ${pg.escapeIdentifier(`${service}_owner`)}`,
    )
  })
  return {
    url: urlOf(server, name, `${role}_runtime`),
    ownerUrl: urlOf(server, name, `${service}_owner`),
    adminUrl: urlOf(server, name),
    drop: () =>
      withClient(
        server,
        async (admin) => void (await admin.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)),
      ),
  }
}

function urlOf(server: string, database: string, role?: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  if (role) {
    url.username = role
    url.password = TEST_PASSWORD
  }
  return url.href
}
