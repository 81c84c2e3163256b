import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { NO_NOTIFIERS } from '../../test/gateway-fixture.js'
import type { GatewayDatabase } from '../database.js'
import { createAccountStore } from './account-store.js'
import { COMMAND_LINE } from './audit.js'
import { createOwnerNotices } from './owner-notices.js'

type Deps = Parameters<typeof createOwnerNotices>[0]
type Kind = 'invitation_refused' | 'party_declined' | 'contract_completed' | 'contract_expired'

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
let accountId: string
/** The notices of the notification service that are not reported. */
let waiting: { id: number; accountId: string; contractId: string; kind: Kind }[]
let failures: number
beforeEach(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, { warn: () => undefined }))
  const accounts = createAccountStore({ database, ...NO_NOTIFIERS })
  const owner = { name: 'Nordic Foods Ltd.', email: 'owner@example.test', tier: 'growth' } as const
  accountId = (await accounts.create(owner, COMMAND_LINE)).id
  // No summary is due.
  await sql`update account set summary_at = now() + interval '1 hour'`.execute(database)
  waiting = []
  failures = 0
})
afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

const notices = {
  waiting: {
    query: ({ kinds, accountIds }: { kinds: Kind[]; accountIds?: string[] }) =>
      Promise.resolve(
        [...Map.groupBy(waiting, (each) => `${each.accountId} ${each.kind}`).values()].flatMap((group) => {
          const { accountId: account, kind } = group[0]!
          if (!kinds.includes(kind) || accountIds?.includes(account) === false) return []
          const first = group.slice(0, 11).map(({ id, contractId }) => ({ id, contractId }))
          return [{ accountId: account, kind, count: group.length, upTo: group.at(-1)!.id, first }]
        }),
      ),
  },
  report: {
    mutate: async ({ kind, upTo }: { kind: Kind; upTo: number }) => {
      if (failures > 0) {
        failures -= 1
        throw new Error('notification stopped')
      }
      waiting = waiting.filter((each) => each.kind !== kind || each.id > upTo)
    },
  },
} as unknown as Deps['notices']

const add = (kind: Kind, count = 1) => {
  for (let n = 0; n < count; n += 1)
    waiting.push({ id: waiting.length + 1 + Math.floor(performance.now()) * 1_000, accountId, contractId: 'c1', kind })
}

/** Runs rounds of two gateways until `isDone`. */
async function mailUntil(isDone: () => Promise<boolean> | boolean): Promise<void> {
  const logger = createLogger('gateway', 'silent')
  const numberOf = () => Promise.resolve('EXT-20261128-AAAAAAAA')
  const loops = [1, 2].map(() =>
    createOwnerNotices({ database, notices, numberOf, triggerMails: () => undefined, logger }),
  )
  for (const loop of loops) loop.start()
  await waitFor(async () => {
    for (const loop of loops) loop.wake()
    expect(await isDone()).toBe(true)
  })
  for (const loop of loops) await loop.stop()
}

async function mails(): Promise<string[]> {
  const { rows } = await sql<{ kind: string; data: Record<string, unknown> }>`
    select kind, data from owner_mail where kind <> 'key_created' order by created_at, id`.execute(database)
  return rows.map(({ kind, data: { accountName: _, contractNumber: __, ...rest } }) =>
    [kind, ...Object.entries(rest).map((entry) => entry.join('='))].join(' '),
  )
}
const set = (change: string) => sql`update account set ${sql.raw(change)}`.execute(database)

it('owners are mailed at once that a party declined, once, also if the report fails or two gateways mail [D70]', async () => {
  add('party_declined', 2)
  failures = 3
  await mailUntil(() => waiting.length === 0)
  expect(await mails()).toEqual(['party_declined', 'party_declined'])
})

it('the eleventh and further refused invitations of an hour share one mail when the hour is over [D70]', async () => {
  add('invitation_refused', 10)
  await mailUntil(() => waiting.length === 0)
  expect(await mails()).toHaveLength(10)
  add('invitation_refused', 25)
  add('party_declined')
  await mailUntil(() => !waiting.some(({ kind }) => kind === 'party_declined'))
  expect(waiting).toHaveLength(25)
  await set('name = name')
  await sql`update owner_mail set created_at = created_at - interval '61 minutes'`.execute(database)
  await mailUntil(() => waiting.length === 0)
  expect((await mails()).toSorted().at(-2)).toBe('invitations_refused count=25')
})

it('the summary of a morning counts what was completed and expired; an account without anything gets none [D70]', async () => {
  add('contract_completed', 12)
  add('contract_expired', 3)
  await set("summary_at = now() - interval '1 second'")
  failures = 1
  await mailUntil(() => waiting.length === 0)
  expect(await mails()).toEqual(['daily_summary expired=3 completed=12'])
  await set("summary_at = now() - interval '1 second'")
  await mailUntil(
    async () => (await sql`select 1 from account where summary_at > now()`.execute(database)).rows.length === 1,
  )
  expect(await mails()).toHaveLength(1)
})

it('a new account hears of its first contracts in the morning, not at once [D70]', async () => {
  add('contract_completed')
  await set('summary_at = null')
  await mailUntil(
    async () => (await sql`select 1 from account where summary_at > now()`.execute(database)).rows.length === 1,
  )
  expect([await mails(), waiting.length]).toEqual([[], 1])
})

it('each account hears what it wishes [D70]', async () => {
  await set("mails_refused = false, mails_declined = false, mails_completed = 'each', mails_expired = false")
  for (const kind of ['invitation_refused', 'party_declined', 'contract_completed', 'contract_expired'] as const)
    add(kind)
  await mailUntil(() => waiting.length === 1)
  await set("summary_at = now() - interval '1 second'")
  await mailUntil(() => waiting.length === 0)
  expect(await mails()).toEqual(['contract_completed'])
})
