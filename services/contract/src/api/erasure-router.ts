// The tRPC procedures by which the gateway carries out due erasures, and by which operators hold a contract. [D43, P32]
// They act for no account: the gateway knows which accounts are suspended, and keeps the audit log.
import { initTRPC } from '@trpc/server'
import { z } from 'zod'
import { DomainError } from '@paraph/protocol/errors'
import { callersOnly } from '@paraph/rpc/caller-guard'
import type { RpcContext } from '@paraph/rpc/mount'
import type { ContractStore } from '../store/contract-store.js'
import type { Erasures } from '../store/erasure.js'
import { unknownContract } from './operator-router.js'

const t = initTRPC.context<RpcContext>().create()
const gatewayProcedure = t.procedure.use(callersOnly('gateway'))
const id = z.string().max(100)
const onContract = gatewayProcedure.input(z.object({ id }))

interface ErasureRouterDeps {
  store: Pick<ContractStore, 'execute'>
  erasures: Erasures
}

/** The procedures below `erasure`. */
export function createErasureRouter({ store, erasures }: ErasureRouterDeps) {
  /** @throws DomainError `not_found`; `invalid_request` for an erased contract, which a hold cannot bring back */
  async function changeHold(contractId: string, command: 'hold' | 'release', reason?: string) {
    const result = await erasures.change(contractId, command, reason)
    if (!result) throw unknownContract()
    if ('refusal' in result) throw new DomainError('invalid_request', 'This contract is erased already.')
    return { accountId: result.accountId }
  }

  return t.router({
    /** One batch of contracts whose erasure is due. `after`: the last id of the batch before. */
    due: gatewayProcedure
      .input(z.object({ after: id.optional() }))
      .query(async ({ input }) => ({ contracts: await erasures.due(input.after) })),
    /** Erases a contract if its request is still due; `isErased` is false if it was taken back or the contract is held. Idempotent. */
    carryOut: onContract.mutation(async ({ input }) => {
      const result = await store.execute(input.id, { type: 'erase', isRequested: true })
      return { isErased: result !== undefined && result.contract.erasedAt !== null }
    }),
    /** Called once the audit log has the erasure, so that a crash before loses no entry. */
    finish: onContract.mutation(({ input }) => erasures.finish(input.id)),
    /** Keeps a contract until it is released. A second hold changes nothing. */
    hold: gatewayProcedure
      .input(z.object({ id, reason: z.string().trim().min(1, 'reason must say why.').max(500) }))
      .mutation(({ input }) => changeHold(input.id, 'hold', input.reason)),
    release: onContract.mutation(({ input }) => changeHold(input.id, 'release')),
  })
}

export type ErasureRouter = ReturnType<typeof createErasureRouter>
