// What the operator's command line may ask of the ceremony. Internal port only. [D45]
import { initTRPC } from '@trpc/server'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { SigningDatabase } from './database.js'
import type { Reports } from './report.js'
import { readJws } from './seal-queue.js'

const t = initTRPC.context<RpcContext>().create()

/** `report.list` and `evidence.export` of the command line, and the service's part of `outbox status` and `dead-letter`. */
export function createOperatorRouter({
  database,
  reports,
  messaging,
}: {
  database: Kysely<SigningDatabase>
  reports: Reports
  messaging: MessagingRouter
}) {
  return t.router({
    messaging,
    evidence: t.router({
      /** The signed chain, also of a contract that was erased; null before it is sealed. [D43] */
      export: t.procedure
        .input(z.object({ contractId: z.string().max(100) }))
        .query(async ({ input }) => ({ jws: (await readJws(database, input.contractId)) ?? null })),
    }),
    report: t.router({
      list: t.procedure
        .input(z.object({ count: z.int().min(1).max(1_000).default(100) }))
        .query(async ({ input }) => ({ reports: await reports.list(input.count) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>
