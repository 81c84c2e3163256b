// Rows of contracts, their parties and signatures, and the outbox row of every event, each change in one transaction.
// Changes them once they are made, but for the sweep's batches (expiry.ts). One row lock decides sign, cancel and expire.
// [States and transitions, D20, D48]
import { sql, type Kysely, type Transaction } from 'kysely'
import { appendAndNotify } from '@paraph/messaging/outbox'
import { failPoint } from '@paraph/service/fail-point'
import { tellTransition } from './contract-metrics.js'
import { decide, evolve, statusAt, type Command, type ContractEvent, type Refusal } from './contract.js'
import { lockContract, type LockedContract } from './contract-lock.js'
import { readContract, type ContractRecord } from './contract-record.js'
import { outboxRowOf } from './contract-telling.js'
import type { ContractDatabase } from './database.js'

export type Changed = { contract: ContractRecord; events: ContractEvent[] }

/** `given_up`: the attempt was settled as never made, so it can no longer land. [D41] */
export type StoreRefusal = Refusal | 'given_up'

type Database = Kysely<ContractDatabase>
type Trx = Transaction<ContractDatabase>

/** The rows of contracts. @param wakeRelay called after a commit that added an event */
export function createContractStore({ database, wakeRelay }: { database: Database; wakeRelay: () => void }) {
  /** By id. */
  const findById = (id: string) => find(sql`c.id = ${id}`)

  /** By SHA-256 of its share token. [D46] */
  const findByShareToken = (sha256: Buffer) => find(sql`c.share_token_sha256 = ${sha256}`)

  /**
   * What it finds stays true: an open contract whose time is over, and so expired by the clock, may still have a signature under
   * way that was decided in time. This waits for it, and any later one reads its clock later. [D20, I3]
   */
  async function find(where: ReturnType<typeof sql>): Promise<ContractRecord | undefined> {
    const record = await readContract(database, where)
    if (!record || statusAt(record, record.readAt) === record.status) return record
    await sql`select 1 from contract where id = ${record.id} for share`.execute(database)
    return readContract(database, where)
  }

  /** The exact text, as it was sent; undefined once it was erased, too. */
  async function readContent(id: string): Promise<string | undefined> {
    const row = await database
      .selectFrom('contract')
      .select('content')
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .executeTakeFirst()
    return row?.content
  }

  /**
   * Runs `command` on the locked contract and stores what follows, with its outbox rows, in one transaction.
   * @returns the contract after it and the events, or why nothing happened; undefined for an unknown id
   */
  async function execute(
    id: string,
    command: Command,
    reason?: string,
  ): Promise<Changed | { refusal: StoreRefusal; contract: ContractRecord } | undefined> {
    let before: LockedContract | undefined
    const result = await database.transaction().execute(async (trx) => {
      const locked = await lockContract(trx, id)
      failPoint(`${command.type}.locked`)
      if (!locked) return undefined
      const decision = decide(locked.contract, command, locked.now)
      if ('refusal' in decision) return { refusal: decision.refusal, contract: await readLocked(trx, id) }
      // Last: "given up" tells a person that nothing of theirs is signed, so it is said only where nothing else speaks.
      if (command.type === 'sign' && (await isTombstoned(trx, command.attemptId))) {
        return { refusal: 'given_up' as const, contract: await readLocked(trx, id) }
      }
      await store(trx, locked, decision.events, reason)
      failPoint(`${command.type}.stored`)
      before = locked
      return { events: decision.events, contract: await readLocked(trx, id) }
    })
    failPoint(`${command.type}.committed`)
    if (!before || !result || !('events' in result)) return result
    tellTransition(before.environment, before.contract.status, result.contract.status)
    if (result.events.length > 0) wakeRelay()
    return result
  }

  /**
   * Tells how the attempt ended: recorded with its time, or given up for good, so that a late sign with this id cannot land. [D41]
   * @returns undefined for an unknown contract
   */
  async function settle(
    id: string,
    attemptId: string,
  ): Promise<{ partyIndex: number; signedAt: Date } | 'tombstoned' | undefined> {
    const settled = await database.transaction().execute(async (trx) => {
      const locked = await lockContract(trx, id)
      failPoint('settle.locked')
      if (!locked) return undefined
      const recorded = locked.contract.signatures.find((signature) => signature.attemptId === attemptId)
      if (recorded) return recorded
      await trx
        .insertInto('sign_tombstone')
        .values({ attempt_id: attemptId, contract_id: id })
        .onConflict((conflict) => conflict.column('attempt_id').doNothing())
        .execute()
      failPoint('settle.stored')
      return 'tombstoned' as const
    })
    failPoint('settle.committed')
    return settled
  }

  return { findById, findByShareToken, readContent, execute, settle }
}

export type ContractStore = ReturnType<typeof createContractStore>

async function isTombstoned(trx: Trx, attemptId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('sign_tombstone')
    .select('attempt_id')
    .where('attempt_id', '=', attemptId)
    .executeTakeFirst()
  return row !== undefined
}

/** The rows of `events`, and one outbox row each; the outbox row commits with the state it reports. */
async function store(
  trx: Trx,
  { id, accountId, environment, contract: before }: LockedContract,
  events: ContractEvent[],
  reason: string | undefined,
): Promise<void> {
  let contract = before
  for (const event of events) {
    contract = evolve(contract, event)
    if (event.type === 'party_signed') {
      const { partyIndex, attemptId, at } = event
      await trx
        .insertInto('signature')
        .values({ contract_id: id, party_index: partyIndex, attempt_id: attemptId, signed_at: at })
        .execute()
    }
    await trx
      .updateTable('contract')
      .set({
        status: contract.status,
        version: contract.version,
        changed_at: event.at,
        ...(event.type === 'completed' ? { completed_at: event.at } : {}),
        ...(event.type === 'cancelled'
          ? { cancelled_at: event.at, cancelled_by: event.actor, cancel_reason: reason ?? null }
          : {}),
      })
      .where('id', '=', id)
      .execute()
    if (event.type === 'erased') await erase(trx, id, event.at)
    await appendAndNotify(trx, outboxRowOf(event, contract.version, { contractId: id, accountId, environment }))
  }
}

/**
 * What says who the parties are and what they agreed on; ids, times, states and hashes stay. The link's ciphertext goes at its own
 * time: until then a replay of the POST is answered. [D17, D43, D46]
 */
async function erase(trx: Trx, id: string, at: Date): Promise<void> {
  await trx
    .updateTable('contract')
    .set({
      ...{
        erased_at: at,
        content: '',
        sender_name: 'erased',
        metadata: '{}',
        reply_address: null,
        cancel_reason: null,
      },
    })
    .where('id', '=', id)
    .execute()
  await sql`select erase_parties(${id})`.execute(trx)
}

async function readLocked(trx: Trx, id: string): Promise<ContractRecord> {
  const record = await readContract(trx, sql`c.id = ${id}`)
  if (!record) throw new Error('a locked contract is gone')
  return record
}
