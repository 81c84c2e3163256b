// The approved brand of each account, from the account events that a service consumes. [D47, D59]
// Owns what to show; the bytes of a logo are the signing service's.
import type { Brand } from '@paraph/protocol/brand'
import { sql, type Kysely, type QueryExecutorProvider, type RawBuilder, type Transaction } from 'kysely'
import type { ReceivedEvent } from './event-reader.js'

export type BrandEvent = Extract<ReceivedEvent, { type: 'account.brand_changed' }>

/** The table `account_brand`, for one numbered migration of a service. A removed brand keeps its row, for the order of events. */
export async function createBrandTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table account_brand (
    account_id text primary key,
    accent text,
    logo jsonb,
    sequence bigint not null
  )`.execute(db)
}

/** Records a brand in the transaction of its inbox row. @returns false, without a change, for an event older than the recorded one */
export async function recordBrand<Tables>(
  trx: Transaction<Tables>,
  { data: { accountId, accent, logo }, sequence }: BrandEvent,
): Promise<boolean> {
  const { hex: _bytes, ...facts } = logo ?? {}
  const { rows } = await sql`
    insert into account_brand (account_id, accent, logo, sequence)
    values (${accountId}, ${accent}, ${logo && JSON.stringify(facts)}::jsonb, ${sequence}::bigint)
    on conflict (account_id) do update set accent = excluded.accent, logo = excluded.logo, sequence = excluded.sequence
     where account_brand.sequence < excluded.sequence
    returning 1`.execute(trx)
  return rows.length === 1
}

/** The same as part of a statement: `Brand` as jsonb, or null. @param accountId an SQL expression whose columns name their table */
export const brandSql = (accountId: RawBuilder<unknown>) => sql`(
  select jsonb_build_object('accent', accent, 'logo', logo) from account_brand
   where account_id = ${accountId} and (accent is not null or logo is not null))`

/** The brand that the operator approved; undefined for an account without one. */
export async function readBrand(database: QueryExecutorProvider, accountId: string): Promise<Brand | undefined> {
  const { rows } = await sql<Brand>`
    select accent, logo from account_brand
     where account_id = ${accountId} and (accent is not null or logo is not null)`.execute(database)
  return rows[0]
}
