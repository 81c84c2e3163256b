// The signing service's tRPC procedures for the operator's command line. Internal port only. [D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import { DomainError } from '@paraph/protocol/errors'
import type { RpcContext } from '@paraph/rpc/mount'
import type { Documents } from './documents/documents.js'
import type { createMove } from './documents/move-documents.js'
import type { createOrphanSearch } from './documents/orphans.js'
import type { Reports } from './reports/report.js'

const t = initTRPC.context<RpcContext>().create()

interface OperatorDeps {
  documents: Pick<Documents, 'readJws'>
  move: ReturnType<typeof createMove>
  /** Undefined without an object store. */
  findOrphans: ReturnType<typeof createOrphanSearch> | undefined
  reports: Reports
  messaging: MessagingRouter
}

const after = z.string().max(300)

/** `report list`, `evidence export` and `documents` of the command line, and the service's part of `outbox status` and `dead-letter`. */
export function createOperatorRouter({ documents, move, findOrphans, reports, messaging }: OperatorDeps) {
  /** @throws DomainError `invalid_request` without an object store */
  function requireStore(): NonNullable<typeof findOrphans> {
    if (findOrphans) return findOrphans
    throw new DomainError('invalid_request', 'The signing service has no object store: set its OBJECT_STORE_URL.')
  }

  return t.router({
    messaging,
    evidence: t.router({
      /** The signed chain, even of an erased contract; null before the sealing. [D43] */
      export: t.procedure
        .input(z.object({ contractId: z.string().max(100) }))
        .query(async ({ input }) => ({ jws: (await documents.readJws(input.contractId)) ?? null })),
    }),
    documents: t.router({
      /** Moves some documents; the caller repeats it until `after` is null. [P43] */
      move: t.procedure.input(z.object({ to: z.enum(['postgres', 's3']), after })).mutation(({ input }) => {
        requireStore()
        return move(input.to, input.after)
      }),
      /** Looks at one page of objects; the caller repeats it until `after` is null. [P43] */
      orphans: t.procedure
        .input(z.object({ after, isDeleting: z.boolean() }))
        .mutation(({ input }) => requireStore()(input.after, input.isDeleting)),
    }),
    report: t.router({
      list: t.procedure
        .input(z.object({ count: z.int().min(1).max(1_000).default(100) }))
        .query(async ({ input }) => ({ reports: await reports.list(input.count) })),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>
