import { sql, type Kysely } from 'kysely'

/** What the payment provider knows about an account, and the events that were applied. [D74] */
export async function createBillingTables(database: Kysely<unknown>): Promise<void> {
  await sql`
    create table billing_customer (
      account_id text primary key references account (id),
      customer_id text not null constraint billing_customer_unique unique,
      -- The provider's word for the state of the subscription; null until there is one.
      status text,
      -- The subscription can still be charged, so only the provider may change or end the plan.
      is_open boolean not null default false,
      -- When the owner's cancellation takes effect.
      cancel_at timestamptz(3),
      -- Since when a payment is missing; the days of grace count from here.
      unpaid_since timestamptz(3),
      -- Grows with each write, so that an older state of the provider never replaces a newer one.
      revision integer not null default 0,
      checked_at timestamptz(3) not null default clock_timestamp()
    )`.execute(database)
  await sql`create index billing_customer_open on billing_customer (checked_at) where is_open`.execute(database)
  await sql`
    create table billing_event (
      id text primary key,
      type text not null,
      account_id text not null references account (id),
      received_at timestamptz(3) not null default clock_timestamp()
    )`.execute(database)
  await sql`create index billing_event_age on billing_event (received_at)`.execute(database)
}
