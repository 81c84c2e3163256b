// Lists and counts an account's contracts, newest first, for the owner's console. [D10, D20]
// A query costs the same among a thousand contracts and a million, because it reads a few bounded ranges of an index.
// All contracts of one environment have the same lifetime (domain/contract.ts), so newest first is the order of `expires_at`. A status
// that depends on the clock is a range of the same index.
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { readClock } from '@paraph/database/clock'
import type { Principal } from '@paraph/protocol/principal'
import { CONTRACT_STATUSES, CONTRACT_TYPES, type ContractStatus, type ContractType } from '@paraph/protocol/contract'
import { statusAt } from '../domain/contract.js'
import type { ContractDatabase } from '../database.js'
import type { ContractRecord } from './contract-record.js'

/** The owner of the contracts in a query. */
type Tenant = Pick<Principal, 'accountId' | 'environment'>

interface Filter {
  status?: ContractStatus | undefined
  contractType?: ContractType | undefined
  /** The complete contract number. */
  number?: string | undefined
}

/** The position of a contract in the list. The filter may exclude this contract by now. */
export interface Position {
  expiresAt: Date
  id: string
}

/** A contract with its status at the time of the query, even before the sweep stores an expiry. */
export interface ListedContract extends Pick<
  ContractRecord,
  'id' | 'contractNumber' | 'contractType' | 'senderName' | 'status' | 'createdAt' | 'expiresAt'
> {
  signed: number
  total: number
  /** The first parties, at most `NAMES_MAX`. */
  partyNames: string[]
  /** When the contract was completed or cancelled, or expired; null while it is open. */
  endedAt: Date | null
  isErased: boolean
  /** When an owner's request erases the contract. */
  eraseDueAt: Date | null
  isHeld: boolean
}

/** The console shows "more" beyond this count. */
const COUNT_MAX = 1_000

/** Contracts that `lately` reads; an operator's page waits for them. */
const LATELY_MAX = 10_000

/** Names that tell a contract from others of its type. */
const NAMES_MAX = 2

const OPEN = ['pending_signature', 'partially_signed'] as const

/** Rows with one stored status and `after` < expires_at <= `until`. */
interface StatusRange {
  status: ContractStatus
  after: Date | '-infinity'
  until: Date | 'infinity'
}

type Row = Omit<ListedContract, 'endedAt'> & Pick<ContractRecord, 'completedAt' | 'cancelledAt'>

/** The stored rows that have `status` for a reader at `now`. Pure. */
function rangesOf(status: ContractStatus, now: Date): StatusRange[] {
  const all = { after: '-infinity', until: 'infinity' } as const
  switch (status) {
    case 'pending_signature':
    case 'partially_signed':
      return [{ status, after: now, until: 'infinity' }]
    case 'expired':
      // Open rows past their expiry are expired too, although the sweep has not stored that yet.
      return [{ status, ...all }, ...OPEN.map((open) => ({ ...all, status: open, until: now }))]
    case 'signed':
    case 'cancelled':
      return [{ status, ...all }]
  }
}

