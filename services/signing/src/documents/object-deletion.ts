// The objects to delete: those of erased contracts, and those that were written and that no commit refers to. [P43, D43]
// An object gets its row before it is written, and loses it in the commit that refers to it. So a killed process leaves no object that
// nothing deletes. Keys are never used again, so that a late answer to a deletion cannot concern a newer object.
import { randomBytes } from 'node:crypto'
import { createTaskQueue, QUEUED_COLUMNS, type QueuedTask, type TaskTable } from '@paraph/messaging/task-queue'
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely'
import type { SigningDatabase } from '../database.js'
import type { ObjectStore } from './object-store.js'

type Trx = Transaction<SigningDatabase>

/** Far longer than a seal or a move takes from the reservation to the commit. */
const RESERVED_FOR = '1 hour'
/** Far longer than a write to the object store, which may be under way when its contract is erased. */
const RESERVED_AFTER_ERASURE = '1 minute'
/** After a move back to Postgres, so that a backup from before the move can still be restored. */
const KEPT_AFTER_MOVE = '30 days'

interface Deletion extends QueuedTask {
  /** The key of the object. */
  id: string
}

export const DELETIONS: TaskTable = {
  table: 'object_deletion',
  key: 'object_key',
  // Longer than one deletion. Counts the attempt here: after an attempt, no commit may refer to the object any more.
  lease: { column: 'claimed_until', seconds: 60, set: sql`attempts = attempts + 1` },
  due: sql`done_at is null and (reserved_until is null or reserved_until < clock_timestamp())`,
  order: sql`run_after`,
  batch: 10,
  columns: sql`object_key as id, attempts, ${QUEUED_COLUMNS}`,
  retry: { firstMs: 1_000, maxMs: 600_000, set: () => sql`claimed_until = null` },
}

/** The loop that deletes objects. */
export const createObjectDeletion = ({
  database,
  objects,
  logger,
}: {
  database: Kysely<SigningDatabase>
  objects: Pick<ObjectStore, 'delete'>
  logger: Logger
}) =>
  createTaskQueue<Deletion>({
    database,
    queue: DELETIONS,
    span: 'delete object',
    subjectOf: ({ id }) => contractOf(id),
    async perform({ id }) {
      await objects.delete(id)
      await sql`update object_deletion set done_at = clock_timestamp(), claimed_until = null where object_key = ${id}`.execute(
        database,
      )
    },
    onFailure: (error, { id, attempts }, waitMs) =>
      logger.warn(
        { err: error, contractId: contractOf(id), attempts, retryInMs: waitMs },
        'could not delete an object; retrying',
      ),
    failureMessage: 'could not read or reschedule the deletion of objects; retrying',
    logger,
  })

/** A key: the contract, the kind and hash of the content, and random characters. Contains no personal data. */
export const newKey = (contractId: string, kind: 'pdf' | 'jws', sha256: string): string =>
  `${contractId}/${kind}-${sha256}-${randomBytes(4).toString('hex')}`

const KEY_FORM = /^[^/]+\/(pdf|jws)-[0-9a-f]{64}-[0-9a-f]{8}$/

/** Whether `newKey` makes such keys. Other objects of a bucket are not ours. */
export const isKey = (text: string): boolean => KEY_FORM.test(text)

/** The contract of a key. */
export const contractOf = (key: string): string => key.split('/', 1)[0] ?? ''

/** Commits that `key` is deleted unless a transaction keeps it in time. Call before the object is written. */
export async function reserveObject(database: QueryExecutorProvider, key: string): Promise<void> {
  await sql`
    insert into object_deletion (object_key, reserved_until)
    values (${key}, clock_timestamp() + ${RESERVED_FOR}::interval)`.execute(database)
}

/** Call in the transaction that stores the key in a row. @throws Error if the object is being deleted */
export async function keepObject(trx: Trx, key: string): Promise<void> {
  const { rows } = await sql`
    delete from object_deletion where object_key = ${key} and attempts = 0 returning 1`.execute(trx)
  if (rows.length === 0) throw new Error('an object was not committed in time, and is being deleted')
}

/** An object that was written and that no row will refer to: it is deleted now instead of at the end of its reservation. */
export async function releaseObject(trx: Trx, key: string): Promise<void> {
  await sql`update object_deletion set reserved_until = null where object_key = ${key}`.execute(trx)
}

/** Call in the transaction after which no row refers to `key`. */
export async function deleteObject(trx: Trx, key: string, { isMoved = false } = {}): Promise<void> {
  const until = isMoved ? sql`clock_timestamp() + ${KEPT_AFTER_MOVE}::interval` : sql`null`
  await sql`insert into object_deletion (object_key, reserved_until) values (${key}, ${until})`.execute(trx)
}

/**
 * Call in the transaction of an erasure: brings forward the deletion of the contract's reserved PDFs. Not to now: a PDF may be on its way
 * to the store, and one that arrived after its deletion would stay there. [D43]
 */
export async function deleteReservedPdfs(trx: Trx, contractId: string): Promise<void> {
  await sql`
    update object_deletion set reserved_until = clock_timestamp() + ${RESERVED_AFTER_ERASURE}::interval
     where object_key >= ${`${contractId}/pdf-`} and object_key < ${`${contractId}/pdf.`} and done_at is null
       and reserved_until > clock_timestamp() + ${RESERVED_AFTER_ERASURE}::interval`.execute(trx)
}
