// The contract procedures of the operator's command line. Internal port only. [D19, D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { DomainError } from '@paraph/protocol/errors'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import type { RpcContext } from '@paraph/rpc/mount'
import type { ContractStore } from '../store/contract-store.js'
import { viewOf } from './representation.js'
import { contractNotFound } from './rest-router.js'

const t = initTRPC.context<RpcContext>().create()
const onContract = t.procedure.input(z.object({ id: z.string().max(100) }))

const REFUSAL_MESSAGES = {
  signed: 'Everyone has signed this contract; it can no longer be cancelled.',
  expired: 'This contract has expired; there is nothing left to cancel.',
  cancelled: 'This contract is already cancelled.',
} as const

interface OperatorRouterDeps {
  store: ContractStore
  messaging: MessagingRouter
}

/** `contract.show`, `contract.cancel` and `contract.erase` of the command line, and this service's part of `outbox status`. */
export function createOperatorRouter({ store, messaging }: OperatorRouterDeps) {
  return t.router({
    messaging,
    contract: t.router({
      show: onContract.query(async ({ input }) => {
        const record = await store.findById(input.id)
        if (!record) throw contractNotFound()
        const { accountId, environment, eraseDueAt, heldAt, holdReason } = record
        return { contract: { ...viewOf(record), accountId, environment, eraseDueAt, heldAt, holdReason } }
      }),

      /** Cancels an open contract. @throws DomainError `invalid_request` with the reason when the contract is final */
      cancel: onContract
        .input(z.object({ reason: z.string().trim().max(500).optional() }))
        .mutation(async ({ input }) => {
          const result = await store.execute(input.id, { type: 'cancel', actor: 'operator' }, input.reason)
          if (!result) throw contractNotFound()
          if ('refusal' in result) {
            throw new DomainError(
              'invalid_request',
              REFUSAL_MESSAGES[result.refusal as keyof typeof REFUSAL_MESSAGES] ?? 'This contract cannot be cancelled.',
            )
          }
          return { contract: { id: result.contract.id, status: result.contract.status } }
        }),

      /** Erases text, names and addresses of a final contract; the event `contract.erased` does so in other services. Idempotent. [D43] */
      erase: onContract.mutation(async ({ input }) => {
        const result = await store.execute(input.id, { type: 'erase' })
        if (!result) throw contractNotFound()
        if ('refusal' in result) {
          throw new DomainError(
            'invalid_request',
            result.refusal === 'held'
              ? 'This contract is held. Release it first.'
              : 'This contract is still open. Only one that is signed, expired or cancelled can be erased; cancel it first.',
          )
        }
        const { id, erasedAt } = result.contract
        return { contract: { id, erasedAt: erasedAt!.toISOString() } }
      }),
    }),
  })
}

export type OperatorRouter = ReturnType<typeof createOperatorRouter>
