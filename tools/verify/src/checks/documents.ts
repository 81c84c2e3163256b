// Checks I5: the documents in the object store are those that were sealed, and those of erased contracts are gone. [P43, D43]
// Compares the store with the hash and size in the row, which never change. The reader verifies; no document comes here.
import { listBroken, violationsOf, type ContractCheck, type Found, type TableCheck } from '../check.js'

interface ObjectRow {
  contractId: string
  key: string
  sha256: string
  size: number
  /** Whether the object is to be deleted although a row refers to it. */
  isToDelete: boolean
}

/** Requests to the object store at the same time. */
const CONCURRENT = 16

const objectsOf = (table: string, document: string): string => `
  select contract_id as "contractId", object_key as key, ${document}_sha256 as sha256, ${document}_bytes as size,
         exists (select from object_deletion d where d.object_key = o.object_key) as "isToDelete"
    from ${table} o where contract_id between $1 and $2 and object_key is not null`

export const documentsAreStored: ContractCheck = {
  invariants: ['I5'],
  compares: 'the signed PDFs and evidence in the object store with the hash and size in their rows',
  async check({ sessions, objects, range: { from, to } }) {
    const rows = await sessions.signing.query<ObjectRow & Record<string, unknown>>(
      `${objectsOf('sealed_evidence', 'jws')} union all ${objectsOf('sealed_copy', 'pdf')}`,
      [from, to],
    )
    const found: Found = { counts: { [objects ? 'objects' : 'objects not read']: rows.length }, violations: [] }
    for (let at = 0; at < rows.length; at += CONCURRENT) {
      const some = rows.slice(at, at + CONCURRENT)
      const states = objects
        ? await Promise.all(some.map(({ key, sha256, size }) => objects.check(key, { sha256, size })))
        : []
      for (const [index, { contractId, isToDelete }] of some.entries()) {
        const state = states[index]
        found.violations.push(
          ...violationsOf(contractId, [
            [state === 'missing', 'I5', 'broken', 'has a document that is missing in the object store'],
            [state === 'altered', 'I5', 'broken', 'has a document that was altered in the object store'],
            [isToDelete, 'I5', 'broken', 'has a document in the object store that is about to be deleted'],
          ]),
        )
      }
    }
    return found
  },
}

export const objectsAreDeleted: TableCheck = {
  invariants: ['I5'],
  compares: 'the objects to delete with the time since they became due',
  parts: [
    {
      reads: ['signing'],
      check: async ({ signing }, { withinSeconds }) => ({
        counts: {},
        ...(await listBroken(
          signing,
          'I5',
          'has an object in the object store that should be deleted by now',
          `select distinct split_part(object_key, '/', 1) as subject from object_deletion
            where done_at is null and greatest(created_at, reserved_until) < clock_timestamp() - make_interval(secs => $1)`,
          [withinSeconds],
          'late',
        )),
      }),
    },
  ],
}
