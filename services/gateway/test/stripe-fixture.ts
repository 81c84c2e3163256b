// Plays the far end of Stripe's interface for tests: customers, subscriptions, Checkout and portal sessions, in memory, and signed events.
// stripe-mock (stripe-mock-fixture.ts) checks the requests against Stripe's own description, but keeps no state.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { parsePrices } from '../src/billing/prices.js'

export const WEBHOOK_SECRET = 'whsec_test0123456789'
export const OLD_WEBHOOK_SECRET = 'whsec_old0123456789'
export const PRICES = { startup: 'price_startup1', growth: 'price_growth1' }
/** The settings of a gateway that pays here. */
export const stripeSettings = (url: string) => ({
  BILLING: 'stripe' as const,
  STRIPE_SECRET_KEY: 'sk_test_0123456789',
  STRIPE_WEBHOOK_SECRET: [WEBHOOK_SECRET, OLD_WEBHOOK_SECRET],
  STRIPE_PRICES: parsePrices(`${PRICES.startup}=startup,${PRICES.growth}=growth`),
  STRIPE_API_URL: url,
})

const DAY_S = 86_400
export const secondsAgo = (days: number): number => Math.floor(Date.now() / 1_000) - Math.round(days * DAY_S)

/** A subscription as Stripe sends it, in as many fields as the gateway reads. */
export interface FarSubscription {
  id: string
  customer: string
  status: string
  created: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  metadata: Record<string, string>
  latest_invoice: { id: string; created: number; due_date: number | null } | null
  items: { data: { id: string; price: { id: string }; current_period_start: number; current_period_end: number }[] }
}

export const subscription = (
  customer: string,
  price: string,
  more: Partial<FarSubscription> & { periodEnd?: number } = {},
): FarSubscription => {
  const { periodEnd = secondsAgo(-20), ...rest } = more
  const period = { current_period_start: periodEnd - 30 * DAY_S, current_period_end: periodEnd }
  return {
    id: `sub_${randomUUID()}`,
    customer,
    status: 'active',
    created: secondsAgo(1),
    cancel_at: null,
    cancel_at_period_end: false,
    metadata: {},
    latest_invoice: { id: 'in_1', created: period.current_period_start, due_date: null },
    items: { data: [{ id: 'si_1', price: { id: price }, ...period }] },
    ...rest,
  }
}

interface Session {
  id: string
  customer: string
  status: string
  url: string
  metadata: Record<string, string>
}

export async function startStripe() {
  const far = {
    subscriptions: [] as FarSubscription[],
    sessions: [] as Session[],
    /** `METHOD path` and the form of each request. */
    requests: [] as { route: string; form: URLSearchParams; idempotencyKey: string | undefined }[],
    /** Customers that Stripe knows. */
    customers: new Set<string>(),
    /** Answers every request with this status. */
    failure: undefined as number | undefined,
    /** Called with the answer ready, before it is sent. */
    beforeAnswer: undefined as ((route: string) => Promise<void> | void) | undefined,
  }
  const replies = new Map<string, unknown>()

  function answerTo(route: string, query: URLSearchParams, form: URLSearchParams): { status: number; body: unknown } {
    const customer = query.get('customer') ?? form.get('customer')
    if (customer !== null && !far.customers.has(customer))
      return {
        status: 400,
        body: {
          error: {
            type: 'invalid_request_error',
            code: 'resource_missing',
            param: 'customer',
            message: `No such customer: '${customer}'`,
          },
        },
      }
    const id = randomUUID().replaceAll('-', '')
    const list = (data: readonly unknown[]) => ({ status: 200, body: { object: 'list', data, has_more: false } })
    if (route === 'POST /v1/customers') {
      far.customers.add(`cus_${id}`)
      return { status: 200, body: { id: `cus_${id}`, object: 'customer' } }
    }
    if (route === 'GET /v1/subscriptions') return list(far.subscriptions.filter((each) => each.customer === customer))
    if (route === 'GET /v1/checkout/sessions') return list(far.sessions.filter((each) => each.customer === customer))
    if (route === 'POST /v1/checkout/sessions') {
      const price = form.get('metadata[price]') ?? ''
      const url = `https://checkout.stripe.test/c/pay/cs_${id}`
      const session = { id: `cs_${id}`, customer: customer ?? '', status: 'open', url, metadata: { price } }
      far.sessions.unshift(session)
      return { status: 200, body: session }
    }
    const expired = /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(route)
    if (expired) {
      const session = far.sessions.find((each) => each.id === expired[1])!
      session.status = 'expired'
      return { status: 200, body: session }
    }
    if (route === 'POST /v1/billing_portal/sessions') {
      const flow = form.get('flow_data[subscription_update_confirm][items][0][price]')
      return {
        status: 200,
        body: { id: `bps_${id}`, url: `https://billing.stripe.test/p/${flow ?? 'portal'}`, object: 'session' },
      }
    }
    return { status: 404, body: { error: { type: 'invalid_request_error', message: `Unrecognized: ${route}` } } }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://far')
    const route = `${request.method} ${pathname}`
    const form = new URLSearchParams(await textOf(request))
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined
    far.requests.push({ route, form, idempotencyKey })
    const repeated = idempotencyKey === undefined ? undefined : replies.get(idempotencyKey)
    const answer = far.failure
      ? { status: far.failure, body: { error: { type: 'api_error', message: 'owner@example.test' } } }
      : repeated
        ? { status: 200, body: repeated }
        : answerTo(route, searchParams, form)
    // The answer holds what was true when the request arrived, also if the state changes before it is sent.
    const text = JSON.stringify(answer.body)
    if (idempotencyKey !== undefined && answer.status === 200) replies.set(idempotencyKey, answer.body)
    await far.beforeAnswer?.(route)
    response.writeHead(answer.status, { 'content-type': 'application/json', 'request-id': 'req_1' }).end(text)
  }

  const server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...far,
    far,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The number of requests to a route. */
    count: (route: string) => far.requests.filter((each) => each.route === route).length,
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type TestStripe = Awaited<ReturnType<typeof startStripe>>

/** An event in the shape that Stripe sends, as recorded from its documentation. */
export const eventOf = (type: string, object: object, id = `evt_${randomUUID()}`) => ({
  id,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: secondsAgo(0),
  data: { object },
  livemode: false,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
})

/** The body of an event and its header. @param timestamp seconds, of the signature */
export function signed(event: object, { secret = WEBHOOK_SECRET, timestamp = secondsAgo(0) } = {}) {
  const payload = JSON.stringify(event, null, 2)
  const header = new Stripe('sk_test_0').webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { body: payload, headers: { 'stripe-signature': header } }
}
