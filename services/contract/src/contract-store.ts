// Rows of contracts, their parties and signatures, and the outbox row of every event, each change in one transaction.
// The only place that touches these rows. One row lock decides sign, cancel and expire. [States and transitions, D20, D48]
import { sql, type Kysely, type Transaction } from 'kysely'
import type { ContractStatus, ContractType } from '@paraph/protocol/contract'
import { appendToOutbox } from '@paraph/messaging/outbox'
import {
  decide,
  evolve,
  type Actor,
  type Command,
  type Contract,
  type ContractEvent,
  type Refusal,
} from './contract.js'
import type { ContractDatabase } from './database.js'

/** One contract with all that a reader may need but its text, at one instant of the database's clock. */
export interface ContractRecord {
  id: string
  accountId: string
  environment: 'production' | 'sandbox'
  contractNumber: string
  contractType: ContractType
  status: ContractStatus
  senderName: string
  accountName: string
  mailLanguage: 'en' | 'fr' | 'en+fr'
  timeZone: string
  replyAddress: string | null
  contentSha256: Buffer
  metadata: Record<string, string>
  shareToken: { keyId: string; bytes: Buffer } | null
  createdAt: Date
  expiresAt: Date
  changedAt: Date
  completedAt: Date | null
  cancelledAt: Date | null
  cancelledBy: Actor | null
  parties: { role: string; legalName: string; email: string; signedAt: Date | null }[]
  /** The database's clock when this was read. */
  readAt: Date
}

export type Changed = { contract: ContractRecord; events: ContractEvent[] }

/** `given_up`: the attempt was settled as never made, so it can no longer land. [D41] */
export type StoreRefusal = Refusal | 'given_up'

interface EventFacts {
  contractId: string
  accountId: string
  environment: 'production' | 'sandbox'
}

type Database = Kysely<ContractDatabase>
type Trx = Transaction<ContractDatabase>

