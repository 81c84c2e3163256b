import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { createDatabase, openPool } from './pool.js'
import { withClient } from './provision.js'
import { PRUNE_ROWS, pruneBatch, pruneStatement, type Retention } from './retention.js'
import { cloneTestDatabase, type TestDatabase } from '../test/test-database-fixture.js'

const BY_AGE: Retention = { table: 'thing', by: 'made_at', keptFor: '7 days', why: 'a test' }

let clone: TestDatabase
let database: Kysely<unknown>
beforeAll(async () => {
  clone = await cloneTestDatabase('contract')
  await withClient(clone.ownerUrl, async (owner) => {
    await owner.query(
      'create table thing (id bigint generated always as identity primary key, made_at timestamptz, note text)',
    )
    await owner.query('create index thing_age on thing (made_at)')
  })
  database = createDatabase<unknown>(openPool(clone.url, { warn: () => undefined }))
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})
beforeEach(() => withClient(clone.ownerUrl, (owner) => owner.query('truncate thing')))

const add = (count: number, age: string, note = 'kept') =>
  sql`insert into thing (made_at, note) select now() - ${age}::interval, ${note} from generate_series(1, ${count})`.execute(
    database,
  )

async function count(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from thing`.execute(database)
  return rows[0]!.count
}

it('pruning deletes rows past their retention in batches, and no others [F23]', async () => {
  await add(2_300, '7 days 1 second')
  await add(10, '6 days 23 hours')
  const deleted = [await pruneBatch(database, BY_AGE), await pruneBatch(database, BY_AGE)]
  expect(deleted).toEqual([PRUNE_ROWS, PRUNE_ROWS])
  expect(await pruneBatch(database, BY_AGE)).toBe(300)
  expect([await pruneBatch(database, BY_AGE), await count()]).toEqual([0, 10])
})

it('pruning clears one column and keeps the row', async () => {
  await add(3, '8 days', 'secret')
  await add(1, '1 day', 'secret')
  const clearing: Retention = { ...BY_AGE, clearColumn: 'note', only: 'note is not null' }
  expect([await pruneBatch(database, clearing), await pruneBatch(database, clearing)]).toEqual([3, 0])
  const { rows } = await sql`select note, count(*)::int as rows from thing group by note order by note`.execute(
    database,
  )
  expect(rows).toEqual([
    { note: 'secret', rows: 1 },
    { note: null, rows: 3 },
  ])
})

it('pruning by `along` deletes only the due rows among the rows with the lowest values', async () => {
  await add(1_500, '8 days')
  await add(10, '1 day')
  const along: Retention = { ...BY_AGE, along: 'id' }
  expect([await pruneBatch(database, along), await pruneBatch(database, along), await count()]).toEqual([
    PRUNE_ROWS,
    500,
    10,
  ])
})

it('pruning skips locked rows, and keeps rows that another transaction changes meanwhile', async () => {
  await add(2, '8 days')
  await withClient(clone.url, async (holder) => {
    await holder.query('begin')
    await holder.query('update thing set made_at = now() where id = (select min(id) from thing)')
    expect(await pruneBatch(database, BY_AGE)).toBe(1)
    await holder.query('commit')
  })
  expect([await pruneBatch(database, BY_AGE), await count()]).toEqual([0, 1])
})

it('concurrent calls of pruning share the work: each row is deleted once and none remains', async () => {
  await add(6_000, '8 days')
  const workers = Array.from({ length: 4 }, async () => {
    let deleted = 0
    for (let last = PRUNE_ROWS; last > 0; deleted += last) last = await pruneBatch(database, BY_AGE)
    return deleted
  })
  const each = await Promise.all(workers)
  for (let last = PRUNE_ROWS; last > 0; each.push(last)) last = await pruneBatch(database, BY_AGE)
  expect([each.reduce((sum, deleted) => sum + deleted), await count()]).toEqual([6_000, 0])
})

it('pruning reads only the due rows, not the whole table: 10 rows of 100,000', async () => {
  await add(100_000, '1 day')
  await add(10, '8 days')
  await withClient(clone.ownerUrl, (owner) => owner.query('analyze thing'))
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
    explain (analyze, buffers, format json) ${pruneStatement(BY_AGE)}`.execute(database)
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = rows[0]!['QUERY PLAN'][0].Plan
  expect(hit! + read!).toBeLessThan(100)
})
