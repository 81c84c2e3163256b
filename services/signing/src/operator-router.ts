// What the operator's command line may ask of the ceremony. Internal port only. [D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { Reports } from './report.js'

const t = initTRPC.context<RpcContext>().create()

/** `report.list` of the command line, and the service's part of `outbox status` and `dead-letter`. */
export function createOperatorRouter({ reports, messaging }: { reports: Reports; messaging: MessagingRouter }) {
  return t.router({
    messaging,
    report: t.router({
      list: t.procedure
        .input(z.object({ count: z.int().min(1).max(1_000).default(100) }))
        .query(async ({ input }) => ({ reports: await reports.list(input.count) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>
