// `paraph doctor` against a real Postgres and a real SMTP server: what breaks is found, and nothing that is printed is a secret. [I14]
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { startSmtpServer, type TestSmtpServer } from '@paraph/notification/test/smtp-fixture'
import { collect } from './collect/collect.js'
import { judge } from './judge/judge.js'
import { formatPage } from './page.js'
import type { Installation } from './source/installation.js'

let database: TestDatabase
let bus: TestDatabase
let smtp: TestSmtpServer
beforeEach(async () => {
  database = await cloneTestDatabase('contract')
  bus = await cloneTestDatabase('bus', 'contract')
  smtp = await startSmtpServer(0, { offersLogin: true })
})
afterEach(async () => {
  await smtp.stop()
  await bus.drop()
  await database.drop()
})

const noDns = { resolveTxt: () => Promise.reject(Object.assign(new Error('no server'), { code: 'ECONNREFUSED' })) }

interface Given {
  url?: string
  ownerUrl?: string
  busUrl?: string
  smtpUrl?: string
}

/** The lines about databases and mail that are not ok, as `level subject: text`; all of them with `everything`. */
async function examine({ url, ownerUrl, busUrl, smtpUrl }: Given = {}, resolver = noDns) {
  const contract = { DATABASE_URL: url ?? database.url, BUS_DATABASE_URL: busUrl ?? bus.url }
  const notification = {
    SMTP_URL: smtpUrl ?? `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM_ADDRESS: 'sign@mail.paraph.test',
    MAIL_DOMAIN: 'mail.paraph.test',
    SHARE_BASE_URL: 'http://localhost:1',
  }
  const installation: Installation = {
    services: {
      contract: { given: contract, settings: contract },
      notification: { given: notification, settings: notification },
    },
    owners: { contract: ownerUrl ?? database.ownerUrl, bus: bus.ownerUrl },
    verifiers: {},
    isElsewhere: false,
  }
  const findings = judge(await collect(installation, resolver), new Date()).filter(({ subject }) =>
    /^(database|mail|clocks)/.test(subject),
  )
  const page = formatPage(findings, 0)
  for (const secret of ['127.0.0.1', 'sign@', 'postgres://', String(smtp.port)]) expect(page).not.toContain(secret)
  return findings.map(({ level, subject, found }) => `${level} ${subject}: ${found}`)
}
const wrong = async (...given: Parameters<typeof examine>) =>
  (await examine(...given)).filter((line) => !line.startsWith('ok') && !line.includes('mail domain'))

it('migrated databases with the roles of databases.sql, and an SMTP server, are ok', async () => {
  expect(await examine()).toEqual([
    expect.stringMatching(/^ok database contract: Postgres \d+, 2 logins, schema 0002_verify_views$/),
    expect.stringMatching(/^ok database bus: Postgres \d+, 2 logins, schema /),
    'ok mail server: answers',
    expect.stringContaining('mail domain'),
    "ok clocks: 5 clocks agree with the database's",
  ])
})

it('a wrong password is named by its setting', async () => {
  const url = new URL(database.url)
  url.password = 'another password'
  expect(await wrong({ url: url.href })).toEqual([
    'broken database contract: refuses the login (DATABASE_URL of contract, 28P01)',
  ])
})

it('a database that lacks a migration, or all of them, is not ready', async () => {
  await withClient(database.ownerUrl, (client) =>
    client.query(`delete from kysely_migration where name = '0002_verify_views'`),
  )
  expect(await wrong()).toEqual(['broken database contract: lacks the migration 0002_verify_views'])
  await withClient(database.ownerUrl, (client) => client.query('drop table kysely_migration'))
  expect(await wrong()).toEqual(['broken database contract: is not migrated'])
})

it('a bus that is not migrated is found by the login of a service, which cannot read its migrations [D50]', async () => {
  const empty = await cloneTestDatabase('contract')
  try {
    await withClient(empty.adminUrl, (client) => client.query('drop schema public cascade; create schema public'))
    expect(await wrong({ busUrl: empty.url })).toEqual(['broken database bus: is not migrated'])
  } finally {
    await empty.drop()
  }
})

it('a role with too many or too few rights is found', async () => {
  expect(await wrong({ url: database.adminUrl })).toEqual([
    expect.stringContaining('broken database contract: has a login with the rights of an administrator'),
  ])
  expect(await wrong({ url: database.ownerUrl })).toEqual([
    expect.stringContaining('broken database contract: belongs to the login of a service'),
  ])
  await withClient(database.ownerUrl, (client) => client.query('revoke select on contract from contract_runtime'))
  expect(await wrong()).toEqual([
    expect.stringContaining('broken database contract: has 1 tables that the service may not read'),
  ])
})

it('an SMTP server that is away, or that refuses the login, is broken [F6]', async () => {
  smtp.askForLogin('paraph:right')
  expect(await wrong({ smtpUrl: `smtp://paraph:wrong@127.0.0.1:${smtp.port}` })).toEqual([
    'broken mail server: refuses the login (smtp 535)',
  ])
  const { port } = smtp
  await smtp.stop()
  expect(await wrong({ smtpUrl: `smtp://127.0.0.1:${port}` })).toEqual([
    expect.stringMatching(/^broken mail server: does not answer \(.*ECONNREFUSED\)$/),
  ])
  smtp = await startSmtpServer(0)
})
