import { randomBytes } from 'node:crypto'
import { expect, it } from '@jest/globals'
import { migrate } from '@paraph/database/migrate'
import { provisionDatabase, withClient } from '@paraph/database/provision'
import { TEST_PASSWORD } from '@paraph/database/test-database'
import { MIGRATIONS } from './databases.js'
import { DATABASES } from '@paraph/paraph/installation/secrets'

/** Creates an empty database of `service`, runs `work` with the URL of its owner, and drops it. */
async function withEmpty(
  service: (typeof DATABASES)[number],
  work: (ownerUrl: string) => Promise<void>,
): Promise<void> {
  const server = process.env['PARAPH_TEST_SERVER_URL']!
  const database = `${service}_${randomBytes(6).toString('hex')}`
  const passwords = { owner: TEST_PASSWORD, runtime: TEST_PASSWORD }
  await provisionDatabase(server, { service, database, passwords })
  const url = new URL(server)
  Object.assign(url, { pathname: `/${database}`, username: `${service}_owner`, password: TEST_PASSWORD })
  try {
    await work(url.href)
  } finally {
    await withClient(server, (admin) => admin.query(`drop database ${database} with (force)`))
  }
}

const appliedAt = (ownerUrl: string) =>
  withClient(ownerUrl, async (owner) => (await owner.query('select name from kysely_migration order by name')).rows)

it.each(DATABASES)(
  'three concurrent migrations of %s apply every step once, and a later migration changes nothing [H15, H16]',
  async (name) => {
    await withEmpty(name, async (ownerUrl) => {
      await Promise.all([1, 2, 3].map(() => migrate(ownerUrl, MIGRATIONS[name])))
      const applied = await appliedAt(ownerUrl)
      expect(applied).toEqual(Object.keys(MIGRATIONS[name]).map((migration) => ({ name: migration })))
      await migrate(ownerUrl, MIGRATIONS[name])
      expect(await appliedAt(ownerUrl)).toEqual(applied)
    })
  },
)

it.each(DATABASES)(
  'the migration of %s refuses a newer version with an error message and changes nothing [H16]',
  async (name) => {
    await withEmpty(name, async (ownerUrl) => {
      const later = { '9999-later': { up: () => Promise.resolve() } }
      await migrate(ownerUrl, { ...MIGRATIONS[name], ...later })
      const applied = await appliedAt(ownerUrl)
      await expect(migrate(ownerUrl, MIGRATIONS[name])).rejects.toThrow(
        'The database was made by a newer version of Paraph. Run that version, or restore a back-up.',
      )
      expect(await appliedAt(ownerUrl)).toEqual(applied)
    })
  },
)
