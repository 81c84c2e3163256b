// Moves stored documents between their rows and the object store, some at a time. [P43]
// Each document is verified, written to its new place and then committed there. So a move can be stopped at any moment and started again,
// and runs beside the service and beside another move.
import { unavailable } from '@paraph/protocol/errors'
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely } from 'kysely'
import type { SigningDatabase } from '../database.js'
import {
  dropDocument,
  keepDocument,
  readRow,
  ROWS,
  type DocumentKind,
  type Documents,
  type StoredDocument,
} from './documents.js'
import { deleteObject } from './object-deletion.js'
import { ObjectDamaged } from './object-store.js'

/** Contracts that a call reads. Those whose documents have moved cost little, so that a repeated run soon finds the others. */
const CONTRACTS_MAX = 2_000
/** Contracts whose two documents move at the same time. Of the 10 connections of a default pool, the pages keep most. */
const CONCURRENT = 2
/** After this time a call returns. The command makes the next one, and waits 30 s for each. */
const CALL_MS_MAX = 3_000

export type Target = 'postgres' | 's3'

export interface Moved {
  /** Documents that this call moved, and their bytes. */
  documents: number
  bytes: number
  /** Missing or altered documents, which stay as they are. */
  damaged: { contractId: string; kind: DocumentKind; reason: string }[]
  /** The last contract that is done, with which the next call begins; null after the last one of all. */
  after: string | null
}

interface MoveDeps {
  database: Kysely<SigningDatabase>
  documents: Pick<Documents, 'putObject' | 'readBytes'>
  logger: Logger
}

/** The move, for the operator's command. */
export function createMove({ database, documents, logger }: MoveDeps) {
  async function moveOne(moved: Moved, to: Target, contractId: string, kind: DocumentKind): Promise<void> {
    try {
      const stored = await readRow(database, contractId, kind)
      if (stored === undefined || placeOf(stored) === to) return
      const bytes = await documents.readBytes(stored)
      const next =
        to === 's3'
          ? await documents.putObject(contractId, kind, bytes)
          : { ...stored, content: bytes, objectKey: null }
      if (!(await replaceRow(database, contractId, kind, stored, next))) return
      moved.documents += 1
      moved.bytes += bytes.length
    } catch (error) {
      if (!(error instanceof ObjectDamaged)) throw unavailable(error)
      const { reason } = error
      logger.error({ contractId, document: kind, reason }, 'could not move a document: it is missing or altered')
      moved.damaged.push({ contractId, kind, reason })
    }
  }

  /** Moves the documents of contracts after `after`, in the order of their ids. @throws DomainError `unavailable` while a store fails */
  return async function move(to: Target, after: string): Promise<Moved> {
    const moved: Moved = { documents: 0, bytes: 0, damaged: [], after }
    const contracts = await contractsAfter(database, after, to)
    const endsAtMs = performance.now() + CALL_MS_MAX
    for (let at = 0; at < contracts.length; at += CONCURRENT) {
      if (performance.now() > endsAtMs) return moved
      const some = contracts.slice(at, at + CONCURRENT)
      await Promise.all(
        some.flatMap(({ contractId, kinds }) => kinds.map((kind) => moveOne(moved, to, contractId, kind))),
      )
      moved.after = some.at(-1)?.contractId ?? after
    }
    if (contracts.length < CONTRACTS_MAX) moved.after = null
    return moved
  }
}

const placeOf = ({ objectKey }: StoredDocument): Target => (objectKey === null ? 'postgres' : 's3')

/** The next contracts, each with the kinds of its documents that are not at `to`. */
async function contractsAfter(database: Kysely<SigningDatabase>, after: string, to: Target) {
  const isElsewhere = to === 's3' ? sql`is null` : sql`is not null`
  const { rows } = await sql<{ contractId: string; kinds: DocumentKind[] }>`
    select e.contract_id as "contractId",
           array_remove(array[case when e.object_key ${isElsewhere} then 'jws' end,
                              case when c.contract_id is not null and c.object_key ${isElsewhere} then 'pdf' end], null) as kinds
      from sealed_evidence e left join sealed_copy c on c.contract_id = e.contract_id
     where e.contract_id > ${after} order by e.contract_id limit ${CONTRACTS_MAX}`.execute(database)
  return rows
}

/** @returns false when the document was moved or erased meanwhile; the new place is then given up */
const replaceRow = (
  database: Kysely<SigningDatabase>,
  contractId: string,
  kind: DocumentKind,
  from: StoredDocument,
  to: StoredDocument,
): Promise<boolean> =>
  database.transaction().execute(async (trx) => {
    const { table, column } = ROWS[kind]
    const content = kind === 'jws' ? (to.content?.toString('utf8') ?? null) : to.content
    const { rows } = await sql`
      update ${table} set ${column} = ${content}, object_key = ${to.objectKey}
       where contract_id = ${contractId} and object_key is not distinct from ${from.objectKey}
      returning 1`.execute(trx)
    if (rows.length === 0) {
      await dropDocument(trx, to)
      return false
    }
    await keepDocument(trx, to)
    if (from.objectKey !== null) await deleteObject(trx, from.objectKey, { isMoved: true })
    return true
  })
