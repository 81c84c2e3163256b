// An account's contracts as a list, newest first, and how many there are: what an owner looks through. [D10, D20]
// Costs the same among a thousand contracts and a million: every question is a few ranges of an index, and none is counted to its end.
// All contracts of one environment live equally long (contract-creation.ts), so that newest first is by `expires_at`; the statuses
// that only the clock decides are then ranges of the same index.
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { readClock } from '@paraph/database/clock'
import type { Environment } from '@paraph/protocol/caller'
import { CONTRACT_TYPES, type ContractStatus, type ContractType } from '@paraph/protocol/contract'
import { statusAt } from './contract.js'
import type { ContractDatabase } from './database.js'

/** Whose contracts. */
export interface Tenant {
  accountId: string
  environment: Environment
}

export interface Filter {
  status?: ContractStatus | undefined
  contractType?: ContractType | undefined
  /** The whole number. */
  number?: string | undefined
}

/** A place in the list: that of one of its contracts, which may be gone from it by now. */
export interface Place {
  expiresAt: Date
  id: string
}

export interface ListedContract {
  id: string
  contractNumber: string
  contractType: ContractType
  /** By the database's clock, swept or not. */
  status: ContractStatus
  signed: number
  total: number
  createdAt: Date
  expiresAt: Date
  /** When it was completed or cancelled, or expired; null while it is open. */
  endedAt: Date | null
  isErased: boolean
}

export interface Listed {
  contracts: ListedContract[]
  /** Whether there are more on the side that was asked for: older ones, unless newer ones were. */
  hasMore: boolean
}

/** A count that ends at `COUNTED_MAX`. */
export interface Counted {
  count: number
  isMore: boolean
}

/** A person reads no more from a number; past it "more" is said. */
const COUNTED_MAX = 1_000

const OPEN = ['pending_signature', 'partially_signed'] as const

/** Rows of one stored status, of contracts that end after `after` and not after `until`. */
interface Strand {
  status: ContractStatus
  after: Date | '-infinity'
  until: Date | 'infinity'
}

interface Row {
  id: string
  contract_number: string
  contract_type: ContractType
  status: ContractStatus
  created_at: Date
  expires_at: Date
  completed_at: Date | null
  cancelled_at: Date | null
  is_erased: boolean
  signed: number
  total: number
}

/** What is stored where a reader at `now` is to find `status`. Pure. */
export function strandsOf(status: ContractStatus, now: Date): Strand[] {
  const all = { after: '-infinity', until: 'infinity' } as const
  switch (status) {
    case 'pending_signature':
    case 'partially_signed':
      return [{ status, after: now, until: 'infinity' }]
    case 'expired':
      // What the sweep has not come to yet is expired all the same.
      return [{ status, ...all }, ...OPEN.map((open) => ({ ...all, status: open, until: now }))]
    case 'signed':
    case 'cancelled':
      return [{ status, ...all }]
  }
}

/** Reads lists and counts. */
export function createContractList(database: Kysely<ContractDatabase>) {
  /**
   * Up to `limit` contracts, newest first: the newest, or those that follow `older` or come before `newer`.
   * What it says is final stays so, as in `find` of contract-store.ts.
   */
  async function list(
    tenant: Tenant,
    filter: Filter,
    { limit, older, newer }: { limit: number; older?: Place | undefined; newer?: Place | undefined },
  ): Promise<Listed> {
    const now = await readClock(database)
    const direction = newer ? NEWER : OLDER
    const ids =
      filter.number === undefined
        ? idsOfPage(tenant, filter, { now, direction, place: newer ?? older, count: limit + 1 })
        : idsOfNumber(tenant, filter.number)
    const found = (await readSettled(ids, direction, now)).filter((row) => isWanted(row, filter, now))
    const page = found.slice(0, limit)
    if (newer) page.reverse()
    return { contracts: page.map((row) => toListed(row, now)), hasMore: found.length > limit }
  }

  /** An open contract whose time is over may have a last signature under way that was decided in time: this waits for it. [D20, I3] */
  async function readSettled(ids: RawBuilder<unknown>, direction: Direction, now: Date): Promise<Row[]> {
    const rows = await readRows(ids, direction)
    const due = rows.filter((row) => statusOf(row, now) !== row.status)
    if (due.length === 0) return rows
    await sql`select 1 from contract where id = any(${due.map(({ id }) => id)}::text[]) for share`.execute(database)
    return readRows(ids, direction)
  }

  async function readRows(ids: RawBuilder<unknown>, { order }: Direction): Promise<Row[]> {
    const { rows } = await sql<Row>`
      select c.id, c.contract_number, c.contract_type, c.status, c.created_at, c.expires_at, c.completed_at, c.cancelled_at,
             c.erased_at is not null as is_erased,
             (select count(*)::int from signature where contract_id = c.id) as signed,
             (select count(*)::int from party where contract_id = c.id) as total
        from (${ids}) as page join contract c on c.id = page.id
       order by c.expires_at ${order}, c.id ${order}`.execute(database)
    return rows
  }

  /** How many contracts there are and how many of them wait for a party, each up to a thousand, and when the last one was made. */
  async function count(tenant: Tenant): Promise<{ total: Counted; waiting: Counted; lastCreatedAt: Date | null }> {
    const now = await readClock(database)
    const waiting = OPEN.flatMap((status) => strandsOf(status, now))
    const { rows } = await sql<{ total: number; waiting: number; last: Date | null }>`
      select (select count(*)::int from (
                select 1 from contract where ${isOf(tenant)} order by expires_at desc limit ${COUNTED_MAX + 1}) as counted) as total,
             (select count(*)::int from (
                ${strandRows(tenant, { strands: waiting, types: CONTRACT_TYPES, direction: OLDER, count: COUNTED_MAX + 1 })}
                limit ${COUNTED_MAX + 1}) as counted) as waiting,
             (select created_at from contract where ${isOf(tenant)} order by expires_at desc, id desc limit 1) as last`.execute(
      database,
    )
    const { total, waiting: waits, last } = rows[0]!
    return { total: upTo(total), waiting: upTo(waits), lastCreatedAt: last }
  }

  return { list, count }
}

