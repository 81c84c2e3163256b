// Idempotency-Key on POST /contracts: one contract per key for 30 days, per account and environment. [D17, D66]
// Owns: the syntax of a key [D11], the lock on it and its row. Only a 201 is stored, in the transaction that creates the contract.
import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '@paraph/protocol/contract'
import type { Principal } from '@paraph/protocol/principal'
import { DomainError } from '@paraph/protocol/errors'
import type { ContractDatabase } from '../database.js'

type Trx = Transaction<ContractDatabase>
type Owner = Pick<Principal, 'accountId' | 'environment'>

const VALID_DAYS = 30

/** Printable ASCII with spaces, but without the comma, because Node and proxies join repeated headers with a comma. */
const PRINTABLE = /^[\x20-\x2b\x2d-\x7e]*$/

/**
 * The key of a request; undefined if the header is absent.
 * @throws DomainError `invalid_request` for an empty or repeated header, a key that is too long, or characters beyond ASCII
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const message = keyError(header)
  if (message === undefined) return header
  throw new DomainError('invalid_request', message, { issues: [{ path: 'Idempotency-Key', message }] })
}

function keyError(key: string): string | undefined {
  if (key === '') return 'Idempotency-Key is empty. Send a value of your own, such as a UUID, or leave it out.'
  if (key.includes(',')) return 'Idempotency-Key must be sent once, without a comma. Send one key.'
  if (!PRINTABLE.test(key)) return 'Idempotency-Key must hold printable ASCII characters only, such as a UUID.'
  if (key.length > IDEMPOTENCY_KEY_LENGTH_MAX)
    return `Idempotency-Key must have at most ${IDEMPOTENCY_KEY_LENGTH_MAX} characters.`
  return undefined
}

/** A key is free text of the client; only its hash is stored. */
const hash = (key: string): Buffer => createHash('sha256').update(key, 'utf8').digest()

/**
 * Locks the key until the transaction ends.
 * @param wait true for the gateway's own retry, which waits for the first try
 * @returns false while another transaction, of the first request or of a replay, has the lock
 */
export async function claimKey(trx: Trx, owner: Owner, key: string, { wait }: { wait: boolean }): Promise<boolean> {
  const name = `${owner.accountId} ${owner.environment} ${hash(key).toString('hex')}`
  if (wait) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
    return true
  }
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(trx)
  return rows[0]?.locked ?? false
}

/** The error for a key that another transaction has locked, because the outcome of that transaction is not known yet. */
export const idempotencyInProgress = () =>
  new DomainError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running. Try again in a second.',
    { headers: { 'Retry-After': '1' } },
  )

/**
 * The id of the contract that this key created within 30 days.
 * @throws DomainError `idempotency_key_reused` when it was created from another body
 */
export async function findReplay(trx: Trx, owner: Owner, key: string, bodySha256: Buffer): Promise<string | undefined> {
  const row = await trx
    .selectFrom('idempotency')
    .select(['body_sha256', 'contract_id'])
    .where(({ and }) => and({ account_id: owner.accountId, environment: owner.environment, key_sha256: hash(key) }))
    .where('created_at', '>', sql<Date>`clock_timestamp() - make_interval(days => ${VALID_DAYS})`)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.body_sha256.equals(bodySha256)) return row.contract_id
  throw new DomainError(
    'idempotency_key_reused',
    'This Idempotency-Key was used with another body. Use a new key for a new contract.',
  )
}

/** Stores the contract that the key created; overwrites a row older than 30 days. */
export async function storeKey(
  trx: Trx,
  owner: Owner,
  key: string,
  { bodySha256, contractId }: { bodySha256: Buffer; contractId: string },
): Promise<void> {
  const entry = { body_sha256: bodySha256, contract_id: contractId, created_at: sql<Date>`clock_timestamp()` }
  await trx
    .insertInto('idempotency')
    .values({ account_id: owner.accountId, environment: owner.environment, key_sha256: hash(key), ...entry })
    .onConflict((conflict) => conflict.columns(['account_id', 'environment', 'key_sha256']).doUpdateSet(entry))
    .execute()
}
