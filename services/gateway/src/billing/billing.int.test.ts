import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals'
import { refusalOf } from '@paraph/rpc/link'
import { APPLICATION, createConsoleVisitor } from '../../test/console-fixture.js'
import { startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'
import { eventOf, OLD_WEBHOOK_SECRET, PRICES, secondsAgo, signed, startStripe } from '../../test/stripe-fixture.js'
import { stripeSettings, subscription, type FarSubscription, type TestStripe } from '../../test/stripe-fixture.js'

let stripe: TestStripe
let gateway: TestGateway
beforeAll(async () => {
  stripe = await startStripe()
  gateway = await startTestGateway(stripeSettings(stripe.url))
})
afterEach(() => {
  stripe.far.failure = undefined
  stripe.far.beforeAnswer = undefined
})
afterAll(async () => {
  await gateway.stop()
  await stripe.stop()
})

const OWN = { 'sec-fetch-site': 'same-origin' }
const STATUS = '/api/external/v2/status'
let owners = 0

/** An owner whose account is approved. */
async function newOwner() {
  owners += 1
  const mailbox = `owner${owners}@example.test`
  const visitor = createConsoleVisitor(gateway)
  await visitor.signIn(mailbox)
  await visitor.submit('/console/application', APPLICATION)
  const [row] = await gateway.sql('select account_id as id from account_owner where mailbox = $1', [mailbox])
  const accountId = String(row!['id'])
  await gateway.sql('update account set approved_at = now() where id = $1', [accountId])
  return { visitor, accountId, mailbox }
}

/** An owner who is at Stripe's page. */
async function newPayer(tier = 'startup') {
  const owner = await newOwner()
  const { location } = await owner.visitor.get(`/console/plan/checkout/${tier}`, OWN)
  const [row] = await gateway.sql('select customer_id as id from billing_customer where account_id = $1', [
    owner.accountId,
  ])
  return { ...owner, location, customer: String(row!['id']) }
}

/** A payer with a plan and a key. */
async function newSubscriber(tier: keyof typeof PRICES = 'startup') {
  const payer = await newPayer(tier)
  const paid = subscription(payer.customer, PRICES[tier])
  stripe.far.subscriptions.push(paid)
  await send(eventOf('customer.subscription.created', paid))
  const { key } = await gateway.operator.key.create.mutate({
    accountId: payer.accountId,
    environment: 'live',
    scopes: ['contracts:read'],
  })
  const status = () => gateway.call('GET', STATUS, { key: key.secret })
  return { ...payer, paid, key: key.secret, status }
}

const post = (message: ReturnType<typeof signed>) =>
  gateway.call('POST', '/billing/stripe', { body: message.body, headers: message.headers })

async function send(event: object): Promise<void> {
  const { status, text } = await post(signed(event))
  expect(`${status} ${text}`).toBe('200 {"received":true}')
}

const planOf = async (accountId: string) => {
  const [row] = await gateway.sql(
    'select tier, subscription_status as status, period_end as "periodEnd" from account where id = $1',
    [accountId],
  )
  return row as { tier: string | null; status: string; periodEnd: Date | null }
}

const actsOf = async (accountId: string) =>
  (
    await gateway.sql(
      "select act, actor from audit_entry where account_id = $1 and act like 'subscription.%' order by id",
      [accountId],
    )
  ).map(({ act, actor }) => `${String(actor)} ${String(act)}`)

/** Changes what Stripe has. */
const change = (paid: FarSubscription, more: Partial<FarSubscription>) => Object.assign(paid, more)

it('the page of the plan leads to a Checkout page of Stripe, and a repeated click to the same [D74]', async () => {
  const { visitor, accountId, mailbox } = await newOwner()
  const page = await visitor.get('/console/plan')
  expect(page.body).toContain('href="/console/plan/checkout/growth"')
  expect(page.body).toContain('You pay at Stripe')

  const created = stripe.count('POST /v1/checkout/sessions')
  const clicks = await Promise.all([1, 2].map(() => visitor.get('/console/plan/checkout/growth', OWN)))
  clicks.push(await visitor.get('/console/plan/checkout/growth', OWN))
  expect(clicks.map(({ status }) => status)).toEqual([303, 303, 303])
  expect(new Set(clicks.map(({ location }) => location)).size).toBe(1)
  expect(clicks[0]!.location).toMatch(/^https:\/\/checkout\.stripe\.test\//)

  const asked = stripe.far.requests.filter(({ form }) => form.get('client_reference_id') === accountId)
  expect(Object.fromEntries(asked[0]!.form)).toMatchObject({
    mode: 'subscription',
    'line_items[0][price]': PRICES.growth,
    success_url: 'http://sign.test/console/plan?from=checkout',
    cancel_url: 'http://sign.test/console/plan',
  })
  expect(stripe.far.sessions.filter(({ url }) => url === clicks[0]!.location)).toHaveLength(1)
  expect(stripe.count('POST /v1/checkout/sessions') - created).toBeLessThanOrEqual(2)
  const customers = stripe.far.requests.filter(({ form }) => form.get('email') === mailbox)
  expect(new Set(customers.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
})

it('a Checkout page for another plan closes the first, so that only one can be paid [D74]', async () => {
  const { visitor, location } = await newPayer('startup')
  await visitor.get('/console/plan/checkout/growth', OWN)
  const states = stripe.far.sessions.slice(0, 2).map(({ status, metadata }) => `${metadata['price']} ${status}`)
  expect(states).toEqual([`${PRICES.growth} open`, `${PRICES.startup} expired`])
  // And back: a closed page is not shown again.
  const back = await visitor.get('/console/plan/checkout/startup', OWN)
  expect(back.location).toMatch(/^https:\/\/checkout/)
  expect(back.location).not.toBe(location)
})

it.each([
  ['a link of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a link of a sibling site', { 'sec-fetch-site': 'same-site' }],
  ['a typed address', { 'sec-fetch-site': 'none' }],
  ['an old browser on another site', { referer: 'https://evil.example/console/plan' }],
  ['an old browser that hides its page', {}],
])('%s begins no payment, and leads to the plans [D74]', async (_, headers) => {
  const { visitor, accountId } = await newOwner()
  const before = stripe.far.requests.length
  for (const path of ['/console/plan/checkout/growth', '/console/plan/portal']) {
    const answer = await visitor.get(path, headers)
    expect(`${answer.status} ${answer.location}`).toBe('303 /console/plan')
  }
  expect(stripe.far.requests.length).toBe(before)
  expect(await gateway.sql('select 1 from billing_customer where account_id = $1', [accountId])).toEqual([])
})

it('an old browser begins a payment from our own page [D74]', async () => {
  const { visitor } = await newOwner()
  const answer = await visitor.get('/console/plan/checkout/growth', { referer: 'http://sign.test/console/plan' })
  expect(answer.location).toMatch(/^https:\/\/checkout/)
})

it('an account pays only once it is approved, and for plans that have a price [D36, D38, D74]', async () => {
  const { visitor, accountId } = await newOwner()
  const before = stripe.far.requests.length
  for (const tier of ['enterprise', 'load', 'nothing'])
    expect((await visitor.get(`/console/plan/checkout/${tier}`, OWN)).location).toBe('/console/plan')
  await gateway.sql('update account set approved_at = null where id = $1', [accountId])
  expect((await visitor.get('/console/plan/checkout/growth', OWN)).location).toBe('/console/plan')
  expect(stripe.far.requests.length).toBe(before)
})

it('a signed event starts the plan once, with its audit entry and the limits of the plan [D74]', async () => {
  const { accountId, customer, visitor } = await newPayer('growth')
  const paid = subscription(customer, PRICES.growth)
  stripe.far.subscriptions.push(paid)
  const event = eventOf('checkout.session.completed', { id: 'cs_1', customer, subscription: paid.id })
  const message = signed(event)
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(message)))
  // A repetition is no fault.
  expect((await post(message)).status).toBe(200)
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  expect(await planOf(accountId)).toEqual({
    tier: 'growth',
    status: 'active',
    periodEnd: new Date(paid.items.data[0]!.current_period_end * 1_000),
  })
  expect(await actsOf(accountId)).toEqual(['service subscription.granted'])
  expect(await gateway.sql('select type from billing_event where account_id = $1', [accountId])).toEqual([
    { type: 'checkout.session.completed' },
  ])
  const page = await visitor.get('/console/plan')
  expect(page.body).toContain('Next payment')
  expect(page.body).toContain('Change to Startup')
})

it.each([
  ['no signature', (event: object) => ({ ...signed(event), headers: {} })],
  ['the secret of another', (event: object) => signed(event, { secret: 'whsec_other' })],
  ['an age of 6 minutes', (event: object) => signed(event, { timestamp: secondsAgo(0) - 360 })],
  [
    'another body',
    (event: object) => ({ ...signed(event), body: signed(event).body.replace('subscription', 'Subscription') }),
  ],
  [
    'a signature that is no text of Stripe',
    (event: object) => ({ ...signed(event), headers: { 'stripe-signature': 'v1=' } }),
  ],
])('an event with %s is refused with a sentence, and changes nothing [D74]', async (_, make) => {
  const { accountId, customer } = await newPayer()
  const paid = subscription(customer, PRICES.startup)
  stripe.far.subscriptions.push(paid)
  const before = stripe.far.requests.length
  const { status, json } = await post(make(eventOf('customer.subscription.created', paid)) as ReturnType<typeof signed>)
  expect(`${status} ${String(json['error'])}`).toMatch(
    /^400 The signature in Stripe-Signature is missing, wrong or older/,
  )
  expect(stripe.far.requests.length).toBe(before)
  expect((await planOf(accountId)).status).toBe('none')
})

it('during a rotation both secrets of the endpoint are accepted [D74]', async () => {
  const { accountId, customer } = await newPayer()
  stripe.far.subscriptions.push(subscription(customer, PRICES.startup))
  const event = eventOf('invoice.paid', { id: 'in_1', customer })
  expect((await post(signed(event, { secret: OLD_WEBHOOK_SECRET }))).status).toBe(200)
  expect((await planOf(accountId)).status).toBe('active')
})

it('events of other kinds, of other customers and without a customer are accepted and change nothing [D74]', async () => {
  const { customer } = await newPayer()
  const before = stripe.far.requests.length
  await send(eventOf('charge.succeeded', { id: 'ch_1', customer }))
  await send(eventOf('a.kind.of.the.future', { customer }))
  await send(eventOf('invoice.paid', { id: 'in_1', customer: 'cus_other' }))
  await send(eventOf('invoice.paid', { id: 'in_1', customer: null }))
  await send({ id: 'evt_1', type: 'invoice.paid' })
  expect(stripe.far.requests.length).toBe(before)
})

it('a body that is too long or is no JSON is refused', async () => {
  const long = signed({ id: 'x'.repeat(600_000) })
  expect((await post(long)).status).toBe(413)
  expect((await gateway.call('POST', '/billing/stripe', { body: '' })).status).toBe(400)
  expect((await gateway.call('GET', '/billing/stripe')).status).toBe(404)
})

it('the state that Stripe has counts, whatever order the events arrive in [D74]', async () => {
  const { accountId, customer } = await newPayer()
  const paid = subscription(customer, PRICES.startup)
  const created = eventOf('customer.subscription.created', { ...paid, status: 'incomplete' })
  const ended = eventOf('customer.subscription.deleted', { ...paid, status: 'canceled' })
  stripe.far.subscriptions.push(paid)
  // The end of an older subscription arrives first, and the beginning last.
  await send(ended)
  expect((await planOf(accountId)).status).toBe('active')
  await send(created)
  expect((await planOf(accountId)).status).toBe('active')
  change(paid, { status: 'canceled' })
  await send(eventOf('customer.subscription.updated', { ...paid, status: 'active' }))
  expect(await planOf(accountId)).toMatchObject({ tier: 'startup', status: 'ended', periodEnd: null })
  expect(await actsOf(accountId)).toEqual(['service subscription.granted', 'service subscription.ended'])
})

it('a state that was read earlier never replaces one that was read later [D74]', async () => {
  const { accountId, paid } = await newSubscriber('startup')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  let isFirst = true
  stripe.far.beforeAnswer = () => {
    if (!isFirst) return undefined
    isFirst = false
    isAsked()
    return held
  }
  const first = send(eventOf('customer.subscription.updated', paid))
  await asked
  paid.items.data[0]!.price.id = PRICES.growth
  await send(eventOf('customer.subscription.updated', paid))
  expect((await planOf(accountId)).tier).toBe('growth')
  release()
  await first
  expect((await planOf(accountId)).tier).toBe('growth')
})

it('a fault of Stripe is answered 5xx, so that Stripe repeats the event, which is then applied [D74]', async () => {
  const { accountId, customer } = await newPayer()
  stripe.far.subscriptions.push(subscription(customer, PRICES.startup))
  const event = eventOf('invoice.paid', { id: 'in_1', customer })
  stripe.far.failure = 500
  expect((await post(signed(event))).status).toBe(503)
  stripe.far.failure = 401
  expect((await post(signed(event))).status).toBe(500)
  expect(await gateway.sql('select 1 from billing_event where account_id = $1', [accountId])).toEqual([])
  stripe.far.failure = undefined
  await send(event)
  expect((await planOf(accountId)).status).toBe('active')
})

it('a subscription of Checkout at a price without a tier is a fault, and changes nothing [D74]', async () => {
  const { accountId, customer } = await newPayer()
  const metadata = { paraph_account: accountId }
  const unknown = subscription(customer, 'price_unknown', { metadata })
  stripe.far.subscriptions.push(unknown)
  expect((await post(signed(eventOf('customer.subscription.created', unknown)))).status).toBe(500)
  expect((await planOf(accountId)).status).toBe('none')
})

it('a change of the plan in the month changes the limits at once [D4, D74]', async () => {
  const { accountId, paid, status } = await newSubscriber('startup')
  expect((await status()).json['limits']).toEqual({ requestsPerMinute: 60, monthlyQuota: 5_000 })
  paid.items.data[0]!.price.id = PRICES.growth
  await send(eventOf('customer.subscription.updated', paid))
  await until(
    async () => JSON.stringify((await status()).json['limits']) === '{"requestsPerMinute":300,"monthlyQuota":25000}',
  )
  expect((await planOf(accountId)).tier).toBe('growth')
})

it('after a failed payment keys work for 7 days and then answer 403, until the payment arrives [D38, D74]', async () => {
  const { accountId, paid, status, key, visitor } = await newSubscriber('startup')
  const usage = async () => {
    const answer = await gateway.call('GET', '/api/external/v2/usage', { key })
    return `${answer.status} ${String(answer.json['code'] ?? 'served')}`
  }
  // The new period has begun, although its invoice is not paid.
  const at = secondsAgo(6.9)
  const [item] = paid.items.data
  Object.assign(item!, { current_period_start: at, current_period_end: at + 30 * 86_400 })
  change(paid, { status: 'past_due', latest_invoice: { id: 'in_2', created: at, due_date: null } })
  await send(eventOf('invoice.payment_failed', { id: 'in_2', customer: paid.customer }))
  await until(async () => (await status()).json['subscription'] !== undefined)
  await until(async () => JSON.stringify((await status()).json['subscription']).includes('past_due'))
  expect(await usage()).toBe('200 served')
  const page = await visitor.get('/console/plan')
  expect(page.body).toContain('Your payment is overdue')
  expect(page.body).toContain('Pay at Stripe')

  // A further unpaid invoice gives no further grace.
  await gateway.sql(
    "update billing_customer set unpaid_since = unpaid_since - interval '4 hours' where account_id = $1",
    [accountId],
  )
  change(paid, { status: 'unpaid', latest_invoice: { id: 'in_3', created: secondsAgo(0), due_date: null } })
  await send(eventOf('customer.subscription.updated', paid))
  await until(async () => (await usage()) === '403 subscription_inactive')

  change(paid, { status: 'active' })
  await send(eventOf('invoice.paid', { id: 'in_3', customer: paid.customer }))
  await until(async () => (await usage()) === '200 served')
  expect(
    (await gateway.sql('select unpaid_since from billing_customer where account_id = $1', [accountId]))[0],
  ).toEqual({ unpaid_since: null })
})

it('a cancelled plan stays until the end of its period and the page says so; then keys answer 403 [D74]', async () => {
  const { paid, status, visitor, key } = await newSubscriber('growth')
  change(paid, { cancel_at_period_end: true })
  await send(eventOf('customer.subscription.updated', paid))
  const page = await visitor.get('/console/plan')
  expect(page.body).toContain('You cancelled this plan.')
  expect(page.body).toContain('Ends on')
  expect((await status()).json['subscription']).toEqual({ tier: 'growth', status: 'active' })

  change(paid, { status: 'canceled' })
  await send(eventOf('customer.subscription.deleted', paid))
  await until(async () => (await gateway.call('GET', '/api/external/v2/usage', { key })).status === 403)
  const after = await visitor.get('/console/plan')
  expect(after.body).toContain('See receipts at Stripe')
  expect(after.body).toContain('href="/console/plan/checkout/growth"')
})

it('what Stripe gave only Stripe changes or ends, and Stripe ends nothing that an operator granted since [D74]', async () => {
  const { accountId, paid } = await newSubscriber('startup')
  const refusal = {
    code: 'invalid_request',
    message: 'This account pays through Stripe. Change or cancel its subscription in Stripe.',
  }
  const grant = () => gateway.operator.subscription.grant.mutate({ accountId, tier: 'enterprise' })
  expect(await grant().catch(refusalOf)).toMatchObject(refusal)
  expect(await gateway.operator.subscription.end.mutate({ accountId }).catch(refusalOf)).toMatchObject(refusal)

  const operator = createConsoleVisitor(gateway)
  await operator.signIn('operator@example.test')
  const shown = await operator.get(`/console/operator/accounts/${accountId}`)
  expect(shown.body).toContain(`https://dashboard.stripe.com/test/customers/${paid.customer}`)
  expect(shown.body).toContain('This account pays through Stripe.')
  expect(shown.body).not.toContain('Grant the subscription')

  change(paid, { status: 'canceled' })
  await send(eventOf('customer.subscription.deleted', paid))
  await grant()
  await send(eventOf('invoice.paid', { id: 'in_late', customer: paid.customer }))
  expect(await planOf(accountId)).toMatchObject({ tier: 'enterprise', status: 'active' })
})

it('an owner of a suspended account reaches the portal, to cancel, but no Checkout page [D37, D74]', async () => {
  const { accountId, visitor } = await newSubscriber('startup')
  await gateway.operator.account.suspend.mutate({ id: accountId })
  const portal = await visitor.get('/console/plan/portal', OWN)
  expect(portal.location).toBe('https://billing.stripe.test/p/portal')
  expect((await visitor.get('/console/plan/checkout/growth', OWN)).location).toBe('/console/plan')
  expect((await visitor.get('/console/plan')).body).not.toContain('/console/plan/checkout/')
})

it('who pays already confirms another plan in the portal, and pays no second subscription [D74]', async () => {
  const { visitor, paid } = await newSubscriber('startup')
  const sessions = stripe.far.sessions.length
  const other = await visitor.get('/console/plan/checkout/growth', OWN)
  expect(other.location).toBe(`https://billing.stripe.test/p/${PRICES.growth}`)
  expect((await visitor.get('/console/plan/checkout/startup', OWN)).location).toBe(
    'https://billing.stripe.test/p/portal',
  )
  change(paid, { status: 'past_due' })
  expect((await visitor.get('/console/plan/checkout/growth', OWN)).location).toBe(
    'https://billing.stripe.test/p/portal',
  )
  expect(stripe.far.sessions.length).toBe(sessions)
})

it('after the payment the page says that it is being confirmed, and shows the plan once Stripe has it [D74]', async () => {
  const { visitor, customer, accountId } = await newPayer('startup')
  const waiting = await visitor.get('/console/plan?from=checkout')
  expect(waiting.body).toContain('Stripe is confirming your payment.')
  expect(waiting.body).not.toContain('/console/plan/checkout/')
  stripe.far.failure = 500
  expect((await visitor.get('/console/plan?from=checkout')).body).toContain('Stripe is confirming your payment.')
  stripe.far.failure = undefined
  // No event came yet.
  stripe.far.subscriptions.push(subscription(customer, PRICES.startup))
  const back = await visitor.get('/console/plan?from=checkout')
  expect(`${back.status} ${back.location}`).toBe('303 /console/plan')
  expect((await planOf(accountId)).status).toBe('active')
  expect((await visitor.get('/console/plan')).body).not.toContain('confirming')
})

it('a customer that Stripe does not know is made anew at the next payment, and ends no plan [D74]', async () => {
  const { visitor, accountId, customer, paid } = await newSubscriber('startup')
  stripe.far.customers.delete(customer)
  await send(eventOf('customer.subscription.updated', paid))
  expect(await planOf(accountId)).toMatchObject({ tier: 'startup', status: 'active' })
  const answer = await visitor.get('/console/plan/checkout/growth', OWN)
  expect(answer.location).toMatch(/^https:\/\/checkout/)
  const [row] = await gateway.sql('select customer_id as id from billing_customer where account_id = $1', [accountId])
  expect(row!['id']).not.toBe(customer)
})

it('no error of Stripe reaches a page with its text [D74]', async () => {
  const { visitor } = await newPayer()
  stripe.far.failure = 400
  const { status, body } = await visitor.get('/console/plan/portal', OWN)
  expect(status).toBe(500)
  expect(body).not.toContain('api_error')
})

it('without a payment provider there is no endpoint and no link, and the plans are as before [D74]', async () => {
  const manual = await startTestGateway()
  try {
    const message = signed(eventOf('invoice.paid', { id: 'in_1', customer: 'cus_1' }))
    expect((await manual.call('POST', '/billing/stripe', message)).status).toBe(404)
    const visitor = createConsoleVisitor(manual)
    await visitor.signIn('owner@example.test')
    await visitor.submit('/console/application', APPLICATION)
    await manual.sql('update account set approved_at = now()')
    const { body } = await visitor.get('/console/plan')
    expect(body).not.toContain('Stripe')
    expect(body).not.toContain('/console/plan/checkout')
    for (const path of ['/console/plan/checkout/growth', '/console/plan/portal'])
      expect((await visitor.get(path, OWN)).location).toBe('/console/plan')
  } finally {
    await manual.stop()
  }
})
