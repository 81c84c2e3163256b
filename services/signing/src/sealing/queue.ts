// The queue of contracts to seal, and the rows of sealed evidence and PDFs. [D30]
// Owns the claims, and the rule that the first stored bytes stay. Does not own making the bytes (worker.ts), and where the bytes are
// (documents/documents.ts).
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type Transaction } from 'kysely'
import { appendToOutbox } from '@paraph/messaging/outbox'
import { QUEUED_COLUMNS, type QueuedTask, type TaskTable } from '@paraph/messaging/task-queue'
import type { EventData } from '@paraph/protocol/events'
import { currentTraceparent } from '@paraph/telemetry/trace-context'
import type { SigningDatabase } from '../database.js'
import { isErased } from '../chain/erasure.js'
import { lockChain } from '../chain/chain-store.js'
import { dropDocument, keepDocument, type StoredDocument } from '../documents/documents.js'

type Trx = Transaction<SigningDatabase>

/** Number of failures from which the last page and `paraph.seal.troubled` report a seal. */
const FAILURES_REPORTED = 5
/** Whether an open task has failed FAILURES_REPORTED times. Attempts of killed processes count; an attempt under way does not. */
export const IS_TROUBLED = sql<boolean>`
  attempts - case when claimed_until > clock_timestamp() then 1 else 0 end >= ${FAILURES_REPORTED}`

/** A claimed task: until the claim ends, only this process may seal the contract's chain. */
export interface SealTask extends QueuedTask {
  /** Id of the contract. */
  id: string
}

export const SEALS: TaskTable = {
  table: 'seal_task',
  key: 'contract_id',
  // Longer than one seal takes: two RPC calls, twice 10 s for the PDF, and two objects of 8 s each. Counts the attempt here, so that a killed process counts too.
  lease: { column: 'claimed_until', seconds: 60, set: sql`attempts = attempts + 1` },
  due: sql`done_at is null`,
  order: sql`run_after`,
  batch: 1,
  columns: sql`contract_id as id, attempts, ${QUEUED_COLUMNS}`,
  retry: {
    firstMs: 1_000,
    maxMs: 600_000,
    set: (error) => sql`claimed_until = null, last_reason = ${reasonOf(error)}`,
  },
}

/** The name and message of an error; the errors of a sealing contain no contract data. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown'

/** The documents of one contract. `pdf` is null when its text and names were erased before. */
export interface Sealed {
  keyId: string
  jws: StoredDocument
  pdf: StoredDocument | null
}

/** Call in the transaction that closes the chain of a signed contract. */
export async function queueSeal(trx: Trx, contractId: string): Promise<void> {
  await sql`
    insert into seal_task (contract_id, traceparent) values (${contractId}, ${currentTraceparent() ?? null})
    on conflict do nothing`.execute(trx)
}

/**
 * Stores the sealed documents and publishes the event, once: those of the first process stay, those of a second are dropped.
 * @returns whether these bytes were the first
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
    .values({
      contract_id: contractId,
      key_id: keyId,
      jws: jws.content?.toString('utf8') ?? null,
      jws_sha256: jws.sha256,
      jws_bytes: jws.size,
      object_key: jws.objectKey,
    })
    .onConflict((conflict) => conflict.column('contract_id').doNothing())
    .returning('sealed_at')
    .executeTakeFirst()
  const kept: readonly unknown[] = stored ? [jws, copy] : []
  for (const document of pdf ? [jws, pdf] : [jws])
    await (kept.includes(document) ? keepDocument(trx, document) : dropDocument(trx, document))
  if (stored) {
    if (copy)
      await trx
        .insertInto('sealed_copy')
        .values({
          contract_id: contractId,
          pdf: copy.content,
          pdf_sha256: copy.sha256,
          pdf_bytes: copy.size,
          object_key: copy.objectKey,
        })
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

/** Whether the chain is signed, also after an erasure. */
export async function isSealed(database: Kysely<SigningDatabase>, contractId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sealed_evidence where contract_id = ${contractId}`.execute(database)
  return rows.length > 0
}

/** The copies of a contract, for its last page. `troubled`: still retried, after repeated failures. */
export type Copies =
  { state: 'preparing' | 'troubled' | 'erased' } | { state: 'ready'; keyId: string; pdfBytes: number; jwsBytes: number }

/** `preparing` also covers a chain that is not closed yet. */
export async function readCopies(database: Kysely<SigningDatabase>, contractId: string): Promise<Copies> {
  type Row = { isTroubled: boolean | null; keyId: string | null; jwsBytes: number; pdfBytes: number | null }
  const { rows } = await sql<Row>`
    select (select ${IS_TROUBLED} from seal_task where contract_id = ${contractId} and done_at is null) as "isTroubled",
           e.key_id as "keyId", e.jws_bytes as "jwsBytes", c.pdf_bytes as "pdfBytes"
      from (values (${contractId})) as asked (id)
      left join sealed_evidence e on e.contract_id = asked.id
      left join sealed_copy c on c.contract_id = asked.id`.execute(database)
  const { isTroubled, keyId, jwsBytes, pdfBytes } = elementAt(rows, 0)
  if (keyId === null) return { state: isTroubled ? 'troubled' : 'preparing' }
  return pdfBytes === null ? { state: 'erased' } : { state: 'ready', keyId, jwsBytes, pdfBytes }
}
