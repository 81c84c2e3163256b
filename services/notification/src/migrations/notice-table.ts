import { sql, type Kysely } from 'kysely'

/** What owners should hear, until the gateway has mailed it. Ids only. [D70] */
export async function createNoticeTable(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table owner_notice (
      id bigint generated always as identity primary key,
      account_id text not null,
      contract_id text not null,
      kind text not null check
        (kind in ('invitation_refused', 'party_declined', 'contract_completed', 'contract_expired')),
      created_at timestamptz not null default clock_timestamp(),
      reported_at timestamptz
    )`.execute(database)
  await sql`create index owner_notice_waiting on owner_notice (kind, id) where reported_at is null`.execute(database)
  await sql`create index owner_notice_of_account on owner_notice (account_id, id) where reported_at is null`.execute(
    database,
  )
  await sql`create index owner_notice_age on owner_notice (reported_at) where reported_at is not null`.execute(database)
}
