// The requests to Stripe against stripe-mock, which refuses parameters that Stripe's own description does not have. Needs stripe-mock.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { Stripe } from 'stripe'
import { startStripeMock } from '../../test/stripe-mock-fixture.js'
import { parsePrices } from './prices.js'
import { createStripe } from './stripe.js'

const SECRET_KEY = 'sk_test_0123'
let mock: Awaited<ReturnType<typeof startStripeMock>>
/** The price of the sample subscription. */
let price: string
beforeAll(async () => {
  mock = await startStripeMock()
  const { hostname, port } = new URL(mock.url)
  const client = new Stripe(SECRET_KEY, { host: hostname, port, protocol: 'http', telemetry: false })
  const { data } = await client.subscriptions.list({ limit: 1 })
  price = data[0]!.items.data[0]!.price.id
})
afterAll(() => mock.stop())

function providerWith(prices: string) {
  const settings = { secretKey: SECRET_KEY, webhookSecrets: ['whsec_1'], apiUrl: mock.url }
  return createStripe({ ...settings, prices: parsePrices(prices) }, 'https://sign.test/console/plan')
}
const PAYER = { accountId: 'acc_1', accountName: 'Nordic Foods Ltd.', mailbox: 'owner@example.test' }

it('Stripe accepts the requests for a customer and for its portal [D74]', async () => {
  const provider = providerWith(`${price}=startup`)
  const customer = await provider.createCustomer(PAYER, undefined)
  expect(customer).toMatch(/^cus_/)
  expect(await provider.createCustomer(PAYER, customer)).toMatch(/^cus_/)
  expect(await provider.portalUrl(customer)).toMatch(/^https:\/\//)
  provider.close()
})

it('Stripe accepts the request for a Checkout page of a customer without a subscription [D74]', async () => {
  const provider = providerWith('price_other=startup')
  expect(await provider.readSubscription('cus_1')).toBeUndefined()
  // The sample of stripe-mock has no page; Stripe's has one.
  const outcome = await provider.planUrl('cus_1', 'acc_1', 'startup').catch((error: Error) => error.message)
  expect(outcome).toMatch(/^https:\/\/|^Stripe made a Checkout session without a page$/)
  provider.close()
})

it('Stripe accepts the request to change the plan, and its sample of a subscription is understood [D74]', async () => {
  const provider = providerWith(`${price}=startup,price_other=growth`)
  expect(await provider.readSubscription('cus_1')).toMatchObject({ tier: 'startup', periodEnd: expect.any(Date) })
  expect(await provider.planUrl('cus_1', 'acc_1', 'growth')).toMatch(/^https:\/\//)
  provider.close()
})
