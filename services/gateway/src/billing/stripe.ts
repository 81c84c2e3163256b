// The payment provider Stripe: Checkout, customer portal, subscriptions and signed events. [D74]
// Owns what is asked of Stripe. No error of Stripe's library leaves this file: it carries headers and bodies.
import { createHash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Stripe } from 'stripe'
import { z } from 'zod'
import { DomainError, unavailable } from '@paraph/protocol/errors'
import type { Prices } from './prices.js'
import { CustomerMissing, isOpen, type BillingProvider, type ProviderEvent } from './provider.js'
import { ACCOUNT_METADATA, subscriptionThatCounts } from './stripe-subscription.js'

/** An owner waits for the page, and Stripe for the answer to its event. */
const ANSWER_MS_MAX = 8_000
/** Age of a signature, as Stripe's documentation recommends. */
const SIGNATURE_SECONDS_MAX = 300
/** Far more than a customer has; the newest come first. */
const LIST_MAX = 100

/** Events after which a subscription may differ. Others are for other programs. */
const SUBSCRIPTION_EVENTS =
  /^(?:checkout\.session\.(?:completed|async_payment_succeeded)|customer\.subscription\..+|invoice\.(?:paid|payment_failed|payment_action_required|marked_uncollectible|voided))$/

const eventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.object({ object: z.object({ customer: z.string().max(255).nullish().catch(null) }) }),
})

export interface StripeSettings {
  secretKey: string
  /** Newest first; two during a rotation. */
  webhookSecrets: readonly string[]
  prices: Prices
  apiUrl: string
}

/** @param plan the address of the page of the plan, to which Stripe's pages lead back */
export function createStripe(settings: StripeSettings, plan: string): BillingProvider {
  const { secretKey, webhookSecrets, prices, apiUrl } = settings
  const { protocol, hostname, port } = new URL(apiUrl)
  const agent = protocol === 'http:' ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
  const stripe = new Stripe(secretKey, {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : port,
    httpAgent: agent,
    timeout: ANSWER_MS_MAX,
    maxNetworkRetries: 1,
    telemetry: false,
  })
  const returnUrl = `${plan}?from=portal`

  const subscriptionsOf = async (customer: string) => {
    const { data } = await asked(
      stripe.subscriptions.list({ customer, status: 'all', limit: LIST_MAX, expand: ['data.latest_invoice'] }),
    )
    return data
  }

  /** The page of Stripe where a customer confirms another price for the subscription. */
  async function changeUrl(customer: string, subscription: Stripe.Subscription, price: string): Promise<string> {
    const item = subscription.items.data.find((each) => prices.has(each.price.id))!
    const { url } = await asked(
      stripe.billingPortal.sessions.create({
        customer,
        return_url: returnUrl,
        flow_data: {
          type: 'subscription_update_confirm',
          subscription_update_confirm: { subscription: subscription.id, items: [{ id: item.id, price, quantity: 1 }] },
          after_completion: { type: 'redirect', redirect: { return_url: returnUrl } },
        },
      }),
    )
    return url
  }

  /** The open Checkout page for `price`, or a new one. Closes those for other prices: each could be paid. */
  async function checkoutUrl(customer: string, accountId: string, price: string): Promise<string> {
    const { data: sessions } = await asked(stripe.checkout.sessions.list({ customer, limit: LIST_MAX }))
    const open = sessions.filter(({ status }) => status === 'open')
    const same = open.find(({ metadata, url }) => metadata?.['price'] === price && url)
    for (const { id } of open.filter((each) => each !== same)) await asked(stripe.checkout.sessions.expire(id))
    if (same?.url) return same.url
    const metadata = { [ACCOUNT_METADATA]: accountId }
    const { url } = await asked(
      stripe.checkout.sessions.create(
        {
          mode: 'subscription',
          customer,
          client_reference_id: accountId,
          line_items: [{ price, quantity: 1 }],
          metadata: { ...metadata, price },
          subscription_data: { metadata },
          success_url: `${plan}?from=checkout`,
          cancel_url: plan,
        },
        // Two clicks see the same newest page, and get the same new one.
        { idempotencyKey: `paraph checkout ${customer} ${price} ${sessions[0]?.id ?? 'first'}` },
      ),
    )
    if (url === null) throw new Error('Stripe made a Checkout session without a page')
    return url
  }

  return {
    tiers: new Set(prices.values()),

    async createCustomer({ accountId, accountName, mailbox }, previous) {
      const { id } = await asked(
        stripe.customers.create(
          { name: accountName, email: mailbox, metadata: { [ACCOUNT_METADATA]: accountId } },
          // Two clicks of one person make one customer.
          { idempotencyKey: `paraph customer ${sha256(accountId, accountName, mailbox, previous)}` },
        ),
      )
      return id
    },

    async planUrl(customer, accountId, tier) {
      const subscriptions = await subscriptionsOf(customer)
      const counts = subscriptionThatCounts(subscriptions, prices)
      const price = [...prices].find(([, each]) => each === tier)?.[0]
      if (price === undefined) throw new DomainError('invalid_request', 'This plan cannot be paid here.')
      if (!counts || !isOpen(counts.status)) return checkoutUrl(customer, accountId, price)
      // In the portal a customer pays what is overdue, and takes a cancellation back. Both come before another plan.
      if (counts.tier === tier || counts.status !== 'active' || counts.cancelAt) return this.portalUrl(customer)
      const subscription = subscriptions.find(({ id }) => id === counts.id)!
      return changeUrl(customer, subscription, price).catch((error: unknown) => {
        // The portal's settings may not allow the change. The customer then sees what they allow.
        if (error instanceof DomainError || error instanceof CustomerMissing) throw error
        return this.portalUrl(customer)
      })
    },

    async portalUrl(customer) {
      const { url } = await asked(stripe.billingPortal.sessions.create({ customer, return_url: returnUrl }))
      return url
    },

    async readSubscription(customer) {
      try {
        return subscriptionThatCounts(await subscriptionsOf(customer), prices)
      } catch (error) {
        if (error instanceof CustomerMissing) return undefined
        throw error
      }
    },

    customerHref: (customer) =>
      `https://dashboard.stripe.com/${/^.._test_/.test(secretKey) ? 'test/' : ''}customers/${encodeURIComponent(customer)}`,

    readEvent: (body, signature, now) => eventIn(verifiedMessage(stripe, { body, signature, webhookSecrets, now })),

    close: () => agent.destroy(),
  }
}

