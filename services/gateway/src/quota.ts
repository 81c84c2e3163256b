// Stops weighted calls at the monthly quota where it is to be stopped, exactly, however many come at once. [D4]
// Far from the limit nothing is reserved: no more can be in flight than the window lets in. Near it each call reserves first
// (one conditional statement on the month's row); the usage commit turns the reservation into a count or gives it back.
import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Environment } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { GatewayDatabase } from './database.js'
import { within } from './deadline.js'
import type { Limits } from './tier.js'

export interface Reservation {
  id: string
  /** UTC day of the admission by the store's clock, `YYYY-MM-DD`: the call is counted on this day. */
  day: string
}

/** A figure of what was used is believed for so long: the window lets at most one minute's rate in meanwhile. */
const FIGURE_MS = 60_000
const FIGURES_MAX = 10_000
/** A database that takes longer is away. What it may still reserve lapses. */
const RESERVE_MS_MAX = 2_000
/** Reservations of a process that died lapse; longer than any call takes. */
const RESERVATION_SECONDS = 60

/** The stop at the monthly quota, for the calls that are to be stopped. */
export function createQuota(database: Kysely<GatewayDatabase>) {
  const figures = new Map<string, { billable: number; readAtMs: number }>()

  return {
    /**
     * Lets a weighted call through: with a reservation near the limit, without one far from it.
     * @param admittedAtMs `performance.now()` when the window admitted it
     * @throws DomainError `quota_exceeded` with the seconds until the period ends
     */
    async reserve(
      { accountId, environment }: { accountId: string; environment: Environment },
      { monthlyQuota, requestsPerMinute }: Limits,
      admittedAtMs: number,
    ): Promise<Reservation | undefined> {
      const name = `${accountId} ${environment}`
      const figure = figures.get(name)
      const readAtMs = performance.now()
      // Twice: what the window lets in while the figure ages, and what was in flight when it was read.
      const isFar = figure !== undefined && monthlyQuota - figure.billable > 2 * requestsPerMinute
      if (isFar && readAtMs - figure.readAtMs < FIGURE_MS) return undefined

      const id = randomUUID()
      const ageSeconds = (readAtMs - admittedAtMs) / 1_000
      const live = sql`(select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(m.reservations)
        where value::float8 > extract(epoch from clock_timestamp()) - ${RESERVATION_SECONDS}::float8)`
      const day = sql`((now() - make_interval(secs => ${ageSeconds}::float8)) at time zone 'utc')::date`
      // The condition is evaluated on the locked row, so that two calls never take the same last place.
      const reserving = sql<{ day: string; billable: number }>`
        insert into usage_month as m (account_id, environment, month, reservations)
        values (${accountId}, ${environment}, date_trunc('month', ${day})::date,
          jsonb_build_object(${id}::text, extract(epoch from clock_timestamp())))
        on conflict (account_id, environment, month) do update
        set reservations = ${live} || excluded.reservations
        where m.billable + (select count(*) from jsonb_each(${live})) < ${monthlyQuota}
        returning (${day})::text as day, m.billable`.execute(database)
      const [reserved] = (await within(RESERVE_MS_MAX, reserving)).rows
      if (!reserved) throw await quotaExceeded()
      if (figures.size >= FIGURES_MAX) figures.clear()
      figures.set(name, { billable: reserved.billable, readAtMs })
      return { id, day: reserved.day }
    },

    /** Gives back what was set aside for a call that was never answered. What cannot be given back lapses. [D22] */
    async giveBack(
      { accountId, environment }: { accountId: string; environment: Environment },
      { id, day }: Reservation,
    ): Promise<void> {
      const giving = sql`
        update usage_month set reservations = reservations - ${id}::text
        where account_id = ${accountId} and environment = ${environment} and month = date_trunc('month', ${day}::date)::date`
      await within(RESERVE_MS_MAX, giving.execute(database)).catch(() => undefined)
    },
  }

  async function quotaExceeded(): Promise<DomainError> {
    const { rows } = await sql<{ seconds: number }>`
      select ceil(extract(epoch from date_trunc('month', now() at time zone 'utc') + interval '1 month' - now() at time zone 'utc'))::int8
        as seconds`.execute(database)
    return new DomainError(
      'quota_exceeded',
      'The monthly quota is used up. Wait for the next billing period, or move to a larger tier.',
      { headers: { 'Retry-After': String(Math.max(1, rows[0]?.seconds ?? 1)) } },
    )
  }
}

export type Quota = ReturnType<typeof createQuota>
