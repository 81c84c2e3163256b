// The mailbox's web server: JSON API and pages on one port of 127.0.0.1. [local-stack: the mailbox]
// Owns: access. The pages show a key and every mail. A web site may resolve its own name to 127.0.0.1, so other host names are refused.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa, { type Middleware } from 'koa'
import { DomainError } from '@paraph/protocol/errors'
import { renderErrors } from '@paraph/http/render-errors'
import type { Logger } from '@paraph/telemetry/logger'
import { isSameOriginPost } from '@paraph/web/same-origin'
import { securityHeaders } from '@paraph/web/security-headers'

const OUR_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

interface MailboxServerDeps {
  port: number
  routes: readonly Middleware[]
  logger: Logger
}

/** Listens on 127.0.0.1 and serves `routes` in their order. */
export async function startMailboxServer({ port, routes, logger }: MailboxServerDeps) {
  const app = new Koa()
  app.silent = true
  app
    .use(renderErrors(logger))
    .use(securityHeaders({ https: false }))
    .use(refuseForeign)
  for (const route of routes) app.use(route)
  app.use(() => {
    throw new DomainError('not_found', 'There is nothing at this address. Begin at /.')
  })
  const server = app.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const refuseForeign: Middleware = async (ctx, next) => {
  const name = ctx.host.replace(/:\d+$/, '').toLowerCase()
  const isWrite = ctx.method !== 'GET' && ctx.method !== 'HEAD'
  if (!OUR_HOSTS.has(name) || (isWrite && !isSameOriginPost(ctx.headers, `http://${ctx.host}`))) {
    throw new DomainError('not_found', 'The mailbox answers only as localhost.')
  }
  await next()
}
