import { expect, it } from 'vitest'
import { sql } from 'kysely'
import { createDatabase, openPool } from './pool.js'
import { cloneTestDatabase } from './test-database.js'
import { withClient } from './provision.js'

it('survives a server that ends its idle connections [F3]', async () => {
  const clone = await cloneTestDatabase('contract')
  const warnings: unknown[] = []
  const pool = openPool(clone.url, { warn: (...line: unknown[]) => void warnings.push(line) })
  const database = createDatabase<Record<string, never>>(pool)
  await sql`select 1`.execute(database)
  const broke = new Promise<void>((resolve) => pool.once('error', () => resolve()))
  await withClient(clone.adminUrl, (admin) =>
    admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    ),
  )
  await broke
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(database)
  expect(rows).toEqual([{ one: 1 }])
  expect(warnings.length).toBeGreaterThan(0)
  await database.destroy()
  await clone.drop()
})
