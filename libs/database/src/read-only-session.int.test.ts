import { afterAll, beforeAll, expect, it } from 'vitest'
import { withClient } from './provision.js'
import { openReadOnlySession, type ReadOnlySession } from './read-only-session.js'
import { cloneTestDatabase, type TestDatabase } from './test-database.js'

let clone: TestDatabase
let session: ReadOnlySession
beforeAll(async () => {
  clone = await cloneTestDatabase('contract')
  await withClient(clone.adminUrl, (admin) =>
    admin.query('create table number as select n::bigint as n from generate_series(1, 2500) n'),
  )
  session = await openReadOnlySession(clone.adminUrl, 'a test')
})
afterAll(async () => {
  await session?.close()
  await clone?.drop()
})

it('refuses to write, as the superuser too, and inside a moment as outside', async () => {
  await expect(session.query('delete from number')).rejects.toThrow('read-only transaction')
  await session.beginMoment()
  await expect(session.query('delete from number')).rejects.toThrow('read-only transaction')
  await session.endMoment()
  expect(await session.query('select count(*) as n from number')).toEqual([{ n: 2_500 }])
})

it('sees the rows of one moment until it ends', async () => {
  await session.beginMoment()
  await withClient(clone.adminUrl, (admin) => admin.query('insert into number values (2501)'))
  expect(await session.query('select max(n) as n from number')).toEqual([{ n: 2_500 }])
  await session.endMoment()
  expect(await session.query('select max(n) as n from number')).toEqual([{ n: 2_501 }])
  await withClient(clone.adminUrl, (admin) => admin.query('delete from number where n = 2501'))
})

it('streams a long answer in order, several at once, and ends one that nobody reads on', async () => {
  await session.beginMoment()
  const [up, down] = ['asc', 'desc'].map((order) =>
    session.stream<{ n: number }>(`select n from number where n > $1 order by n ${order}`, [10]),
  ) as [AsyncGenerator<{ n: number }>, AsyncGenerator<{ n: number }>]
  expect((await down.next()).value).toEqual({ n: 2_500 })
  const seen: number[] = []
  for await (const { n } of up) seen.push(n)
  expect(seen).toEqual(Array.from({ length: 2_490 }, (_, index) => index + 11))
  await down.return(undefined)
  expect(await session.query('select count(*) as n from pg_cursors')).toEqual([{ n: 0 }])
  await session.endMoment()
})
