// The procedures of webhooks for the gateway: on behalf of owners, and to report disabled endpoints. [D44, D65]
import { initTRPC } from '@trpc/server'
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import { callersOnly, requirePrincipal } from '@paraph/rpc/caller-guard'
import type { RpcContext } from '@paraph/rpc/mount'
import type { WebhookEndpoints } from './endpoints.js'

const t = initTRPC.context<RpcContext>().create()
const forGateway = t.procedure.use(callersOnly('gateway'))
const forOwner = forGateway.use(({ ctx, next }) => next({ ctx: { principal: requirePrincipal(ctx.caller) } }))

const id = z.string().min(1).max(100)
const REPORTED_MAX = 50

export function createWebhookRouter(endpoints: Omit<WebhookEndpoints, 'openKeys'>, database: Kysely<unknown>) {
  return t.router({
    list: forOwner.query(({ ctx }) => endpoints.list(ctx.principal)),
    read: forOwner.input(z.object({ id })).query(({ ctx, input }) => endpoints.read(ctx.principal, input.id)),
    create: forOwner
      .input(z.object({ url: z.string().max(2_000) }))
      .mutation(({ ctx, input }) => endpoints.create(ctx.principal, input.url)),
    rotate: forOwner.input(z.object({ id })).mutation(({ ctx, input }) => endpoints.rotate(ctx.principal, input.id)),
    enable: forOwner.input(z.object({ id })).mutation(({ ctx, input }) => endpoints.enable(ctx.principal, input.id)),
    remove: forOwner.input(z.object({ id })).mutation(({ ctx, input }) => endpoints.remove(ctx.principal, input.id)),
    sendTest: forOwner
      .input(z.object({ id }))
      .mutation(({ ctx, input }) => endpoints.sendTest(ctx.principal, input.id)),
    sendAgain: forOwner
      .input(z.object({ id, messageId: id }))
      .mutation(({ ctx, input }) => endpoints.sendAgain(ctx.principal, input.id, input.messageId)),

    /** Disabled endpoints of which the owners have not heard. The gateway mails them, then calls `reported`. */
    disabled: forGateway.query(async () => {
      const { rows } = await sql<{ id: string; accountId: string; environment: string; disabledAt: Date }>`
        select id, account_id as "accountId", environment, disabled_at as "disabledAt" from webhook_endpoint
         where disabled_at is not null and not is_reported order by disabled_at limit ${REPORTED_MAX}`.execute(database)
      return rows.map(({ disabledAt, ...row }) => ({ ...row, disabledAt: disabledAt.toISOString() }))
    }),
    reported: forGateway.input(z.object({ id })).mutation(async ({ input }) => {
      await sql`update webhook_endpoint set is_reported = true where id = ${input.id} and disabled_at is not null`.execute(
        database,
      )
    }),
  })
}

export type WebhookRouter = ReturnType<typeof createWebhookRouter>
