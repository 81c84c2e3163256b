// `paraph audit verify` on entries that the gateway wrote and chained. [P35, I15]
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { recordAct } from '@paraph/gateway/accounts/audit'
import { createAuditChain } from '@paraph/gateway/accounts/audit-chain'
import type { GatewayDatabase } from '@paraph/gateway/database'
import { createLogger } from '@paraph/telemetry/logger'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { Kysely } from 'kysely'
import type { AuditReport } from '@paraph/verify/verify-audit'
import type { LauncherConfig } from '../config.js'
import { auditVerifyCommand } from './verify.js'

const logger = createLogger('gateway', 'silent')

let clone: TestDatabase
let database: Kysely<GatewayDatabase>

beforeEach(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, logger))
  await act(5)
})
afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

const chain = () => createAuditChain({ database, secret: 'a secret', logger }).next()
async function act(count: number): Promise<void> {
  await database.transaction().execute(async (trx) => {
    for (let each = 0; each < count; each++)
      await recordAct(trx, {
        actor: { kind: 'owner', mailbox: 'owner@nordicfoods.example' },
        act: 'account.changed',
        accountId: 'acc_1',
        facts: { senderName: 'Nordic' },
      })
  })
  await chain()
}
async function verify(known?: string) {
  const command = auditVerifyCommand
  if (!('runAlone' in command)) throw new Error('the command needs a service')
  const verifyUrls = Object.fromEntries(
    ['gateway', 'contract', 'signing', 'notification'].map((name) => [name, clone.adminUrl]),
  )
  const { isWell, text, answer } = await command.runAlone(
    { verifyUrls, dataFolder: '' } as unknown as LauncherConfig,
    known === undefined ? {} : { known },
  )
  return { isWell, text, report: answer as AuditReport }
}
/** Changes rows as an administrator of the database can: without triggers. */
const tamper = (statement: string) =>
  withClient(clone.adminUrl, (client) => client.query(`set session_replication_role = replica; ${statement}`))

it('the command prints number and hash of the newest entry, and finds a hash that it printed before', async () => {
  const first = await verify()
  expect(first).toMatchObject({ isWell: true, report: { sequence: 5, violations: [] } })
  expect(first.text).toContain(`Entry 5 has the hash ${first.report.hash}`)
  await act(2)
  const later = await verify(first.report.hash)
  expect(later).toMatchObject({ isWell: true, report: { sequence: 7, known: 5 } })
  expect(later.text).not.toMatch(/nordic/i)
  await expect(verify('yesterday')).rejects.toThrow('--known must be a hash')
})

it.each([
  [
    'a mailbox',
    `update audit_entry set mailbox = 'other@nordicfoods.example' where id = 3`,
    'does not match its entry',
  ],
  ['a fact', `update audit_entry set facts = '{}' where id = 3`, 'does not match its entry'],
  ['an account', `update audit_entry set account_id = 'acc_2' where id = 3`, 'does not match its entry'],
  ['the time', `update audit_entry set at = at - interval '1 day' where id = 3`, 'does not match its entry'],
  ['a removed entry', 'delete from audit_entry where id = 3', 'does not match its entry'],
  [
    'a removed entry and its link',
    'delete from audit_entry where id = 3; delete from audit_chain where sequence = 3',
    'follows a gap',
  ],
  [
    'a changed hash',
    `update audit_chain set hash = previous where sequence = 3`,
    'does not hold the hash of the row before',
  ],
])('the command finds %s', async (_, statement, fault) => {
  await tamper(statement)
  const { isWell, text } = await verify()
  expect(isWell).toBe(false)
  expect(text).toContain(fault)
})

it('the command reports an entry that no gateway chains, as late', async () => {
  await tamper(
    `insert into audit_entry (actor, act, at) values ('service', 'account.created', now() - interval '2 minutes')`,
  )
  expect((await verify()).report.violations).toMatchObject([{ kind: 'late', fault: 'is not in the audit chain' }])
  await chain()
  expect((await verify()).isWell).toBe(true)
})

it('a hash that was kept elsewhere shows that the newest entries were removed, or that the chain was written anew', async () => {
  const { hash } = (await verify()).report
  await tamper('delete from audit_chain where sequence > 3; delete from audit_entry where id > 3')
  expect(await verify()).toMatchObject({ isWell: true })
  expect(await verify(hash)).toMatchObject({ isWell: false, report: { known: null } })
  await tamper(`truncate audit_chain; update audit_entry set mailbox = 'other@nordicfoods.example'`)
  await chain()
  expect(await verify()).toMatchObject({ isWell: true })
  expect(await verify(hash)).toMatchObject({ isWell: false })
})
