// The procedures of owners' notices for the gateway. [D70]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { callersOnly } from '@paraph/rpc/caller-guard'
import type { RpcContext } from '@paraph/rpc/mount'
import { NOTICE_KINDS, type Notices } from './notices.js'

const t = initTRPC.context<RpcContext>().create()
const forGateway = t.procedure.use(callersOnly('gateway'))

const accountId = z.string().min(1).max(100)
const kind = z.enum(NOTICE_KINDS)

export function createNoticeRouter(notices: Notices) {
  return t.router({
    waiting: forGateway
      .input(z.object({ kinds: z.array(kind).min(1), accountIds: z.array(accountId).max(1_000).optional() }))
      .query(({ input }) => notices.waiting(input.kinds, input.accountIds)),
    report: forGateway
      .input(z.object({ accountId, kind, upTo: z.int().positive() }))
      .mutation(({ input }) => notices.report(input.accountId, input.kind, input.upTo)),
  })
}

export type NoticeRouter = ReturnType<typeof createNoticeRouter>
