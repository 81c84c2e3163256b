import { sql } from 'kysely'
import { expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { INBOX_RETENTIONS } from './retention.js'

it('the inbox remembers an event longer than the bus can deliver it again: a replay has no second effect [D49, F9]', async () => {
  const clone = await cloneTestDatabase('bus')
  const database = createDatabase<unknown>(openPool(clone.ownerUrl, { warn: () => undefined }, { max: 1 }))
  const inbox = INBOX_RETENTIONS.find(({ table }) => table === 'inbox')!
  const { rows } = await sql<{ outlives: boolean }>`
    select ${inbox.keptFor}::interval > make_interval(days => retention_days + 7) as outlives from bus.setting`.execute(
    database,
  )
  expect(rows).toEqual([{ outlives: true }])
  await database.destroy()
  await clone.drop()
})
