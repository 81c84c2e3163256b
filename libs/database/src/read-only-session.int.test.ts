import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from './provision.js'
import { openReadOnlySession, type ReadOnlySession } from './read-only-session.js'
import { cloneTestDatabase, type TestDatabase } from '../test/test-database-fixture.js'

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

it('a read-only session refuses writes, even for the superuser, inside and outside a snapshot', async () => {
  await expect(session.query('delete from number')).rejects.toThrow('read-only transaction')
  await session.beginSnapshot()
  await expect(session.query('delete from number')).rejects.toThrow('read-only transaction')
  await session.endSnapshot()
  expect(await session.query('select count(*) as n from number')).toEqual([{ n: 2_500 }])
})

it('a read-only session reads the rows of its snapshot until the snapshot ends', async () => {
  await session.beginSnapshot()
  await withClient(clone.adminUrl, (admin) => admin.query('insert into number values (2501)'))
  expect(await session.query('select max(n) as n from number')).toEqual([{ n: 2_500 }])
  await session.endSnapshot()
  expect(await session.query('select max(n) as n from number')).toEqual([{ n: 2_501 }])
  await withClient(clone.adminUrl, (admin) => admin.query('delete from number where n = 2501'))
})

it('a read-only session streams long results in order, several concurrently, and closes the cursor of an abandoned one', async () => {
  await session.beginSnapshot()
  const [up, down] = ['asc', 'desc'].map((order) =>
    session.stream<{ n: number }>(`select n from number where n > $1 order by n ${order}`, [10]),
  ) as [AsyncGenerator<{ n: number }>, AsyncGenerator<{ n: number }>]
  expect((await down.next()).value).toEqual({ n: 2_500 })
  const seen: number[] = []
  for await (const { n } of up) seen.push(n)
  expect(seen).toEqual(Array.from({ length: 2_490 }, (_, index) => index + 11))
  await down.return(undefined)
  expect(await session.query('select count(*) as n from pg_cursors')).toEqual([{ n: 0 }])
  await session.endSnapshot()
})
