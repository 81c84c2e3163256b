// Who a request is, before anybody asks what it wants: its name and where it came from. [D9, D17]
import { randomUUID } from 'node:crypto'
import type { Middleware } from 'koa'
import { INTERNAL_HEADERS } from '@paraph/protocol/caller'
import { clientAddressOf } from './client-address.js'

/** Names every request itself: what a client sends under this name is not believed. [D17] */
export const requestId: Middleware = async (ctx, next) => {
  ctx.state['requestId'] = randomUUID()
  delete ctx.req.headers[INTERNAL_HEADERS.requestId]
  await next()
}

/** Where the request came from; pages and the external interface both ask. [D9] */
export const clientAddress =
  (trustedHops: number): Middleware =>
  async (ctx, next) => {
    const { socket, headers } = ctx.req
    const forwardedFor = String(headers['x-forwarded-for'] ?? '')
    ctx.state['clientAddress'] = clientAddressOf(socket.remoteAddress, forwardedFor, trustedHops)
    await next()
  }
