// The rows of what is to be sealed and of what was. [D30]
// Owns: who has a contract in hand, that the first bytes win. Does not own: how bytes are made (sealing.ts).
import { sql, type Kysely, type Transaction } from 'kysely'
import { appendToOutbox } from '@paraph/messaging/outbox'
import type { EventData } from '@paraph/protocol/events'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { SigningDatabase } from './database.js'
import { isErased } from './erasure.js'
import { lockChain } from './evidence-chain.js'

type Trx = Transaction<SigningDatabase>

/** Longer than one takes: facts and text by RPC, 10 s for the PDF. A killed process's contract is another's after that. */
const CLAIM_SECONDS = 60
/** After so many failures the page says that something is wrong, and so does a metric. */
const FAILURES_TOLD = 5
/** Attempts that came to nothing, those of processes that died included; the one under way has not failed yet. */
const FAILURES = sql<number>`(attempts - case when claimed_until > clock_timestamp() then 1 else 0 end)`

/** A closed chain that this process alone may seal until its claim ends. */
export interface SealTask {
  contractId: string
  /** This one included. */
  attempts: number
  ageMs: number
  traceparent: string | null
}

/** The bytes of one contract. `pdf` is null where its text and names were erased before. */
export interface Sealed {
  keyId: string
  jws: string
  pdf: { bytes: Uint8Array; sha256: string } | null
}

/** In the transaction that closes the chain of a contract that everyone has signed. */
export async function noteSeal(trx: Trx, contractId: string): Promise<void> {
  await trx
    .insertInto('seal_task')
    .values({ contract_id: contractId, traceparent: currentTraceparent() ?? null })
    .onConflict((conflict) => conflict.column('contract_id').doNothing())
    .execute()
}

/** The one that is due longest, counted as tried. */
export async function claimSeal(database: Kysely<SigningDatabase>): Promise<SealTask | undefined> {
  const { rows } = await sql<SealTask>`
    update seal_task set attempts = attempts + 1, claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
     where contract_id = (select contract_id from seal_task
                           where done_at is null and run_after <= clock_timestamp()
                             and (claimed_until is null or claimed_until < clock_timestamp())
                           order by run_after limit 1 for update skip locked)
    returning contract_id as "contractId", attempts, traceparent,
              (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "ageMs"`.execute(database)
  return rows[0]
}

/** Due again after `waitMs`. @param reason without a word of the contract */
export async function putOffSeal(
  database: Kysely<SigningDatabase>,
  { contractId }: SealTask,
  waitMs: number,
  reason: string,
): Promise<void> {
  await sql`
    update seal_task set run_after = clock_timestamp() + make_interval(secs => ${waitMs / 1_000}), claimed_until = null, last_reason = ${reason}
     where contract_id = ${contractId} and done_at is null`.execute(database)
}

/**
 * Stores what was sealed and tells it, once: of two processes the first one's bytes stay, and the other's are dropped.
 * @returns whether these were the first
 */
export async function storeSealed(
  trx: Trx,
  event: Omit<EventData<'signing.evidence_sealed'>, 'sealedAt'>,
  { keyId, jws, pdf }: Sealed,
): Promise<boolean> {
  const { contractId } = event
  await lockChain(trx, contractId)
  const copy = (await isErased(trx, contractId)) ? null : pdf
  const stored = await trx
    .insertInto('sealed_evidence')
    .values({ contract_id: contractId, key_id: keyId, jws })
    .onConflict((conflict) => conflict.column('contract_id').doNothing())
    .returning('sealed_at')
    .executeTakeFirst()
  if (stored) {
    if (copy)
      await trx
        .insertInto('sealed_copy')
        .values({ contract_id: contractId, pdf: Buffer.from(copy.bytes), pdf_sha256: copy.sha256 })
        .execute()
    await appendToOutbox(trx, {
      topic: 'signing.events.v1',
      type: 'signing.evidence_sealed',
      subject: contractId,
      sequence: 1,
      time: stored.sealed_at,
      data: { ...event, sealedAt: stored.sealed_at.toISOString() },
    })
  }
  await sql`update seal_task set done_at = clock_timestamp(), claimed_until = null, last_reason = null
    where contract_id = ${contractId} and done_at is null`.execute(trx)
  return stored !== undefined
}

/** What the last page of a contract says of its copies. `troubled`: still tried, and has failed too often to say nothing. */
export type Copies =
  { state: 'preparing' | 'troubled' | 'erased' } | { state: 'ready'; keyId: string; pdfBytes: number; jwsBytes: number }

/** Also while the chain is not closed yet: then it is being prepared, too. */
export async function readCopies(database: Kysely<SigningDatabase>, contractId: string): Promise<Copies> {
  const { rows } = await sql<{
    failures: number | null
    keyId: string | null
    jwsBytes: number
    pdfBytes: number | null
  }>`
    select (select ${FAILURES} from seal_task where contract_id = ${contractId} and done_at is null) as failures,
           e.key_id as "keyId", octet_length(e.jws) as "jwsBytes", octet_length(c.pdf) as "pdfBytes"
      from (values (${contractId})) as asked (id)
      left join sealed_evidence e on e.contract_id = asked.id
      left join sealed_copy c on c.contract_id = asked.id`.execute(database)
  const { failures, keyId, jwsBytes, pdfBytes } = rows[0]!
  if (keyId === null) return { state: (failures ?? 0) >= FAILURES_TOLD ? 'troubled' : 'preparing' }
  return pdfBytes === null ? { state: 'erased' } : { state: 'ready', keyId, jwsBytes, pdfBytes }
}

/** The sealed PDF; undefined before it is there and after it was erased. */
export async function readCopy(database: Kysely<SigningDatabase>, contractId: string): Promise<Buffer | undefined> {
  const row = await database
    .selectFrom('sealed_copy')
    .select('pdf')
    .where('contract_id', '=', contractId)
    .executeTakeFirst()
  return row?.pdf
}

/** The signed chain, compact; undefined before it is sealed. */
export async function readJws(database: Kysely<SigningDatabase>, contractId: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('sealed_evidence')
    .select('jws')
    .where('contract_id', '=', contractId)
    .executeTakeFirst()
  return row?.jws
}

/** How many contracts wait for their seal after so many failures that people read of it. */
export async function countTroubled(database: Kysely<SigningDatabase>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from seal_task where done_at is null and ${FAILURES} >= ${FAILURES_TOLD}`.execute(
    database,
  )
  return rows[0]!.count
}
