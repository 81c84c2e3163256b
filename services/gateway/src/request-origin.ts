// Where a request came from; pages and the external interface both ask. [D9]
import type { Middleware } from 'koa'
import { clientAddressOf } from './client-address.js'

/** Leaves `clientAddress()` in the state: most calls never ask. */
export const clientAddress =
  (trustedHops: number): Middleware =>
  (ctx, next) => {
    const { socket, headers } = ctx.req
    ctx.state['clientAddress'] = () =>
      clientAddressOf(socket.remoteAddress, String(headers['x-forwarded-for'] ?? ''), trustedHops)
    return next()
  }
