// Reads contracts, and executes commands such as sign, cancel and erase. One transaction stores the events and their outbox rows.
// The row lock of the contract serializes sign, cancel and expire, here and in expiry.ts. [States and transitions, D20, D48]
import { sql, type Kysely, type RawBuilder, type Transaction, type Updateable } from 'kysely'
import { outboxInsert, type OutboxEvent } from '@paraph/messaging/outbox'
import { failPoint } from '@paraph/testing/fail-point'
import { recordTransition } from '../metrics.js'
import {
  addressNumberOf,
  decide,
  evolve,
  hasDecline,
  statusAt,
  type Command,
  type Contract,
  type ContractEvent,
} from '../domain/contract.js'
import { lockContract, type LockedContract } from './lock.js'
import { eraseWords } from './contract-words.js'
import { storeReaddress } from './readdress.js'
import { readContract, type ContractRecord } from './contract-record.js'
import { outboxRowOf } from '../domain/events.js'
import type { ContractDatabase, ContractTable } from '../database.js'

type Trx = Transaction<ContractDatabase>

/** What belongs to a command, and not to its events. */
interface Details {
  /** The hash, in hex, of the text that the party has read. A contract with another text refuses the command. */
  contentSha256?: string
  /** The reason of a cancellation. */
  reason?: string | undefined
  /** The corrected address of a party. */
  email?: string | undefined
}

interface ContractStoreDeps {
  database: Kysely<ContractDatabase>
  /** Called after a commit, with the ids of the contracts that it changed. */
  onChanged: (ids: readonly string[]) => void
}

export function createContractStore({ database, onChanged }: ContractStoreDeps) {
  const findById = (id: string) => find(sql`c.id = ${id}`)

  /** @param sha256 hash of the share token [D46] */
  const findByShareToken = (sha256: Buffer) => find(sql`c.share_token_sha256 = ${sha256}`)

  /**
   * A final status that this returns never changes. For an open contract past its expiry, an uncommitted transaction may contain a
   * signature that was decided in time, so this waits for that transaction. A later transaction refuses by its later clock. [D20, I3]
   */
  async function find(where: ReturnType<typeof sql>): Promise<ContractRecord | undefined> {
    const record = await readContract(database, where)
    if (!record || statusAt(record, record.readAt) === record.status) return record
    await sql`select 1 from contract where id = ${record.id} for share`.execute(database)
    return readContract(database, where)
  }

  /** The exact text as sent; undefined for an unknown or erased contract. */
  async function readContent(id: string): Promise<string | undefined> {
    const { rows } = await sql<{ content: string }>`
      select content from contract where id = ${id} and erased_at is null`.execute(database)
    return rows[0]?.content
  }

  /**
   * Decides `command` on the locked contract and stores the resulting events, with their outbox rows, in one transaction.
   * @returns the contract afterwards with the events or the refusal; undefined for an unknown id
   */
  const execute = (id: string, command: Command, details: Details = {}) => perform(id, command, details, readLocked)

  /** `execute` for who needs the events with the state after them, or the refusal. */
  const executeOnly = (id: string, command: Command, details: Details = {}) =>
    perform(id, command, details, () => Promise.resolve())

  /** @param read what to read of the contract before the lock ends */
  async function perform<Read>(
    id: string,
    command: Command,
    details: Details,
    read: (trx: Trx, id: string) => Promise<Read>,
  ) {
    let before: LockedContract | undefined
    const result = await database.transaction().execute(async (trx) => {
      const locked = await lockContract(trx, id, command.type === 'sign' ? command.attemptId : undefined)
      failPoint(`${command.type}.locked`)
      if (!locked) return undefined
      const { contentSha256 } = details
      if (contentSha256 !== undefined && contentSha256 !== locked.contentSha256.toString('hex'))
        return { refusal: 'text_differs' as const, contract: await read(trx, id) }
      const decision = decide(locked.contract, command, locked.now)
      if ('refusal' in decision) return { refusal: decision.refusal, contract: await read(trx, id) }
      // Checked last: `given_up` means that the party has signed nothing, so `already_signed`, for example, has precedence. [D41]
      if (locked.isGivenUp) return { refusal: 'given_up' as const, contract: await read(trx, id) }
      const after = await store(trx, locked, decision.events, details)
      failPoint(`${command.type}.stored`)
      before = locked
      return { events: decision.events, after, contract: await read(trx, id) }
    })
    failPoint(`${command.type}.committed`)
    if (!before || !result?.after) return result
    recordTransition(before.environment, before.contract.status, result.after.status)
    if (result.events.length > 0) onChanged([id])
    return result
  }

  /**
   * Decides the outcome of an attempt: returns its recorded signature, or stores a tombstone, so that a late sign is refused. [D41]
   * @returns undefined for an unknown contract
   */
  async function finalizeAttempt(id: string, attemptId: string) {
    const outcome = await database.transaction().execute(async (trx) => {
      const locked = await lockContract(trx, id)
      failPoint('finish.locked')
      if (!locked) return undefined
      const recorded = locked.contract.signatures.find((signature) => signature.attemptId === attemptId)
      if (recorded) return recorded
      await trx
        .insertInto('sign_tombstone')
        .values({ attempt_id: attemptId, contract_id: id })
        .onConflict((conflict) => conflict.column('attempt_id').doNothing())
        .execute()
      failPoint('finish.stored')
      return 'tombstoned' as const
    })
    failPoint('finish.committed')
    return outcome
  }

  return { findById, findByShareToken, readContent, execute, executeOnly, finalizeAttempt }
}

