import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { NO_NOTIFIERS } from '../../test/gateway-fixture.js'
import { PRICES, startStripe, stripeSettings, subscription } from '../../test/stripe-fixture.js'
import type { GatewayDatabase } from '../database.js'
import { createBillingStore } from './billing-store.js'
import { createBilling } from './billing.js'
import { createStripe } from './stripe.js'

const logger = createLogger('gateway', 'silent')
let clone: Awaited<ReturnType<typeof cloneTestDatabase>>
let pool: ReturnType<typeof openPool>
let stripe: Awaited<ReturnType<typeof startStripe>>
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  pool = openPool(clone.url, logger, { max: 4 })
  stripe = await startStripe()
})
afterAll(async () => {
  await stripe.stop()
  await pool.end()
  await clone.drop()
})

it('an account whose events were lost is brought to what Stripe has within a day, or within minutes after its period [D74]', async () => {
  const settings = stripeSettings(stripe.url)
  const provider = createStripe(
    {
      secretKey: settings.STRIPE_SECRET_KEY,
      webhookSecrets: settings.STRIPE_WEBHOOK_SECRET,
      prices: settings.STRIPE_PRICES,
      apiUrl: stripe.url,
    },
    'https://sign.test/console/plan',
  )
  const database = createDatabase<GatewayDatabase>(pool)
  const store = createBillingStore({ database, ...NO_NOTIFIERS })
  const add = async (id: string, { periodEnd, checkedAt }: { periodEnd: string; checkedAt: string }) => {
    await pool.query(
      `insert into account (id, name, tier, subscription_status, period_end, approved_at)
       values ($1, $1, 'startup', 'active', now() + $2::interval, now())`,
      [id, periodEnd],
    )
    await pool.query(
      `insert into billing_customer (account_id, customer_id, status, is_open, checked_at)
       values ($1, 'cus_' || $1, 'active', true, now() - $2::interval)`,
      [id, checkedAt],
    )
    stripe.far.customers.add(`cus_${id}`)
    stripe.far.subscriptions.push(subscription(`cus_${id}`, PRICES.growth))
  }
  // Whose price no setting knows comes first, and stops no other.
  await add('fault', { periodEnd: '10 days', checkedAt: '26 hours' })
  Object.assign(
    stripe.far.subscriptions[0]!,
    subscription('cus_fault', 'price_x', { metadata: { paraph_account: 'x' } }),
  )
  await add('day', { periodEnd: '10 days', checkedAt: '25 hours' })
  await add('over', { periodEnd: '-1 minute', checkedAt: '11 minutes' })
  await add('lately', { periodEnd: '10 days', checkedAt: '23 hours' })
  await add('over_lately', { periodEnd: '-1 minute', checkedAt: '9 minutes' })
  expect(await store.due()).toEqual(['fault', 'day', 'over'])

  const billing = createBilling({ provider, store, logger })
  billing.checks.start()
  const tiers = async () => {
    const { rows } = await pool.query<{ id: string }>("select id from account where tier = 'growth' order by id")
    return rows.map(({ id }) => id)
  }
  await waitFor(async () => expect(await tiers()).toEqual(['day', 'over']))
  await billing.checks.stop()
  expect(await store.due()).toEqual([])
  billing.close()
})
