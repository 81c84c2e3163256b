// The signing service's tRPC procedures for the operator's command line. Internal port only. [D45]
import { initTRPC } from '@trpc/server'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import type { RpcContext } from '@paraph/rpc/mount'
import type { SigningDatabase } from './database.js'
import type { Reports } from './reports/report.js'
import { readJws } from './sealing/queue.js'

const t = initTRPC.context<RpcContext>().create()

interface OperatorDeps {
  database: Kysely<SigningDatabase>
  reports: Reports
  messaging: MessagingRouter
}

/** `report list` and `evidence export` of the command line, and the service's part of `outbox status` and `dead-letter`. */
export function createOperatorRouter({ database, reports, messaging }: OperatorDeps) {
  return t.router({
    messaging,
    evidence: t.router({
      /** The signed chain, even of an erased contract; null before the sealing. [D43] */
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
