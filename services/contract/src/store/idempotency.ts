// Idempotency-Key on POST /contracts: one contract per key for 24 h, per account and environment. [D17]
// Owns: the lock on a key and its row. Only a 201 is remembered, in the transaction that makes the contract.
// Does not own: what a key may look like (idempotency-key).
import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { ContractDatabase } from './database.js'

type Trx = Transaction<ContractDatabase>
type Owner = Pick<Principal, 'accountId' | 'environment'>

const KEPT_HOURS = 24

/** The key itself is a client's text: only its hash is stored. */
const hash = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest()

/**
 * Locks the key until the transaction ends.
 * @param wait the gateway's own retry waits for the first try
 * @returns false while another holds it: the first request, still running, or one that replays it
 */
export async function claimKey(trx: Trx, owner: Owner, key: string, { wait }: { wait: boolean }): Promise<boolean> {
  const name = `${owner.accountId} ${owner.environment} ${hash(key).toString('hex')}`
  if (wait) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
    return true
  }
  const trying = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`
  return (await trying.execute(trx)).rows[0]?.locked ?? false
}

/** What the holder of a key that nobody could claim does is not known yet. */
export const stillRunning = () =>
  new DomainError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Try again in a second.',
    { headers: { 'Retry-After': '1' } },
  )

/**
 * The contract that this key made within 24 h.
 * @throws DomainError `idempotency_key_reused` when it was made from another body
 */
export async function findReplay(trx: Trx, owner: Owner, key: string, bodySha256: Buffer): Promise<string | undefined> {
  const row = await trx
    .selectFrom('idempotency')
    .select(['body_sha256', 'contract_id'])
    .where('account_id', '=', owner.accountId)
    .where('environment', '=', owner.environment)
    .where('key_sha256', '=', hash(key))
    .where('created_at', '>', sql<Date>`clock_timestamp() - make_interval(hours => ${KEPT_HOURS})`)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.body_sha256.equals(bodySha256)) return row.contract_id
  throw new DomainError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Use a new key for a new contract.',
  )
}

/** Remembers what the key made; a row older than 24 h is written over. */
export async function rememberKey(
  trx: Trx,
  owner: Owner,
  key: string,
  made: { bodySha256: Buffer; contractId: string },
): Promise<void> {
  const now = sql<Date>`clock_timestamp()`
  await trx
    .insertInto('idempotency')
    .values({
      account_id: owner.accountId,
      environment: owner.environment,
      key_sha256: hash(key),
      body_sha256: made.bodySha256,
      contract_id: made.contractId,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'environment', 'key_sha256'])
        .doUpdateSet({ body_sha256: made.bodySha256, contract_id: made.contractId, created_at: now }),
    )
    .execute()
}
