// POST /billing/stripe: the events of the payment provider. Not counted and without a key: the signature is the proof. [D74]
import type { Middleware } from 'koa'
import type { Clock } from '@paraph/background/store-clock'
import { addressBlocksOf } from '@paraph/http/address-block'
import { setRoute } from '@paraph/http/failed-request'
import { DomainError } from '@paraph/protocol/errors'
import { clientAddressOf } from '../edge/client-address.js'
import { pathOfTarget } from '../edge/endpoints.js'
import { requestBody } from '../edge/request-body.js'
import { createInFlight } from '../rate-limit/in-flight.js'
import type { Billing } from './billing.js'

export const WEBHOOK_PATH = '/billing/stripe'
/** An event holds one object; an invoice with many lines is the longest. */
const BODY_BYTES_MAX = 524_288
/** Limits of the requests under way, of all addresses and of one: slow bodies from one address do not take every place. */
const ALL_MAX = 100
const ADDRESS_MAX = 20

/** Comes before the limits of forms, which would refuse a burst from the provider's few addresses. */
export function createBillingWebhook({ billing, now }: { billing: Billing; now: Clock }): Middleware {
  const inFlight = createInFlight()
  return async (ctx, next) => {
    if (ctx.method !== 'POST' || pathOfTarget(ctx.req.url ?? '') !== WEBHOOK_PATH) return next()
    setRoute(ctx, WEBHOOK_PATH)
    const [address = ''] = addressBlocksOf(clientAddressOf(ctx))
    const leave = inFlight.take([
      [address, ADDRESS_MAX],
      ['all', ALL_MAX],
    ])
    if (!leave) throw new DomainError('unavailable', 'There are too many events at once. Send this one again.')
    try {
      const body = await requestBody(ctx, BODY_BYTES_MAX)
      await billing.receive(body, ctx.get('stripe-signature'), await now())
      ctx.status = 200
      ctx.body = { received: true }
    } finally {
      leave()
    }
  }
}
