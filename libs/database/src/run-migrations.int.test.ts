import { afterEach, expect, it, jest } from '@jest/globals'
import { runMigrations } from './run-migrations.js'

const { ALLOW_INSECURE_TRANSPORT: allowed } = process.env
afterEach(() => {
  jest.restoreAllMocks()
  delete process.env['DATABASE_OWNER_URL']
  if (allowed === undefined) delete process.env['ALLOW_INSECURE_TRANSPORT']
})

/** Runs no migrations on an address that nobody listens on. @returns what the job prints */
async function printed(url: string): Promise<string> {
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  process.env['DATABASE_OWNER_URL'] = url
  await runMigrations('DATABASE_OWNER_URL', {})
  const { exitCode } = process
  process.exitCode = undefined
  expect(exitCode).toBe(1)
  return String(written.mock.calls.at(-1)?.[0])
}

it('a migration refuses a database on another machine without TLS, and prints no part of its URL [P39]', async () => {
  const url = 'postgres://contract_owner:hush@203.0.113.1:1/contract'
  const sentence = await printed(url)
  expect(sentence).toMatch(/^DATABASE_OWNER_URL: must have sslmode=verify-full.*ALLOW_INSECURE_TRANSPORT=yes/)
  expect(sentence).not.toContain('hush')
  expect(await printed('postgres://contract_owner:hush@127.0.0.1:1/contract')).not.toContain('sslmode')
  process.env['ALLOW_INSECURE_TRANSPORT'] = 'yes'
  expect(await printed('postgres://contract_owner:hush@nowhere.invalid:1/contract')).not.toContain('sslmode')
})

it('a migration reads its URL from a file, and says so if it cannot', async () => {
  process.env['DATABASE_OWNER_URL_FILE'] = '/nowhere/hush'
  const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true)
  await runMigrations('DATABASE_OWNER_URL', {})
  delete process.env['DATABASE_OWNER_URL_FILE']
  process.exitCode = undefined
  expect(written.mock.calls).toEqual([['DATABASE_OWNER_URL_FILE: names no file that can be read.\n']])
})