export type ContractStore = ReturnType<typeof createContractStore>

/** Stores the state after the events, and one outbox row per event, in one statement. @returns that state */
async function store(
  trx: Trx,
  { id, accountId, environment, contract: before }: LockedContract,
  events: ContractEvent[],
  details: Details,
): Promise<Contract> {
  if (events.length === 0) return before
  let contract = before
  const columns: Updateable<ContractTable> = {}
  const rows: RawBuilder<unknown>[] = []
  const published: OutboxEvent[] = []
  for (const event of events) {
    contract = evolve(contract, event)
    Object.assign(columns, columnsOf(event, details))
    published.push(outboxRowOf(event, contract.version, { contractId: id, accountId, environment }))
    if (event.type === 'party_readdressed')
      await storeReaddress(trx, id, event, { email: details.email, version: contract.version })
    const row = rowOfParty(trx, id, event, contract)
    if (row) rows.push(sql`, row_of_party as (${row})`)
  }
  const { status, version, changedAt: changed_at } = contract
  const change = { status, version, changed_at, has_decline: hasDecline(contract), ...columns }
  await sql`
    with changed as (${trx.updateTable('contract').set(change).where('id', '=', id)}) ${sql.join(rows, sql``)}
    ${outboxInsert(published)}`.execute(trx)
  if (columns.erased_at) {
    await sql`select erase_parties(${id})`.execute(trx)
    await eraseWords(trx, id)
  }
  // An owner may expire a contract of the sandbox early, which changes its place in the list.
  if (columns.expires_at)
    await sql`update contract_word set expires_at = ${columns.expires_at} where contract_id = ${id}`.execute(trx)
  return contract
}

/** The insert of a signature or a decline. A command has at most one of them. */
function rowOfParty(trx: Trx, id: string, event: ContractEvent, after: Contract) {
  if (event.type === 'party_signed') {
    const { partyIndex: party_index, attemptId: attempt_id, at: signed_at } = event
    return trx.insertInto('signature').values({ contract_id: id, party_index, attempt_id, signed_at })
  }
  if (event.type === 'party_declined') {
    const { partyIndex: party_index, declineId: decline_id, at: declined_at } = event
    const row = {
      contract_id: id,
      party_index,
      address_number: addressNumberOf(after, party_index),
      decline_id,
      declined_at,
    }
    return trx.insertInto('decline').values(row)
  }
  return undefined
}

/**
 * The columns that only this event changes. An erasure overwrites text, names and addresses, and keeps ids, times, states and hashes.
 * The share token's ciphertext has a retention of its own, because a replay of the POST needs it. [D17, D43, D46]
 */
function columnsOf(event: ContractEvent, { reason }: Details): Updateable<ContractTable> {
  const { type, at } = event
  if (type === 'completed') return { completed_at: at }
  if (type === 'expired') return { expires_at: at }
  if (type === 'cancelled') return { cancelled_at: at, cancelled_by: event.actor, cancel_reason: reason ?? null }
  if (type !== 'erased') return {}
  const wiped = {
    content: '',
    sender_name: 'erased',
    metadata: '{}',
    reply_address: null,
    cancel_reason: null,
  } as const
  const request = event.isRequested ? {} : { erase_due_at: null }
  return { erased_at: at, erase_requested_by: null, ...request, ...wiped }
}

async function readLocked(trx: Trx, id: string): Promise<ContractRecord> {
  const record = await readContract(trx, sql`c.id = ${id}`)
  if (!record) throw new Error(`contract ${id} disappeared under its row lock`)
  return record
}
