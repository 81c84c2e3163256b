// What the other services may ask of signing. [D24, D44]
import { initTRPC } from '@trpc/server'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { callersOnly } from '@paraph/service/caller-guard'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { SigningDatabase } from './database.js'
import { readCopy } from './seal-queue.js'

const t = initTRPC.context<RpcContext>().create()

export function createRpcRouter({ database }: { database: Kysely<SigningDatabase> }) {
  const evidence = t.router({
    /** The sealed PDF in base64; null before it is there and after it was erased. Asked when a mail is about to go. */
    copy: t.procedure
      .use(callersOnly('notification'))
      .input(z.object({ contractId: z.string().min(1).max(100) }))
      .query(async ({ input }) => {
        const pdf = await readCopy(database, input.contractId)
        return { pdf: pdf?.toString('base64') ?? null }
      }),
  })

  return t.router({ evidence })
}

export type RpcRouter = ReturnType<typeof createRpcRouter>
