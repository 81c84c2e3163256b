import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { pruneBatch } from '@paraph/database/retention'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { FROM_ADDRESS, MAIL_SETTINGS } from '../test/mail-fixture.js'
import type { ClaimedDelivery } from './database.js'
import { RETENTION } from './retention.js'
import { createMailer, type Mail } from './smtp/mailer.js'
import { readSmtpUrl } from './smtp/smtp-url.js'
import { createTestMailbox, type TestMailbox } from './test-mailbox.js'

const logger = createLogger('test', 'silent')
const keys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)
const MAIL: Mail = {
  messageId: 'invitation.contract-1.0.1@mail.example.test',
  fromName: 'Nordic Foods via Paraph',
  to: { name: 'Noor Ahmed', address: 'noor@no-such-domain.test' },
  replyTo: undefined,
  subject: '[TEST] Contract to sign',
  text: 'The link: https://sign.example.test/contract/secret',
  html: '<p>The link</p>',
}

let clone: TestDatabase
let database: Kysely<unknown>
let mailbox: TestMailbox
beforeAll(async () => {
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger))
  const mailer = createMailer({
    smtp: readSmtpUrl('smtp://127.0.0.1:1'),
    fromAddress: FROM_ADDRESS,
    domain: MAIL_SETTINGS.mailDomain,
    connections: 1,
  })
  mailbox = createTestMailbox({ database, keys, rawOf: mailer.rawOf, sends: false })
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

const delivery = (id: number) =>
  ({ id, kind: 'invitation', contractId: 'contract-1', partyIndex: 0 }) as ClaimedDelivery

it('the owner of a sandbox contract reads its mail once, whole, and nobody else does [D64]', async () => {
  await mailbox.keep(delivery(1), MAIL, 'account-1')
  await mailbox.keep(delivery(1), { ...MAIL, subject: 'of a second attempt' }, 'account-1')
  const [listed, ...others] = await mailbox.list('account-1')
  expect(others).toEqual([])
  expect(listed).toMatchObject({ contractId: 'contract-1', to: MAIL.to.address, subject: MAIL.subject })
  const { text, html, raw } = await mailbox.read('account-1', listed!.id)
  expect({ text, html }).toEqual({ text: MAIL.text, html: MAIL.html })
  const lines = Buffer.from(raw, 'base64').toString().split('\r\n')
  expect(lines).toContain('Message-ID: <invitation.contract-1.0.1@mail.example.test>')
  expect(lines).toContain(`From: ${MAIL.fromName} <${FROM_ADDRESS}>`)
  expect(await mailbox.list('account-2')).toEqual([])
  await expect(mailbox.read('account-2', listed!.id)).rejects.toMatchObject({ code: 'not_found' })
})

it('the table holds no address and no text of a test mail, and forgets the mail after 24 hours [D64, I14]', async () => {
  await mailbox.keep(delivery(2), MAIL, 'account-3')
  const { rows } = await sql<{ row: string }>`select test_mail::text as row from test_mail where id = 2`.execute(
    database,
  )
  const [{ row } = { row: '' }] = rows
  const bytes = Buffer.from(/\\x([0-9a-f]+)/.exec(row)?.[1] ?? '', 'hex').toString('latin1')
  for (const text of [row, bytes]) expect(text).not.toMatch(/noor|secret|TEST/)
  const age = (interval: string) =>
    sql`update test_mail set created_at = clock_timestamp() - ${interval}::interval where id = 2`.execute(database)
  const retention = RETENTION.pruned.find(({ table }) => table === 'test_mail')!
  await age('23 hours')
  await pruneBatch(database, retention)
  expect(await mailbox.list('account-3')).toHaveLength(1)
  await age('24 hours 1 second')
  await pruneBatch(database, retention)
  expect(await mailbox.list('account-3')).toEqual([])
})