export type ContractList = ReturnType<typeof createContractList>

interface Direction {
  order: RawBuilder<unknown>
  beyond: RawBuilder<unknown>
}
const OLDER: Direction = { order: sql.raw('desc'), beyond: sql.raw('<') }
const NEWER: Direction = { order: sql.raw('asc'), beyond: sql.raw('>') }

const isOf = ({ accountId, environment }: Tenant) => sql`account_id = ${accountId} and environment = ${environment}`

const isBeyond = (place: Place | undefined, { beyond }: Direction) =>
  place ? sql`and (expires_at, id) ${beyond} (${place.expiresAt}::timestamptz, ${place.id})` : sql``

interface PageOf {
  now: Date
  direction: Direction
  place: Place | undefined
  count: number
}

function idsOfPage(tenant: Tenant, { status, contractType }: Filter, page: PageOf): RawBuilder<unknown> {
  const { now, direction, place, count } = page
  const { order } = direction
  const last = sql`order by expires_at ${order}, id ${order} limit ${count}`
  if (status === undefined && contractType === undefined)
    return sql`select id from contract where ${isOf(tenant)} ${isBeyond(place, direction)} ${last}`
  const strands = status
    ? strandsOf(status, now)
    : STATUSES.map((each): Strand => ({ status: each, after: '-infinity', until: 'infinity' }))
  const types = contractType ? [contractType] : CONTRACT_TYPES
  return sql`select id from (${strandRows(tenant, { strands, types, direction, place, count })}) as strands ${last}`
}

const STATUSES = [...OPEN, 'signed', 'expired', 'cancelled'] as const satisfies readonly ContractStatus[]

const idsOfNumber = (tenant: Tenant, number: string): RawBuilder<unknown> =>
  sql`select id from contract where contract_number = ${number} and ${isOf(tenant)}`

/**
 * The first `count` of each strand and type, each one range of `contract_by_kind`: a rare status costs no more than a common one.
 * As a join, for the planner must not guess from how common a status is that a look through the newest would find enough of it.
 */
function strandRows(
  tenant: Tenant,
  {
    strands,
    types,
    direction,
    place,
    count,
  }: {
    strands: readonly Strand[]
    types: readonly ContractType[]
    direction: Direction
    place?: Place | undefined
    count: number
  },
): RawBuilder<unknown> {
  const { order } = direction
  const ranges = strands.map((strand) => from(place, direction, strand))
  return sql`select found.id, found.expires_at
      from unnest(${ranges.map(({ status }) => status)}::text[], ${ranges.map(({ after }) => instant(after))}::timestamptz[],
                  ${ranges.map(({ until }) => instant(until))}::timestamptz[]) as strand (status, after, until)
     cross join unnest(${[...types]}::text[]) as kind (contract_type)
     cross join lateral (
       select id, expires_at from contract
        where ${isOf(tenant)} and status = strand.status and contract_type = kind.contract_type
          and expires_at > strand.after and expires_at <= strand.until ${isBeyond(place, direction)}
        order by expires_at ${order}, id ${order} limit ${count}) as found`
}

/**
 * The strand cut off at the place, to the millisecond that is kept: of two bounds on one side a scan begins at the one by `expires_at`,
 * and would pass everything between it and the place. Those of the same millisecond are told apart by the place itself.
 */
function from(place: Place | undefined, direction: Direction, strand: Strand): Strand {
  if (!place) return strand
  const { after, until } = strand
  const { expiresAt } = place
  if (direction === OLDER) return { ...strand, until: until !== 'infinity' && until < expiresAt ? until : expiresAt }
  const before = new Date(expiresAt.getTime() - 1)
  return { ...strand, after: after !== '-infinity' && after > before ? after : before }
}

const instant = (bound: Strand['after' | 'until']): string => (typeof bound === 'string' ? bound : bound.toISOString())

const statusOf = ({ status, expires_at }: Row, now: Date): ContractStatus =>
  statusAt({ status, expiresAt: expires_at }, now)

/** What was found by number alone, and what was completed while this waited for it. */
const isWanted = (row: Row, { status, contractType }: Filter, now: Date): boolean =>
  (status === undefined || statusOf(row, now) === status) &&
  (contractType === undefined || row.contract_type === contractType)

function toListed(row: Row, now: Date): ListedContract {
  const status = statusOf(row, now)
  return {
    id: row.id,
    contractNumber: row.contract_number,
    contractType: row.contract_type,
    status,
    signed: row.signed,
    total: row.total,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedAt: status === 'expired' ? row.expires_at : (row.completed_at ?? row.cancelled_at),
    isErased: row.is_erased,
  }
}

const upTo = (counted: number): Counted => ({
  count: Math.min(counted, COUNTED_MAX),
  isMore: counted > COUNTED_MAX,
})
