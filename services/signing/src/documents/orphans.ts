// Finds objects that no row refers to and that nothing will delete. After a restore, these are the objects that were written after the
// restored moment. [P43]
import { sql, type Kysely } from 'kysely'
import { unavailable } from '@paraph/protocol/errors'
import type { SigningDatabase } from '../database.js'
import { contractOf, isKey } from './object-deletion.js'
import type { ObjectStore } from './object-store.js'

/** Younger objects are left alone: their commit may still come. Longer than a reservation. */
const AGE_MS_MIN = 86_400_000

export interface Orphans {
  /** Objects that this call looked at, also those that are not ours. */
  objects: number
  /** The keys of those without a row. */
  orphans: string[]
  /** The last key, with which the next call begins; null after the last one of all. */
  after: string | null
}

interface OrphansDeps {
  database: Kysely<SigningDatabase>
  objects: Pick<ObjectStore, 'list'>
}

/** One page of the search. With `isDeleting`, the objects found are then deleted as those of an erasure are. */
export const createOrphanSearch = ({ database, objects }: OrphansDeps) =>
  async function findOrphans(after: string, isDeleting: boolean): Promise<Orphans> {
    const listed = await objects.list(after).catch((error: unknown) => {
      throw unavailable(error)
    })
    const bornBeforeMs = Date.now() - AGE_MS_MIN
    const old = listed
      .filter(({ key, createdAt }) => isKey(key) && createdAt.getTime() < bornBeforeMs)
      .map(({ key }) => key)
    const known = await knownKeys(database, old)
    const orphans = old.filter((key) => !known.has(key))
    if (isDeleting && orphans.length > 0)
      await sql`
        insert into object_deletion (object_key) select unnest(${orphans}::text[])
            on conflict (object_key) do update set done_at = null, run_after = clock_timestamp()
         where object_deletion.done_at is not null`.execute(database)
    return { objects: listed.length, orphans, after: listed.at(-1)?.key ?? null }
  }

/** Those of `keys` that a row refers to or that are to be deleted. A key begins with its contract, by which it is found. */
async function knownKeys(database: Kysely<SigningDatabase>, keys: readonly string[]): Promise<Set<string>> {
  const contracts = [...new Set(keys.map(contractOf))]
  const { rows } = await sql<{ key: string }>`
    select object_key as key from sealed_evidence where contract_id = any(${contracts}::text[]) and object_key is not null
    union all
    select object_key from sealed_copy where contract_id = any(${contracts}::text[]) and object_key is not null
    union all
    select object_key from object_deletion where object_key = any(${keys}::text[]) and done_at is null`.execute(
    database,
  )
  return new Set(rows.map(({ key }) => key))
}