export function createContractList(database: Kysely<ContractDatabase>) {
  /**
   * Up to `limit` contracts, newest first: from the start of the list, or adjacent to the position `older` or `newer`.
   * A final status that this returns never changes, as in `find` of contract-store.ts. `hasMore`: the list has more contracts in the
   * requested direction (newer contracts with `newer`, older contracts otherwise).
   */
  async function list(
    tenant: Tenant,
    filter: Filter,
    { limit, older, newer }: { limit: number; older?: Position | undefined; newer?: Position | undefined },
  ) {
    const now = await readClock(database)
    const direction = newer ? NEWER : OLDER
    const ids =
      filter.number === undefined
        ? idsOfPage(tenant, filter, { now, direction, position: newer ?? older, count: limit + 1 })
        : sql`select id from contract where contract_number = ${filter.number} and ${isOf(tenant)}`
    const found = (await readFinal(ids, direction, now)).filter((row) => matches(row, filter, now))
    const page = found.slice(0, limit)
    if (newer) page.reverse()
    return { contracts: page.map((row) => toListed(row, now)), hasMore: found.length > limit }
  }

  /**
   * For an open contract past its expiry, an uncommitted transaction may contain a last signature that was decided in time, so this
   * waits for that transaction. [D20, I3]
   */
  async function readFinal(ids: RawBuilder<unknown>, direction: Direction, now: Date): Promise<Row[]> {
    const rows = await readRows(ids, direction)
    const due = rows.filter((row) => statusAt(row, now) !== row.status)
    if (due.length === 0) return rows
    await sql`select 1 from contract where id = any(${due.map(({ id }) => id)}::text[]) for share`.execute(database)
    return readRows(ids, direction)
  }

  async function readRows(ids: RawBuilder<unknown>, { order }: Direction): Promise<Row[]> {
    const { rows } = await sql<Row>`
      select c.id, c.contract_number as "contractNumber", c.contract_type as "contractType", c.status,
             c.sender_name as "senderName", c.created_at as "createdAt", c.expires_at as "expiresAt", c.completed_at as "completedAt",
             c.cancelled_at as "cancelledAt", c.erased_at is not null as "isErased",
             case when c.erased_at is null then c.erase_due_at end as "eraseDueAt", c.held_at is not null as "isHeld",
             (select count(*)::int from signature where contract_id = c.id) as signed,
             (select count(*)::int from party where contract_id = c.id) as total,
             array(select legal_name from party where contract_id = c.id and party_index < ${NAMES_MAX}
                    order by party_index) as "partyNames"
        from (${ids}) as page join contract c on c.id = page.id
       order by c.expires_at ${order}, c.id ${order}`.execute(database)
    return rows
  }

  /** The numbers of all contracts and of open contracts, each capped, and the creation time of the newest contract. */
  async function count(tenant: Tenant) {
    const now = await readClock(database)
    const ranges = OPEN.flatMap((status) => rangesOf(status, now))
    const { rows } = await sql<{ total: number; waiting: number; last: Date | null }>`
      select (select count(*)::int from (
                select 1 from contract where ${isOf(tenant)} order by expires_at desc limit ${COUNT_MAX + 1}) as counted) as total,
             (select count(*)::int from (
                ${rowsOfRanges(tenant, { ranges, types: CONTRACT_TYPES, direction: OLDER, count: COUNT_MAX + 1 })}
                limit ${COUNT_MAX + 1}) as counted) as waiting,
             (select created_at from contract where ${isOf(tenant)} order by expires_at desc, id desc limit 1) as last`.execute(
      database,
    )
    const { total, waiting, last } = elementAt(rows, 0)
    return { total: capped(total), waiting: capped(waiting), lastCreatedAt: last }
  }

  /**
   * The number of contracts of the last 30 days, capped, and of their invitations that ended: accepted by a mail server, or refused for good.
   * `expires_at` is later than `created_at`, so the condition on it bounds the range of the index and excludes no contract.
   */
  async function lately(tenant: Tenant) {
    const { rows } = await sql<{ contracts: number; sent: number; refused: number }>`
      select count(*)::int as contracts, coalesce(sum(sent), 0)::int as sent, coalesce(sum(refused), 0)::int as refused
        from (select deliveries from contract
               where ${isOf(tenant)} and expires_at > clock_timestamp() - interval '30 days'
                 and created_at > clock_timestamp() - interval '30 days'
               order by expires_at desc limit ${LATELY_MAX + 1}) as recent
       cross join lateral (
         select count(*) filter (where value ->> 0 = 'sent') as sent, count(*) filter (where value ->> 0 = 'refused') as refused
           from jsonb_each(deliveries)) as mails`.execute(database)
    const { contracts, sent, refused } = elementAt(rows, 0)
    return {
      contracts: { count: Math.min(contracts, LATELY_MAX), isMore: contracts > LATELY_MAX },
      invitations: { ended: sent + refused, refused },
    }
  }

  return { list, count, lately }
}

export type ContractList = ReturnType<typeof createContractList>

interface Direction {
  order: RawBuilder<unknown>
  beyond: RawBuilder<unknown>
}
const OLDER: Direction = { order: sql.raw('desc'), beyond: sql.raw('<') }
const NEWER: Direction = { order: sql.raw('asc'), beyond: sql.raw('>') }

