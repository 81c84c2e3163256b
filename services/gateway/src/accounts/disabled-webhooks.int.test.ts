import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { NO_NOTIFIERS } from '../../test/gateway-fixture.js'
import type { GatewayDatabase } from '../database.js'
import { createAccountStore } from './account-store.js'
import { COMMAND_LINE, listActs } from './audit.js'
import { createDisabledWebhooks } from './disabled-webhooks.js'

type Webhooks = Parameters<typeof createDisabledWebhooks>[0]['webhooks']

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, { warn: () => undefined }))
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

it('the owners get one mail about a disabled endpoint, also if the report to notification fails or two gateways report it [D65]', async () => {
  const accounts = createAccountStore({ database, ...NO_NOTIFIERS })
  const owner = { name: 'Nordic Foods Ltd.', email: 'owner@example.test', tier: 'growth' } as const
  const { id: accountId } = await accounts.create(owner, COMMAND_LINE)
  let [failures, isReported] = [1, false]
  const disabled = { id: 'hook_1', accountId, environment: 'production', disabledAt: '2026-11-24T12:00:00.000Z' }
  const webhooks = {
    disabled: { query: () => Promise.resolve(isReported ? [] : [disabled]) },
    reported: {
      mutate: async () => {
        failures -= 1
        if (failures >= 0) throw new Error('notification stopped')
        isReported = true
      },
    },
  } as unknown as Webhooks
  const logger = createLogger('gateway', 'silent')
  const loops = [1, 2].map(() => createDisabledWebhooks({ database, webhooks, triggerMails: () => undefined, logger }))
  for (const loop of loops) loop.start()
  await waitFor(() => {
    for (const loop of loops) loop.wake()
    expect(isReported).toBe(true)
  })
  for (const loop of loops) await loop.stop()
  const mails = await sql`select 1 from owner_mail where kind = 'webhook_disabled'`.execute(database)
  expect(mails.rows).toHaveLength(1)
  const { entries } = await listActs(database, { accountId })
  expect(entries.filter(({ act }) => act === 'webhook.disabled')).toMatchObject([
    { actor: 'service', subject: 'hook_1' },
  ])
})
