import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { createSchemaCheck } from './schema-check.js'

const WAIT = { timeout: 20_000 }
const undo: (() => Promise<unknown>)[] = []
let clone: TestDatabase
/** The names of the applied migrations, the newest last. */
let applied: string[]

beforeEach(async () => {
  clone = await cloneTestDatabase('contract')
  const { rows } = await asOwner<{ name: string }>('select name from kysely_migration order by name collate "C"')
  applied = rows.map(({ name }) => name)
})
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
  await clone.drop()
})

const asOwner = <Row extends object>(text: string, values: unknown[] = []) =>
  withClient(clone.ownerUrl, (owner) => owner.query<Row>(text, values))

/** Starts a process of a build with `migrations`. `questions` counts its uses of the database. */
async function start(migrations: readonly string[], url = clone.url, warmUp?: () => Promise<unknown>) {
  const logger = createLogger('test', 'silent')
  const warn = jest.spyOn(logger, 'warn')
  const pool = openPool(url, logger)
  const database = createDatabase<unknown>(pool)
  let questions = 0
  pool.on('acquire', () => (questions += 1))
  const begin = jest.fn()
  const schema = createSchemaCheck({
    database,
    migrations: Object.fromEntries(migrations.map((name) => [name, {}])),
    ...(warmUp && { warmUp }),
    logger,
  })
  undo.push(() => database.destroy(), schema.stop)
  await schema.start(begin)
  return { schema, begin, warn, questions: () => questions }
}

it('a process whose database lacks its newest migration is not ready and does no work, until the migration is applied [H8, H16]', async () => {
  await asOwner('delete from kysely_migration where name = $1', [applied.at(-1)])
  const { schema, begin, warn } = await start(applied)
  expect([schema.isCurrent(), schema.hasBegun(), begin.mock.calls.length]).toEqual([false, false, 0])
  expect(warn.mock.calls).toEqual([[{ applied: applied.at(-2), needed: applied.at(-1) }, expect.any(String)]])
  await asOwner('insert into kysely_migration values ($1, $2)', [applied.at(-1), new Date().toISOString()])
  await waitFor(() => expect(schema.isCurrent()).toBe(true), WAIT)
  expect([schema.hasBegun(), begin.mock.calls.length, warn.mock.calls.length]).toEqual([true, 1, 1])
})

it('a process whose database was never migrated is not ready and does no work [H8, H16]', async () => {
  await asOwner('drop table kysely_migration')
  const { schema, begin, warn } = await start(applied)
  expect([schema.isCurrent(), begin.mock.calls.length]).toEqual([false, 0])
  expect(warn).toHaveBeenCalledWith({ applied: 'none', needed: applied.at(-1) }, expect.any(String))
})

it('a process of an earlier version is ready on a database with a later migration [H16]', async () => {
  const { schema, begin } = await start(applied.slice(0, -1))
  expect([schema.isCurrent(), begin.mock.calls.length]).toEqual([true, 1])
})

it('a process is ready when it has warmed up, and also if that fails [F17]', async () => {
  const warming = Promise.withResolvers<void>()
  const starting = start(applied, clone.url, () => warming.promise)
  const failed = await start(applied, clone.url, () => Promise.reject(new Error('away')))
  expect(failed.schema.isCurrent()).toBe(true)
  warming.resolve()
  expect((await starting).schema.isCurrent()).toBe(true)
})

it('a process that takes long to warm up begins its work, and is not ready meanwhile [F17, H6]', async () => {
  const warming = Promise.withResolvers<void>()
  const { schema, begin } = await start(applied, clone.url, () => warming.promise)
  expect([schema.isCurrent(), begin.mock.calls.length]).toEqual([false, 1])
  warming.resolve()
  await waitFor(() => expect(schema.isCurrent()).toBe(true), WAIT)
  expect(begin).toHaveBeenCalledTimes(1)
})

it('a ready process stays ready and asks no more, whatever becomes of the database [H8]', async () => {
  const { schema, begin, questions } = await start(applied)
  expect([schema.isCurrent(), questions()]).toEqual([true, 1])
  // Another process, which waits for its migration, shows how often it asks meanwhile.
  const behind = await start([...applied, '9999_later'])
  await waitFor(() => expect(behind.questions()).toBeGreaterThan(2), WAIT)
  await asOwner('drop table kysely_migration')
  await waitFor(() => expect(behind.questions()).toBeGreaterThan(4), WAIT)
  expect([schema.isCurrent(), questions(), begin.mock.calls.length]).toEqual([true, 1, 1])
})

it('a database that does not answer delays no work, and the process is ready once it has answered [H6, H8]', async () => {
  const closed = new URL(clone.url)
  closed.port = '1'
  const unanswered = await start(applied, closed.href)
  expect([unanswered.schema.isCurrent(), unanswered.begin.mock.calls.length]).toEqual([false, 1])

  await asOwner('revoke select on kysely_migration from contract_runtime')
  const { schema, begin } = await start(applied)
  expect([schema.isCurrent(), begin.mock.calls.length]).toEqual([false, 1])
  await asOwner('grant select on kysely_migration to contract_runtime')
  await waitFor(() => expect(schema.isCurrent()).toBe(true), WAIT)
  expect(begin).toHaveBeenCalledTimes(1)
})
