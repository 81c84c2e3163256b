// The contract procedures of the operator's command line. Internal port only. [D19, D45]
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { CONTRACT_STATUSES } from '@paraph/protocol/contract'
import { ENVIRONMENTS } from '@paraph/protocol/environment'
import { DomainError } from '@paraph/protocol/errors'
import type { MessagingRouter } from '@paraph/messaging/operator-router'
import type { RpcContext } from '@paraph/rpc/mount'
import type { ContractStore } from '../store/contract-store.js'
import type { ContractList } from '../store/list.js'
import { viewOf } from './representation.js'

const t = initTRPC.context<RpcContext>().create()
const idSchema = z.string().max(100)
const onContract = t.procedure.input(z.object({ id: idSchema }))

const listSchema = z.object({
  accountId: idSchema,
  environment: z.enum(ENVIRONMENTS),
  status: z.enum(CONTRACT_STATUSES).optional(),
  limit: z.int().min(1).max(100).default(20),
  /** Id of the last contract of the previous page. */
  before: idSchema.optional(),
})

/** For operators, who have no key: `contractNotFound` of rest-router.ts tells a client to check the environment of its key. */
export const unknownContract = () =>
  new DomainError('not_found', 'There is no contract with this id. List the contracts of its account to find it.')

const REFUSAL_MESSAGES = {
  signed: 'Everyone has signed this contract; it can no longer be cancelled.',
  expired: 'This contract has expired; there is nothing left to cancel.',
  cancelled: 'This contract is already cancelled.',
} as const

interface OperatorRouterDeps {
  store: ContractStore
  list: ContractList
  messaging: MessagingRouter
}

/** `contract list`, `show`, `cancel` and `erase` of the command line, and this service's part of `outbox status`. */
export function createOperatorRouter({ store, list, messaging }: OperatorRouterDeps) {
  return t.router({
    messaging,
    contract: t.router({
      /** A page of the contracts of one account in one environment, newest first. */
      list: t.procedure
        .input(listSchema)
        .query(async ({ input: { accountId, environment, status, limit, before } }) => {
          const last = before === undefined ? undefined : await store.findById(before)
          if (before !== undefined && (last?.accountId !== accountId || last.environment !== environment))
            throw new DomainError('invalid_request', 'before must be the id of a contract of the same list.')
          const { contracts, next } = await list.list({ accountId, environment }, { status }, { limit, older: last })
          return { contracts, hasMore: next !== undefined }
        }),

      show: onContract.query(async ({ input }) => {
        const record = await store.findById(input.id)
        if (!record) throw unknownContract()
        const { accountId, environment, eraseDueAt, heldAt, holdReason } = record
        return { contract: { ...viewOf(record), accountId, environment, eraseDueAt, heldAt, holdReason } }
      }),

      /** Cancels an open contract. @throws DomainError `invalid_request` with the reason when the contract is final */
      cancel: onContract
        .input(z.object({ reason: z.string().trim().max(500).optional() }))
        .mutation(async ({ input }) => {
          const result = await store.execute(input.id, { type: 'cancel', actor: 'operator' }, input)
          if (!result) throw unknownContract()
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
        if (!result) throw unknownContract()
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
