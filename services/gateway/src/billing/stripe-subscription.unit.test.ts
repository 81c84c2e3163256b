import { expect, it } from '@jest/globals'
import type { Stripe } from 'stripe'
import { PRICES, secondsAgo, subscription, type FarSubscription } from '../../test/stripe-fixture.js'
import { planStateOf } from './plan-state.js'
import { parsePrices } from './prices.js'
import { isOpen, PROVIDER_STATUSES, type ProviderStatus } from './provider.js'
import { subscriptionThatCounts } from './stripe-subscription.js'

const prices = parsePrices(`${PRICES.startup}=startup,${PRICES.growth}=growth`)
const END = secondsAgo(-10)
const DUE = secondsAgo(3)
const instant = (seconds: number) => new Date(seconds * 1_000)
const NOTHING = { isOpen: false, unpaidSince: null }
const OPEN = { isOpen: true, unpaidSince: null }

const found = (...subscriptions: FarSubscription[]) =>
  subscriptionThatCounts(subscriptions as unknown as Stripe.Subscription[], prices)
const one = (status: string, more: Parameters<typeof subscription>[2] = {}) =>
  subscription('cus_1', PRICES.growth, { status, periodEnd: END, ...more })
const planAt = (status: ProviderStatus, kept = OPEN) =>
  planStateOf(found(one(status, { latest_invoice: { id: 'in_1', created: DUE, due_date: null } }))!, kept)

it('each state of Stripe gives what the decision says [D74]', () => {
  const active = { tier: 'growth', status: 'active', periodEnd: instant(END) }
  const overdue = { ...active, periodEnd: instant(DUE) }
  const ended = { tier: 'growth', status: 'ended', periodEnd: null }
  const plans: Record<ProviderStatus, object | undefined> = {
    active,
    trialing: active,
    past_due: overdue,
    unpaid: overdue,
    paused: ended,
    canceled: ended,
    incomplete: undefined,
    incomplete_expired: undefined,
  }
  for (const status of PROVIDER_STATUSES) expect({ [status]: planAt(status) }).toEqual({ [status]: plans[status] })
})

it('what was not open before ends nothing [D74]', () => {
  for (const status of ['paused', 'canceled', 'incomplete', 'incomplete_expired'] as const)
    expect({ [status]: planAt(status, NOTHING) }).toEqual({ [status]: undefined })
})

it('a subscription that can still be charged is open [D74]', () => {
  expect(PROVIDER_STATUSES.filter(isOpen)).toEqual(['active', 'trialing', 'past_due', 'unpaid', 'paused'])
})

it('the grace counts from the due date of the first invoice that is not paid [D74]', () => {
  const invoice = { id: 'in_1', created: secondsAgo(40), due_date: DUE }
  expect(planStateOf(found(one('past_due', { latest_invoice: invoice }))!, OPEN)?.periodEnd).toEqual(instant(DUE))
  const earlier = instant(secondsAgo(20))
  expect(planAt('past_due', { isOpen: true, unpaidSince: earlier } as never)?.periodEnd).toEqual(earlier)
  // Without an invoice, from the begin of the period.
  const none = found(one('past_due', { latest_invoice: null }))!
  expect(planStateOf(none, OPEN)?.periodEnd).toEqual(instant(END - 30 * 86_400))
})

it('a cancellation takes effect at its date, or at the end of the period [D74]', () => {
  expect(found(one('active'))?.cancelAt).toBeNull()
  expect(found(one('active', { cancel_at_period_end: true }))?.cancelAt).toEqual(instant(END))
  expect(found(one('active', { cancel_at: DUE, cancel_at_period_end: true }))?.cancelAt).toEqual(instant(DUE))
})

it('of several subscriptions the one counts that gives most, and of equals the newest [D74]', () => {
  const old = one('active', { id: 'sub_old', created: 1 })
  const newer = one('active', { id: 'sub_new', created: 2 })
  const ended = one('canceled', { id: 'sub_ended', created: 3 })
  const begun = one('incomplete', { id: 'sub_begun', created: 4 })
  for (const order of [
    [old, newer, ended, begun],
    [begun, ended, newer, old],
  ])
    expect(found(...order)?.id).toBe('sub_new')
  expect(found(begun, ended)?.id).toBe('sub_ended')
  expect(found(one('past_due', { id: 'sub_due', created: 9 }), old)?.id).toBe('sub_old')
  expect(found()).toBeUndefined()
})

it('subscriptions of other products do not count; one of our Checkout at an unknown price is an error [D74]', () => {
  const other = subscription('cus_1', 'price_other')
  expect(found(other)).toBeUndefined()
  const ours = { ...other, metadata: { paraph_account: 'acc_1' } }
  expect(() => found(ours)).toThrow('STRIPE_PRICES')
  // At a price of the past, but over.
  expect(found({ ...ours, status: 'canceled' })).toBeUndefined()
  expect(() => found(one('a_status_of_the_future'))).toThrow('a_status_of_the_future')
})

it.each([
  '',
  'price_1',
  'price_1=',
  'price_1=growth,',
  'price_1=growth,price_1=startup',
  'prod_1=growth',
  'price_1=Growth',
])('STRIPE_PRICES "%s" is refused with a sentence [D74]', (text) => {
  expect(() => parsePrices(text)).toThrow('must be prices with their tiers')
})

it('several prices may buy one tier [D74]', () => {
  expect([...parsePrices('price_1=growth, price_2=growth')]).toEqual([
    ['price_1', 'growth'],
    ['price_2', 'growth'],
  ])
})
