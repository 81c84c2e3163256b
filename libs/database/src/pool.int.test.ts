import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { isDatabaseUnavailable } from './database-failure.js'
import { sql } from 'kysely'
import { createDatabase, openPool } from './pool.js'
import { cloneTestDatabase } from '../test/test-database-fixture.js'
import { withClient } from './provision.js'

it('the pool survives a server that closes its idle connections [F3]', async () => {
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
  expect(warnings).toHaveLength(1)
  await database.destroy()
  await clone.drop()
})

it('the pool replaces a connection that stops answering during a query without being closed [F3]', async () => {
  const clone = await cloneTestDatabase('contract')
  const [target, through] = [new URL(clone.url), new URL(clone.url)]
  const lines: { isSilent: boolean }[] = []
  const server = createServer((inner) => {
    const outer = connect(Number(target.port), target.hostname)
    const line = { isSilent: false }
    lines.push(line)
    inner.pipe(outer)
    outer.on('data', (bytes) => line.isSilent || inner.write(bytes))
    for (const socket of [inner, outer]) {
      socket.on('error', () => undefined)
      socket.on('close', () => [inner, outer].forEach((each) => each.destroy()))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  through.port = String((server.address() as AddressInfo).port)
  const pool = openPool(through.href, { warn: () => undefined }, { max: 1, statementTimeoutMs: 100 })
  const database = createDatabase<Record<string, never>>(pool)
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(database)
  await ask()
  lines[0]!.isSilent = true
  await expect(ask()).rejects.toThrow('Query read timeout')
  expect((await ask()).rows).toEqual([{ one: 1 }])
  expect(lines).toHaveLength(2)
  await database.destroy()
  server.close()
  await clone.drop()
})

it('whatever prevents a connection counts as an unavailable database, as do a missing table and a missing right; a rejected statement does not [P21, F30]', async () => {
  const clone = await cloneTestDatabase('contract')
  const [password, name, port] = [new URL(clone.url), new URL(clone.url), new URL(clone.url)]
  password.password = 'old'
  name.pathname = '/not-there-yet'
  port.port = '1'
  const setConnections = (isAllowed: boolean) =>
    withClient(clone.adminUrl.replace(/\/[^/]*$/, '/postgres'), (admin) =>
      admin.query(`alter database ${new URL(clone.url).pathname.slice(1)} allow_connections ${isAllowed}`),
    )
  async function ask(url: string, text: string) {
    const pool = openPool(url, { warn: () => undefined })
    const byKysely = createDatabase<Record<string, never>>(pool)
    const errors = await Promise.all([
      pool.query(text).catch((error: unknown) => error),
      sql
        .raw(text)
        .execute(byKysely)
        .catch((error: unknown) => error),
    ])
    await byKysely.destroy()
    return errors.map((error) => [(error as { code?: string }).code, isDatabaseUnavailable(error)])
  }
  const both = (code: string, isUnavailable: boolean) => [
    [code, isUnavailable],
    [code, isUnavailable],
  ]
  expect(await ask(password.href, 'select 1')).toEqual(both('28P01', true))
  expect(await ask(name.href, 'select 1')).toEqual(both('3D000', true))
  expect(await ask(port.href, 'select 1')).toEqual(both('ECONNREFUSED', true))
  await setConnections(false)
  expect(await ask(clone.url, 'select 1')).toEqual(both('55000', true))
  await setConnections(true)
  expect(await ask(clone.url, 'select from not_migrated_yet')).toEqual(both('42P01', true))
  expect(await ask(clone.url, 'truncate contract')).toEqual(both('42501', true))
  expect(await ask(clone.url, 'select 1 / 0')).toEqual(both('22012', false))
  await clone.drop()
})
