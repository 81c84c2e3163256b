import { afterAll, beforeAll, beforeEach, afterEach, expect, it } from '@jest/globals'
import { sql, type Kysely } from 'kysely'
import { cloneTestDatabase, type TestDatabase } from '../test/test-database-fixture.js'
import { isDatabaseBusy } from './database-failure.js'
import { createDatabase, openPool } from './pool.js'
import { PLANNED_EACH_TIME } from './prepared-statements.js'
import { withClient } from './provision.js'

let clone: TestDatabase
let database: Kysely<unknown>
beforeAll(async () => {
  clone = await cloneTestDatabase('contract')
})
afterAll(() => clone.drop())
beforeEach(() => {
  database = createDatabase(openPool(clone.url, { warn: () => undefined }, { max: 1 }))
})
afterEach(() => database.destroy())

const half = (value: number) => sql<{ half: number }>`select ${value}::int / 2 as half`.execute(database)
const plans = async () =>
  (
    await sql<{ statement: string; uses: number }>`
      select statement, (generic_plans + custom_plans)::int as uses from pg_prepared_statements
       where statement like '%half%' and statement not like '%pg_prepared%'`.execute(database)
  ).rows

it('a connection prepares a statement once and uses its plan again [P45]', async () => {
  for (const value of [2, 4, 6]) expect((await half(value)).rows).toEqual([{ half: value / 2 }])
  expect(await plans()).toEqual([{ statement: 'select $1::int / 2 as half', uses: 3 }])
})

it('a statement whose plan must fit the present size of a queue is planned each time [P45]', async () => {
  const statement = sql<{ half: number }>`select ${4}::int / 2 as half ${PLANNED_EACH_TIME}`
  for (let time = 0; time < 2; time += 1) expect((await statement.execute(database)).rows).toEqual([{ half: 2 }])
  expect(await plans()).toEqual([])
})

it('a statement succeeds in a session that has forgotten all names [P45]', async () => {
  await half(2)
  await sql`discard all`.execute(database)
  expect((await half(4)).rows).toEqual([{ half: 2 }])
  expect(await plans()).toHaveLength(1)
})

it('a statement that fails in Postgres fails as before, and works afterwards [P45]', async () => {
  const inverse = (value: number) => sql<{ inverse: number }>`select 1 / ${value}::int as inverse`.execute(database)
  await expect(inverse(0)).rejects.toMatchObject({ code: '22012' })
  expect((await inverse(1)).rows).toEqual([{ inverse: 1 }])
  const early = () => sql`select ${1}::int as one from made_later`.execute(database)
  await expect(early()).rejects.toMatchObject({ code: '42P01' })
  await withClient(clone.ownerUrl, (owner) =>
    owner.query('create table made_later (n int); grant select on made_later to public'),
  )
  expect((await early()).rows).toEqual([])
})

it('a single statement succeeds after a migration changed the type of a column, and a transaction gets a conflict [P45]', async () => {
  const change = (type: string) =>
    withClient(clone.ownerUrl, (owner) =>
      owner.query(`drop table if exists changed; create table changed (n ${type}); grant select on changed to public`),
    )
  const read = (on: Kysely<unknown>) => sql`select n from changed where ${1} = 1`.execute(on)
  await change('int')
  await read(database)
  await change('text')
  expect((await read(database)).rows).toEqual([])
  await change('int')
  const inTransaction = () => database.transaction().execute(read)
  const error = await inTransaction().catch((each: unknown) => each)
  expect(isDatabaseBusy(error)).toBe(true)
  expect((await inTransaction()).rows).toEqual([])
})
