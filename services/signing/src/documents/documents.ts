// The bytes of signed PDFs and evidence files: in their row, or in the object store with the key in the row. [P43, D30, D43]
// Every row has the hash and size of its bytes, which nobody can change; every read compares both. So an answer has the sealed bytes or
// is a 503. Does not own: the rows (sealing/queue.ts) and the move between the stores (move-documents.ts).
import { unavailable } from '@paraph/protocol/errors'
import type { Logger } from '@paraph/telemetry/logger'
import { count } from '@paraph/telemetry/metrics'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { SigningDatabase } from '../database.js'
import { keepObject, newKey, releaseObject, reserveObject } from './object-deletion.js'
import { isIntact, ObjectDamaged, sha256Of, type Expected, type ObjectStore } from './object-store.js'

export type DocumentKind = 'pdf' | 'jws'

/** Bytes that are stored, or will be with the commit of their row. Exactly one of `content` and `objectKey` is null. */
export interface StoredDocument extends Expected {
  content: Buffer | null
  objectKey: string | null
}

interface DocumentsDeps {
  database: Kysely<SigningDatabase>
  /** The object store; undefined if none is configured. */
  objects?: ObjectStore | undefined
  /** Where new documents go. `s3` requires `objects`. */
  newTo?: 'postgres' | 's3'
  logger: Logger
}

export type Documents = ReturnType<typeof createDocuments>

export function createDocuments({ database, objects, newTo = 'postgres', logger }: DocumentsDeps) {
  // A counter that begins at its first increase hides it from Prometheus.
  for (const reason of ['missing', 'altered']) count('paraph.document.damaged', { 'paraph.reason': reason }, 0)

  /** Writes bytes to the object store. Until `keepDocument` commits, the object is reserved for deletion. */
  async function putObject(contractId: string, kind: DocumentKind, bytes: Buffer): Promise<StoredDocument> {
    const sha256 = sha256Of(bytes)
    const objectKey = newKey(contractId, kind, sha256)
    await reserveObject(database, objectKey)
    await storeOf(objects).put(objectKey, bytes, sha256)
    return { sha256, size: bytes.length, content: null, objectKey }
  }

  /**
   * The verified bytes of a row.
   * @throws DomainError `unavailable` while the store does not answer, and for a missing or altered document, which is also reported
   */
  async function read(contractId: string, kind: DocumentKind): Promise<Buffer | undefined> {
    const stored = await readRow(database, contractId, kind)
    if (stored === undefined) return undefined
    try {
      return await readBytes(stored)
    } catch (error) {
      if (!(error instanceof ObjectDamaged)) throw unavailable(error)
      const now = await readRow(database, contractId, kind)
      // Erased or moved since the row was read.
      if (now?.objectKey !== stored.objectKey) return now && readBytes(now).catch(rejectUnavailable)
      const { reason } = error
      count('paraph.document.damaged', { 'paraph.reason': reason })
      logger.error({ contractId, document: kind, reason }, 'a stored document is missing or altered; answered 503')
      throw unavailable(error)
    }
  }

  /** @throws ObjectDamaged, ObjectStoreError */
  async function readBytes(stored: StoredDocument): Promise<Buffer> {
    const { content, objectKey } = stored
    if (objectKey !== null) return storeOf(objects).get(objectKey, stored)
    if (content === null || !isIntact(content, stored)) throw new ObjectDamaged('altered')
    return content
  }

  return {
    /** Prepares new bytes for their row: writes them to the object store if new documents go there. @throws ObjectStoreError */
    place: (contractId: string, kind: DocumentKind, bytes: Buffer): Promise<StoredDocument> =>
      newTo === 's3'
        ? putObject(contractId, kind, bytes)
        : Promise.resolve({ sha256: sha256Of(bytes), size: bytes.length, content: bytes, objectKey: null }),
    putObject,
    readBytes,
    /** The signed PDF; undefined before the sealing and after an erasure. @throws as `read` */
    readPdf: (contractId: string) => read(contractId, 'pdf'),
    /** The signed chain as a compact JWS; undefined before the sealing. @throws as `read` */
    readJws: async (contractId: string) => (await read(contractId, 'jws'))?.toString('utf8'),
  }
}

/** Call in the transaction that inserts or changes the row of a document. */
export async function keepDocument(trx: Transaction<SigningDatabase>, { objectKey }: StoredDocument): Promise<void> {
  if (objectKey !== null) await keepObject(trx, objectKey)
}

/** Call in the transaction that decides that no row will have the document: its object is deleted soon. */
export async function dropDocument(trx: Transaction<SigningDatabase>, { objectKey }: StoredDocument): Promise<void> {
  if (objectKey !== null) await releaseObject(trx, objectKey)
}

/** Where the rows of each kind are, in SQL. `column`: the bytes, or null. */
export const ROWS = {
  pdf: {
    table: sql.table('sealed_copy'),
    column: sql.ref('pdf'),
    bytes: sql`pdf`,
    measures: sql`pdf_sha256 as sha256, pdf_bytes as size`,
  },
  jws: {
    table: sql.table('sealed_evidence'),
    column: sql.ref('jws'),
    bytes: sql`convert_to(jws, 'UTF8')`,
    measures: sql`jws_sha256 as sha256, jws_bytes as size`,
  },
} as const

export async function readRow(
  database: Kysely<SigningDatabase>,
  contractId: string,
  kind: DocumentKind,
): Promise<StoredDocument | undefined> {
  const { table, bytes, measures } = ROWS[kind]
  const { rows } = await sql<StoredDocument>`
    select ${bytes} as content, ${measures}, object_key as "objectKey"
      from ${table} where contract_id = ${contractId}`.execute(database)
  return rows[0]
}

function rejectUnavailable(error: unknown): never {
  throw unavailable(error)
}

function storeOf(objects: ObjectStore | undefined): ObjectStore {
  if (objects) return objects
  throw new Error('a document is in the object store, and OBJECT_STORE_URL is not set')
}
