// Carries out the erasures that owners requested, and holds contracts for operators. [D43, P32]
// The contract service knows which requests are due; the gateway knows which accounts are suspended, and keeps the audit log.
import type { TRPCClient } from '@trpc/client'
import type { Kysely } from 'kysely'
import { createLoop } from '@paraph/background/loop'
import { settleAll } from '@paraph/background/settle-all'
import type { RpcRouter as ContractRouter } from '@paraph/contract/api/rpc-router'
import { failPoint } from '@paraph/testing/fail-point'
import type { Logger } from '@paraph/telemetry/logger'
import type { GatewayDatabase } from '../database.js'
import { lockAccount } from './account-change.js'
import { recordAct, SERVICE, type Actor } from './audit.js'

/** A due request waits this long at most; a round without one is a single call. */
const PAUSE_MS = 10_000

interface ContractErasuresDeps {
  database: Kysely<GatewayDatabase>
  contract: TRPCClient<ContractRouter>['erasure']
  logger: Logger
}

/** Any number of gateways may run the loop. */
export function createContractErasures({ database, contract, logger }: ContractErasuresDeps) {
  /** Always returns false: one round handles every batch. */
  async function carryOutDue(): Promise<boolean> {
    let after: string | undefined
    for (;;) {
      const { contracts } = await contract.due.query(after === undefined ? {} : { after })
      after = contracts.at(-1)?.id
      if (after === undefined) return false
      await settleAll(contracts, carryOut, (error, { id }) =>
        logger.warn({ err: error, contractId: id }, 'could not carry out a requested erasure; retrying in 10 s'),
      )
    }
  }

  async function carryOut({ id, accountId }: { id: string; accountId: string }): Promise<void> {
    // A suspension pauses the request; the owners can still take it back.
    if (await isSuspended(accountId)) return
    const { isErased } = await contract.carryOut.mutate({ id })
    if (!isErased) return
    failPoint('contract-erasure.erased')
    await recordErasure(accountId, id)
    await contract.finish.mutate({ id })
  }

  async function isSuspended(accountId: string): Promise<boolean> {
    const query = database.selectFrom('account').select('status').where('id', '=', accountId)
    return (await query.executeTakeFirst())?.status === 'suspended'
  }

  /** Once, even if two gateways carry out the same request or one repeats it after a crash. */
  async function recordErasure(accountId: string, subject: string): Promise<void> {
    await database.transaction().execute(async (trx) => {
      await lockAccount(trx, accountId)
      const act = 'contract.erased'
      const known = await trx
        .selectFrom('audit_entry')
        .select('id')
        .where('account_id', '=', accountId)
        .where('act', '=', act)
        .where('subject', '=', subject)
        .executeTakeFirst()
      if (!known) await recordAct(trx, { actor: SERVICE, act, accountId, subject })
    })
  }

  async function recordHold(act: 'contract.held' | 'contract.released', accountId: string, id: string, actor: Actor) {
    await database.transaction().execute((trx) => recordAct(trx, { actor, act, accountId, subject: id }))
    return { contract: { id, accountId } }
  }

  return {
    ...createLoop({
      name: 'contract erasures',
      work: carryOutDue,
      pauseMs: PAUSE_MS,
      failureMessage: 'could not read due erasures from the contract service; retrying',
      logger,
    }),
    carryOutDue,
    /** Keeps a contract from every erasure. The reason is for operators: the audit log of the account omits it. */
    async hold(id: string, reason: string, actor: Actor) {
      const { accountId } = await contract.hold.mutate({ id, reason })
      return recordHold('contract.held', accountId, id, actor)
    },
    async release(id: string, actor: Actor) {
      const { accountId } = await contract.release.mutate({ id })
      return recordHold('contract.released', accountId, id, actor)
    },
  }
}

export type ContractErasures = ReturnType<typeof createContractErasures>
