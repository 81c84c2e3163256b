// What the other services may ask of notification: signing for a code, the gateway for owners and their contracts. [D24, D42, D44]
import { initTRPC } from '@trpc/server'
import { ownerCodeSchema, ownerMailSchema } from '@paraph/protocol/owner-mail'
import { z } from 'zod'
import { callersOnly, requirePrincipal } from '@paraph/service/caller-guard'
import type { RpcContext } from '@paraph/service/rpc-mount'
import type { ContractMails } from './contract-mails.js'
import type { Deliveries } from './deliveries.js'

const t = initTRPC.context<RpcContext>().create()

/** For the gateway on behalf of an account. */
const ownerProcedure = t.procedure
  .use(callersOnly('gateway'))
  .use(({ ctx, next }) => next({ ctx: { principal: requirePrincipal(ctx.caller) } }))

const contractId = z.string().min(1).max(100)
const partyIndex = z.int().min(0).max(49)

/**
 * @param wakeWorker called when a code was taken over
 * @param isRelayAway whether the mail relay takes nothing at the moment
 */
export function createRpcRouter({
  deliveries,
  contractMails,
  wakeWorker,
  isRelayAway,
}: {
  deliveries: Deliveries
  contractMails: ContractMails
  wakeWorker: () => void
  isRelayAway: () => boolean
}) {
  const code = t.router({
    /**
     * Takes over a one-time code for one party's mailbox; once per `id`, however often it is pushed. When this returns, the code
     * is stored here and will be sent or lapse: the caller may wipe its own copy. [D42]
     */
    send: t.procedure
      .use(callersOnly('signing'))
      .input(
        z.object({
          /** Of the push; unique. */
          id: z.string().min(8).max(64),
          contractId,
          partyIndex,
          code: z.string().regex(/^(\d{6}|\d{12})$/, 'A code has 6 or 12 digits.'),
          /** What is left of the code's life by the caller's database; a span, so that two clocks need not agree. */
          lapsesInSeconds: z.number().positive().max(600),
        }),
      )
      .mutation(async ({ input: { id, ...push } }) => {
        await deliveries.addCode({ requestId: id, ...push })
        wakeWorker()
        return { accepted: true as const }
      }),

    /** Whether codes wait for the mail relay. It says nothing of any one code or mailbox. [D32] */
    isDelayed: t.procedure.use(callersOnly('signing')).query(() => ({ delayed: isRelayAway() })),
  })

  const owner = t.router({
    /** Takes over a one-time code for an owner's or operator's mailbox; once per `id`. As `code.send`. [D24, D42] */
    code: t.procedure
      .use(callersOnly('gateway'))
      .input(ownerCodeSchema)
      .mutation(async ({ input }) => {
        await deliveries.addOwnerLetter({ kind: 'code', ...input })
        wakeWorker()
        return { accepted: true as const }
      }),

    /** Takes over any other mail to an owner; once per `id`. When this returns, the caller may wipe its own copy. [D24] */
    mail: t.procedure
      .use(callersOnly('gateway'))
      .input(ownerMailSchema)
      .mutation(async ({ input }) => {
        await deliveries.addOwnerLetter(input)
        wakeWorker()
        return { accepted: true as const }
      }),

    /** Whether mail waits for the relay. */
    isDelayed: t.procedure.use(callersOnly('gateway')).query(() => ({ delayed: isRelayAway() })),
  })

  return t.router({
    code,
    owner,
    deliveries: t.router({
      /** What became of the newest mail of each kind to each party. @throws DomainError `not_found` */
      ofContract: ownerProcedure
        .input(z.object({ contractId }))
        .query(({ input, ctx }) => contractMails.ofContract(ctx.principal, input.contractId)),
    }),
    invitation: t.router({
      /** Sends a party its invitation again. See `resend` of contract-mails.ts. @throws DomainError `not_found`, `invalid_request` */
      resend: ownerProcedure
        .input(z.object({ contractId, partyIndex }))
        .mutation(({ input, ctx }) => contractMails.resend(ctx.principal, input.contractId, input.partyIndex)),
    }),
  })
}

export type RpcRouter = ReturnType<typeof createRpcRouter>