const isOf = ({ accountId, environment }: Tenant) => sql`account_id = ${accountId} and environment = ${environment}`

const isBeyond = (position: Position | undefined, { beyond }: Direction) =>
  position ? sql`and (expires_at, id) ${beyond} (${position.expiresAt}::timestamptz, ${position.id})` : sql``

interface PageRequest {
  now: Date
  direction: Direction
  position: Position | undefined
  count: number
}

function idsOfPage(tenant: Tenant, { status, contractType }: Filter, request: PageRequest): RawBuilder<unknown> {
  const { now, direction, position, count } = request
  const { order } = direction
  const last = sql`order by expires_at ${order}, id ${order} limit ${count}`
  if (status === undefined && contractType === undefined)
    return sql`select id from contract where ${isOf(tenant)} ${isBeyond(position, direction)} ${last}`
  const ranges = status
    ? rangesOf(status, now)
    : CONTRACT_STATUSES.map((each): StatusRange => ({ status: each, after: '-infinity', until: 'infinity' }))
  const types = contractType ? [contractType] : CONTRACT_TYPES
  return sql`select id from (${rowsOfRanges(tenant, { ranges, types, direction, position, count })}) as ranges ${last}`
}

interface RangeQuery {
  ranges: readonly StatusRange[]
  types: readonly ContractType[]
  direction: Direction
  position?: Position | undefined
  count: number
}

/**
 * The first `count` rows of each range and type. Each pair is one range of the index `contract_by_kind`, so a rare status costs no more
 * than a common status. Uses a lateral join, because the planner would otherwise scan the newest contracts until it finds enough.
 */
function rowsOfRanges(tenant: Tenant, { ranges, types, direction, position, count }: RangeQuery): RawBuilder<unknown> {
  const { order } = direction
  const clipped = ranges.map((range) => clip(range, position, direction))
  return sql`select found.id, found.expires_at
      from unnest(${clipped.map(({ status }) => status)}::text[], ${clipped.map(({ after }) => instant(after))}::timestamptz[],
                  ${clipped.map(({ until }) => instant(until))}::timestamptz[]) as status_range (status, after, until)
     cross join unnest(${[...types]}::text[]) as kind (contract_type)
     cross join lateral (
       select id, expires_at from contract
        where ${isOf(tenant)} and status = status_range.status and contract_type = kind.contract_type
          and expires_at > status_range.after and expires_at <= status_range.until ${isBeyond(position, direction)}
        order by expires_at ${order}, id ${order} limit ${count}) as found`
}

/**
 * Clips the range at the millisecond of the position. Without the clip, an index scan would start at the bound on `expires_at` and read
 * all rows between that bound and the position. Within the millisecond of the position, `isBeyond` compares the ids.
 */
function clip(range: StatusRange, position: Position | undefined, direction: Direction): StatusRange {
  if (!position) return range
  const { after, until } = range
  const { expiresAt } = position
  if (direction === OLDER) return { ...range, until: until !== 'infinity' && until < expiresAt ? until : expiresAt }
  const before = new Date(expiresAt.getTime() - 1)
  return { ...range, after: after !== '-infinity' && after > before ? after : before }
}

const instant = (bound: StatusRange['after' | 'until']): string =>
  typeof bound === 'string' ? bound : bound.toISOString()

/** Filters again, because a row may have been found by its number alone, or completed while `readFinal` waited. */
const matches = (row: Row, { status, contractType }: Filter, now: Date): boolean =>
  (status === undefined || statusAt(row, now) === status) &&
  (contractType === undefined || row.contractType === contractType)

function toListed({ completedAt, cancelledAt, ...row }: Row, now: Date): ListedContract {
  const status = statusAt(row, now)
  return { ...row, status, endedAt: status === 'expired' ? row.expiresAt : (completedAt ?? cancelledAt) }
}

/** A count up to `COUNT_MAX`. */
const capped = (count: number) => ({ count: Math.min(count, COUNT_MAX), isMore: count > COUNT_MAX })
