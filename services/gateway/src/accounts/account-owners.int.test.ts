import type { AccountRole } from '@paraph/protocol/account-role'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createAccountOwners, OWNERS_MAX, type AccountOwners } from './account-owners.js'
import { createAccountStore } from './account-store.js'
import { COMMAND_LINE } from './audit.js'
import type { GatewayDatabase } from '../database.js'
import { NO_NOTIFIERS } from '../../test/gateway-fixture.js'

const logger = createLogger('gateway', 'silent')
const OWNER = { kind: 'owner', mailbox: 'owner@nordicfoods.example' } as const

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
let owners: AccountOwners
let accountId: string
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, logger))
  owners = createAccountOwners({ database, ...NO_NOTIFIERS })
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})
beforeEach(async () => {
  const account = { name: 'Nordic Foods Ltd.', email: OWNER.mailbox, tier: 'growth' }
  accountId = (await createAccountStore({ database, ...NO_NOTIFIERS }).create(account, COMMAND_LINE)).id
})

it('owners cannot send mail in the name of an account that is not approved [D36]', async () => {
  await database.updateTable('account').set({ approved_at: null }).where('id', '=', accountId).execute()
  expect(await invite('victim@example.test')).toBe('not_approved')
  expect([await mailed(), (await owners.list(accountId)).length]).toEqual([0, 1])
})

it('owners can send a mailbox one mail a day, even if they remove it and invite it again, in any spelling [D14, D24]', async () => {
  expect(await invite('victim@example.test')).toBe('invited')
  expect(await invite('victim@example.test')).toBe('owns_already')
  await owners.remove(accountId, 'victim@example.test', OWNER)
  expectWithMessage(await invite('Victim@EXAMPLE.test'), 'the earlier mail is still valid').toBe('invited')
  expect(await mailed()).toBe(1)
  expect(await invite(OWNER.mailbox)).toBe('owns_already')
})

it('owners can invite at most 20 mailboxes a day, including mailboxes that they removed again [D24]', async () => {
  const answers = []
  for (let n = 0; n < 22; n += 1) {
    answers.push(await invite(`stranger${n}@example.test`))
    await owners.remove(accountId, `stranger${n}@example.test`, OWNER)
  }
  expect(answers.filter((outcome) => outcome === 'invited')).toHaveLength(20)
  expect(answers.slice(20)).toEqual(['too_many_today', 'too_many_today'])
  expect(await mailed()).toBe(20)
})

it('an account has at most 20 owners, including invited mailboxes, even with concurrent invitations', async () => {
  const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => invite(`colleague${n}@example.test`)))
  expect(answers.filter((outcome) => outcome === 'invited')).toHaveLength(OWNERS_MAX - 1)
  expect(answers.filter((outcome) => outcome === 'full')).toHaveLength(6)
})

const invite = (address: string, role: AccountRole = 'owner') => owners.invite(accountId, { address, role }, OWNER)

async function mailed(): Promise<number> {
  const { rows } =
    await sql`select 1 from owner_mail where account_id = ${accountId} and kind = 'owner_invited'`.execute(database)
  return rows.length
}

describe('the mails to every owner about owners [P33]', () => {
  const [second, third] = ['second@nordicfoods.example', 'third@nordicfoods.example']

  it.each<[string, () => Promise<unknown>, string, string[]]>([
    ['is invited', () => invite(third), 'invited', [OWNER.mailbox, second]],
    [
      'joins',
      async () => {
        await invite(third)
        await owners.answerInvitation(accountId, third, true)
      },
      'joined',
      [OWNER.mailbox, second, third],
    ],
    [
      'declines',
      async () => {
        await invite(third)
        await owners.answerInvitation(accountId, third, false)
      },
      'declined',
      [OWNER.mailbox, second],
    ],
    ['is removed', () => owners.remove(accountId, second, OWNER), 'removed', [OWNER.mailbox, second]],
    [
      'leaves',
      () => owners.remove(accountId, second, { kind: 'owner', mailbox: second }),
      'left',
      [OWNER.mailbox, second],
    ],
  ])('go out when one %s', async (_, act, change, recipients) => {
    await invite(second)
    await owners.answerInvitation(accountId, second, true)
    await act()
    const { rows } = await sql<{ address: string; data: { owner: string; by: string } }>`
      select address, data from owner_mail
       where account_id = ${accountId} and kind = 'owners_changed' and data ->> 'change' = ${change}
         and not (data ->> 'owner' = ${second} and data ->> 'change' in ('invited', 'joined'))`.execute(database)
    expect(rows.map(({ address }) => address).toSorted()).toEqual(recipients.toSorted())
    const by = { invited: OWNER.mailbox, removed: OWNER.mailbox, left: second }[change] ?? third
    expect(new Set(rows.map(({ data }) => data.by))).toEqual(new Set([by]))
  })
})

it('an export is mailed to every owner once a person and day, and refused beyond six an hour [P33, P34]', async () => {
  const accounts = createAccountStore({ database, ...NO_NOTIFIERS })
  const account = { id: accountId, name: 'Nordic Foods Ltd.' }
  const second = { kind: 'owner', mailbox: 'second@nordicfoods.example' } as const
  await invite(second.mailbox)
  await owners.answerInvitation(accountId, second.mailbox, true)
  for (let n = 0; n < 3; n += 1)
    for (const actor of [OWNER, second]) expect(await accounts.recordExport(account, actor)).toBeNull()
  const refused = await accounts.recordExport(account, OWNER)
  const { rows } = await sql<{ exports: number; mails: number; isNext: boolean }>`
    select (select count(*)::int from owner_mail where account_id = ${accountId} and kind = 'account_exported') as mails,
           count(*)::int as exports, min(at) + interval '1 hour' = ${refused} as "isNext"
      from audit_entry where account_id = ${accountId} and act = 'account.exported'`.execute(database)
  expect(rows).toEqual([{ exports: 6, mails: 4, isNext: true }])
})

it('downloads of evidence leave one entry a mailbox, contract and day [P34]', async () => {
  const accounts = createAccountStore({ database, ...NO_NOTIFIERS })
  for (let n = 0; n < 3; n += 1)
    for (const subject of ['contract-1', 'contract-2']) await accounts.recordDownload(accountId, OWNER, subject)
  await accounts.recordDownload(accountId, { kind: 'owner', mailbox: 'second@nordicfoods.example' }, 'contract-1')
  const { rows } = await sql<{ subject: string; mailbox: string }>`
    select subject, mailbox from audit_entry where account_id = ${accountId} and act = 'evidence.downloaded' order by id`.execute(
    database,
  )
  expect(rows).toEqual([
    { subject: 'contract-1', mailbox: OWNER.mailbox },
    { subject: 'contract-2', mailbox: OWNER.mailbox },
    { subject: 'contract-1', mailbox: 'second@nordicfoods.example' },
  ])
})
