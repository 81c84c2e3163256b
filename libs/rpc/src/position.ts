// The call by which services tell each other how far their databases have come. [P40, D44]
import type { TRPCClient } from '@trpc/client'
import { initTRPC, type AnyTRPCRouter } from '@trpc/server'
import { z } from 'zod'
import { advancePosition, raisePosition } from '@paraph/database/position'
import type { Exchange } from '@paraph/background/restore-guard'
import type { ServiceName } from '@paraph/protocol/services'
import type { RpcContext } from './mount.js'

const t = initTRPC.context<RpcContext>().create()

const createPositionRouter = (database: Parameters<typeof advancePosition>[0], service: ServiceName) =>
  t.router({
    /** Remembers the caller's position, and answers with the own one and the mark of the caller, which is never lowered. */
    position: t.procedure
      .input(z.object({ position: z.int().min(0) }))
      .mutation(async ({ input, ctx }): Promise<Exchange> => {
        const mark = await raisePosition(database, ctx.caller.issuer, input.position)
        const positions = await advancePosition(database, service)
        return { position: positions.get(service) ?? 0, mark }
      }),
  })

type PositionRouter = ReturnType<typeof createPositionRouter>

/** `router` with the procedure `position` beside its own. */
export const withPosition = (
  router: AnyTRPCRouter,
  database: Parameters<typeof advancePosition>[0],
  service: ServiceName,
): AnyTRPCRouter => t.mergeRouters(router, createPositionRouter(database, service))

/** A call of `position` over the connections of an existing client. */
export const exchangeWith =
  ({ rpc }: { rpc: unknown }) =>
  (position: number): Promise<Exchange> =>
    (rpc as TRPCClient<PositionRouter>).position.mutate({ position })