const sha256 = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

interface SignedBody {
  body: Buffer
  signature: string
  webhookSecrets: readonly string[]
  now: Date
}

/** The parsed body, if one of the secrets signed it lately. @throws DomainError `invalid_request`, without the body or the signature */
function verifiedMessage(stripe: Stripe, { body, signature, webhookSecrets, now }: SignedBody): unknown {
  for (const secret of webhookSecrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret, SIGNATURE_SECONDS_MAX, undefined, now.getTime())
    } catch {
      // The next secret may be the one.
    }
  }
  throw new DomainError(
    'invalid_request',
    'The signature in Stripe-Signature is missing, wrong or older than 5 minutes. Check the secret of the endpoint.',
  )
}

function eventIn(message: unknown): ProviderEvent | undefined {
  const read = eventSchema.safeParse(message)
  const customerId = read.data?.data.object.customer
  if (!read.success || !customerId || !SUBSCRIPTION_EVENTS.test(read.data.type)) return undefined
  return { id: read.data.id, type: read.data.type, customerId }
}

/** @throws CustomerMissing; DomainError `unavailable` if Stripe does not answer or asks to wait; Error with Stripe's code */
async function asked<Result>(answer: Promise<Result>): Promise<Result> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, param, statusCode, requestId } = error
    // Stripe's own sentence may repeat an address.
    const fault = new Error(`Stripe answered ${statusCode ?? 'nothing'} (${type}, ${code}, ${param}, ${requestId})`)
    if (code === 'resource_missing' && param === 'customer') throw new CustomerMissing(fault.message)
    const isPassing = statusCode === undefined || statusCode === 429 || statusCode >= 500
    throw isPassing ? unavailable(fault) : fault
  }
}
