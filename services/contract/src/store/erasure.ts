// The requests of owners to erase a contract, and the holds of operators. The row lock of the contract serializes them with an erasure.
// Does not own: the erasure itself (contract-store.ts), and whether the account is suspended, which the gateway knows. [D43, P32]
import { sql, type Kysely } from 'kysely'
import { decideErasure, type ErasureCommand } from '../domain/erasure.js'
import type { ContractDatabase } from '../database.js'
import { lockContract } from './lock.js'

/** Contracts in one answer of `due`. */
const BATCH = 50

export function createErasures(database: Kysely<ContractDatabase>) {
  /**
   * Decides `command` on the locked contract and stores the result. Idempotent.
   * @param text the mailbox of the owner for `request`, the reason for `hold`
   * @returns undefined for an unknown id; `hasChanged` is false if the contract was in this state before
   */
  async function change(id: string, command: ErasureCommand, text: string | null = null) {
    return database.transaction().execute(async (trx) => {
      const locked = await lockContract(trx, id)
      if (!locked) return undefined
      const { contract, accountId, now } = locked
      const decision = decideErasure(contract, command, now)
      if ('refusal' in decision) return { accountId, refusal: decision.refusal }
      const { eraseDueAt, isHeld } = decision.next
      const hasChanged = eraseDueAt?.getTime() !== contract.eraseDueAt?.getTime() || isHeld !== contract.isHeld
      if (hasChanged) {
        await trx
          .updateTable('contract')
          .set({ erase_due_at: eraseDueAt, erase_requested_by: command === 'request' ? text : null })
          .set({ held_at: isHeld ? now : null, hold_reason: isHeld ? text : null })
          .where('id', '=', id)
          .execute()
      }
      return { accountId, eraseDueAt, hasChanged }
    })
  }

  /** Requests that are due by the database's clock, ordered by id. @param after the last id of the previous batch */
  async function due(after = ''): Promise<{ id: string; accountId: string }[]> {
    const { rows } = await sql<{ id: string; accountId: string }>`
      select id, account_id as "accountId" from contract
       where erase_due_at <= now() and id > ${after} order by id limit ${BATCH}`.execute(database)
    return rows
  }

  /** Removes an erased contract from the due requests, after the audit log has the erasure. */
  async function finish(id: string): Promise<void> {
    await sql`update contract set erase_due_at = null where id = ${id} and erased_at is not null`.execute(database)
  }

  return { change, due, finish }
}

export type Erasures = ReturnType<typeof createErasures>