export function createContractStore({ database, wakeRelay }: { database: Database; wakeRelay: () => void }) {
  /** By id. */
  const findById = (id: string) => read(database, sql`c.id = ${id}`)

  /** By SHA-256 of its share token. [D46] */
  const findByShareToken = (sha256: Buffer) => read(database, sql`c.share_token_sha256 = ${sha256}`)

  /** The exact text, as it was sent. */
  async function readContent(id: string): Promise<string | undefined> {
    const row = await database.selectFrom('contract').select('content').where('id', '=', id).executeTakeFirst()
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
    const result = await database.transaction().execute(async (trx) => {
      const locked = await lock(trx, id)
      if (!locked) return undefined
      if (command.type === 'sign' && (await isTombstoned(trx, command.attemptId))) {
        return { refusal: 'given_up' as const, contract: await readLocked(trx, id) }
      }
      const decision = decide(locked.contract, command, locked.now)
      if ('refusal' in decision) return { refusal: decision.refusal, contract: await readLocked(trx, id) }
      await store(trx, id, locked.contract, decision.events, reason)
      return { events: decision.events, contract: await readLocked(trx, id) }
    })
    if (result && 'events' in result && result.events.length > 0) wakeRelay()
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
    return database.transaction().execute(async (trx) => {
      const locked = await lock(trx, id)
      if (!locked) return undefined
      const recorded = locked.contract.signatures.find((signature) => signature.attemptId === attemptId)
      if (recorded) return recorded
      await trx
        .insertInto('sign_tombstone')
        .values({ attempt_id: attemptId, contract_id: id })
        .onConflict((conflict) => conflict.column('attempt_id').doNothing())
        .execute()
      return 'tombstoned' as const
    })
  }

  /** Ids of open contracts whose time is over, at most `count`, soonest first. */
  async function listDue(count: number): Promise<string[]> {
    const rows = await database
      .selectFrom('contract')
      .select('id')
      .where('status', 'in', ['pending_signature', 'partially_signed'])
      .where('expires_at', '<=', sql<Date>`clock_timestamp()`)
      .orderBy('expires_at')
      .limit(count)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Forgets share tokens that nobody can replay any more: 24 h after `expires_at`. [D46] */
  async function forgetShareTokens(count: number): Promise<number> {
    const { numAffectedRows } = await sql`
      update contract set share_token_sealed = null
       where id in (select id from contract
                     where share_token_sealed is not null and expires_at < clock_timestamp() - interval '24 hours'
                     order by expires_at limit ${count} for update skip locked)`.execute(database)
    return Number(numAffectedRows ?? 0)
  }

  return { findById, findByShareToken, readContent, execute, settle, listDue, forgetShareTokens }
}

export type ContractStore = ReturnType<typeof createContractStore>

/** What decisions are made on, under the row lock that decides sign, cancel and expire. */
async function lock(trx: Trx, id: string): Promise<{ contract: Contract; now: Date } | undefined> {
  const row = await trx
    .selectFrom('contract')
    .select(['status', 'expires_at', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  // A statement of its own after the lock: a clock read in the locking statement is from before the wait. [D20]
  const facts = await sql<{
    now: Date
    party_count: number
    signatures: { partyIndex: number; attemptId: string; signedAt: string }[]
  }>`
    select clock_timestamp() as now,
           (select count(*)::int from party where contract_id = ${id}) as party_count,
           (select coalesce(json_agg(json_build_object('partyIndex', party_index, 'attemptId', attempt_id, 'signedAt', signed_at)), '[]')
              from signature where contract_id = ${id}) as signatures`.execute(trx)
  const { now, party_count, signatures } = facts.rows[0]!
  return {
    now,
    contract: {
      status: row.status,
      partyCount: party_count,
      signatures: signatures.map((signature) => ({ ...signature, signedAt: new Date(signature.signedAt) })),
      expiresAt: row.expires_at,
      version: row.version,
    },
  }
}

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
  id: string,
  before: Contract,
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
    const { account_id, environment } = await trx
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
      .returning(['account_id', 'environment'])
      .executeTakeFirstOrThrow()
    await tell(trx, event, contract.version, { contractId: id, accountId: account_id, environment })
  }
}

/** The outbox row of `event`. */
function tell(trx: Trx, event: ContractEvent, sequence: number, facts: EventFacts): Promise<void> {
  const at = event.at.toISOString()
  const row = {
    topic: 'contract.events.v1',
    subject: facts.contractId,
    sequence,
    time: event.at,
    notify: true,
  } as const
  switch (event.type) {
    case 'party_signed': {
      const { partyIndex, attemptId, signed, total } = event
      const data = { ...facts, partyIndex, attemptId, signedAt: at, signed, total }
      return appendToOutbox(trx, { ...row, type: 'contract.party_signed', data })
    }
    case 'completed':
      return appendToOutbox(trx, {
        ...row,
        type: 'contract.completed',
        data: { ...facts, total: event.total, completedAt: at },
      })
    case 'expired':
      return appendToOutbox(trx, { ...row, type: 'contract.expired', data: { ...facts, at } })
    case 'cancelled':
      return appendToOutbox(trx, { ...row, type: 'contract.cancelled', data: { ...facts, at, actor: event.actor } })
  }
}

async function readLocked(trx: Trx, id: string): Promise<ContractRecord> {
  const record = await read(trx, sql`c.id = ${id}`)
  if (!record) throw new Error('a locked contract is gone')
  return record
}

interface Row {
  id: string
  account_id: string
  environment: 'production' | 'sandbox'
  contract_number: string
  contract_type: ContractType
  status: ContractStatus
  sender_name: string
  account_name: string
  mail_language: 'en' | 'fr' | 'en+fr'
  time_zone: string
  reply_address: string | null
  content_sha256: Buffer
  metadata: Record<string, string>
  share_token_sealed: Buffer | null
  share_token_key_id: string
  created_at: Date
  expires_at: Date
  changed_at: Date
  completed_at: Date | null
  cancelled_at: Date | null
  cancelled_by: Actor | null
  parties: { role: string; legalName: string; email: string; signedAt: string | null }[]
  read_at: Date
}

/** One statement, so that status, parties and signatures are of one instant. The text is not read here: it is up to 50 KB. */
async function read(database: Database | Trx, where: ReturnType<typeof sql>): Promise<ContractRecord | undefined> {
  const { rows } = await sql<Row>`
    select c.id, c.account_id, c.environment, c.contract_number, c.contract_type, c.status, c.sender_name, c.account_name,
           c.mail_language, c.time_zone, c.reply_address, c.content_sha256, c.metadata, c.share_token_sealed, c.share_token_key_id,
           c.created_at, c.expires_at, c.changed_at, c.completed_at, c.cancelled_at, c.cancelled_by, clock_timestamp() as read_at,
           (select json_agg(json_build_object('role', p.role, 'legalName', p.legal_name, 'email', p.email, 'signedAt', s.signed_at)
                            order by p.party_index)
              from party p left join signature s using (contract_id, party_index)
             where p.contract_id = c.id) as parties
      from contract c
     where ${where}`.execute(database)
  const row = rows[0]
  if (!row) return undefined
  return {
    id: row.id,
    accountId: row.account_id,
    environment: row.environment,
    contractNumber: row.contract_number,
    contractType: row.contract_type,
    status: row.status,
    senderName: row.sender_name,
    accountName: row.account_name,
    mailLanguage: row.mail_language,
    timeZone: row.time_zone,
    replyAddress: row.reply_address,
    contentSha256: row.content_sha256,
    metadata: row.metadata,
    shareToken: row.share_token_sealed && { keyId: row.share_token_key_id, bytes: row.share_token_sealed },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    changedAt: row.changed_at,
    completedAt: row.completed_at,
    cancelledAt: row.cancelled_at,
    cancelledBy: row.cancelled_by,
    parties: row.parties.map((party) => ({
      ...party,
      signedAt: party.signedAt === null ? null : new Date(party.signedAt),
    })),
    readAt: row.read_at,
  }
}
