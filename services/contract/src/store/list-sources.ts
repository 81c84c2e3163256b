// What the list of an account reads its contracts from: bounded ranges of an index, each newest first. [D71]
// All contracts of one environment have the same lifetime (domain/contract.ts), so newest first is the order of `expires_at`. A status
// that depends on the clock, and a day of creation, are ranges of the same index.
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { CONTRACT_STATUSES, CONTRACT_TYPES, type ContractStatus, type ContractType } from '@paraph/protocol/contract'
import type { ListedStatus, Problem } from '@paraph/protocol/contract-list'
import type { Principal } from '@paraph/protocol/principal'
import { LIFETIME_MS } from '../domain/contract.js'
import type { ContractDatabase } from '../database.js'

/** The owner of the contracts in a query. */
export type Tenant = Pick<Principal, 'accountId' | 'environment'>

export interface Filter {
  status?: ListedStatus | undefined
  contractType?: ContractType | undefined
  problem?: Problem | undefined
  /** From this instant on. */
  createdFrom?: Date | undefined
  /** Before this instant. */
  createdBefore?: Date | undefined
}

/** The position of a contract in the list. The filter may exclude this contract by now. */
export interface Position {
  expiresAt: Date
  id: string
}

/** `after` < expires_at <= `until`. */
export interface Span {
  after: Date | '-infinity'
  until: Date | 'infinity'
}
/** Rows with one stored status in a span. */
export type StatusRange = Span & { status: ContractStatus }

export const OPEN = ['pending_signature', 'partially_signed'] as const
const EXPIRING_MS = 3 * 86_400_000
const ALL: Span = { after: '-infinity', until: 'infinity' }

/** The stored rows that have `status` for a reader at `now`. Pure. */
export function rangesOf(status: ListedStatus, now: Date): StatusRange[] {
  const open = (until: Date | 'infinity') => OPEN.map((each) => ({ status: each, after: now, until }))
  switch (status) {
    case 'pending_signature':
    case 'partially_signed':
      return [{ status, after: now, until: 'infinity' }]
    case 'open':
      return open('infinity')
    case 'expiring':
      return open(new Date(now.getTime() + EXPIRING_MS))
    case 'expired':
      // Open rows past their expiry are expired too, although the sweep has not stored that yet.
      return [{ ...ALL, status }, ...OPEN.map((each) => ({ ...ALL, status: each, until: now }))]
    case 'signed':
    case 'cancelled':
      return [{ ...ALL, status }]
  }
}

/** Whether a stored row is in one of the ranges. */
export const isInRange = (row: { status: ContractStatus; expiresAt: Date }, ranges: readonly StatusRange[]): boolean =>
  ranges.some(
    ({ status, after, until }) =>
      row.status === status &&
      (after === '-infinity' || row.expiresAt > after) &&
      (until === 'infinity' || row.expiresAt <= until),
  )

export interface Direction {
  order: RawBuilder<unknown>
  beyond: RawBuilder<unknown>
}
export const OLDER: Direction = { order: sql.raw('desc'), beyond: sql.raw('<') }
export const NEWER: Direction = { order: sql.raw('asc'), beyond: sql.raw('>') }

/** Part of a list: the contracts of `span` beyond `position`. */
export interface Part {
  now: Date
  direction: Direction
  position: Position | undefined
  span: Span
}

/**
 * The part that begins at `position`. The span of the days of creation is the span of `expires_at`. An owner may expire a contract of the
 * sandbox early, so its span is wider by a lifetime, and `createdWithin` checks each contract.
 */
export function partOf(tenant: Tenant, { createdFrom, createdBefore }: Filter, place: Omit<Part, 'span'>): Part {
  const lifetime = LIFETIME_MS[tenant.environment]
  const earliest = tenant.environment === 'sandbox' ? 0 : lifetime
  const span: Span = {
    after: createdFrom ? new Date(createdFrom.getTime() + earliest - 1) : '-infinity',
    until: createdBefore ? new Date(createdBefore.getTime() + lifetime - 1) : 'infinity',
  }
  const { position, direction } = place
  if (!position) return { ...place, span }
  // Clips the span at the millisecond of the position. Without the clip, an index scan would start at the bound on `expires_at` and read
  // all rows between that bound and the position. Within the millisecond of the position, `isBeyond` compares the ids.
  const { expiresAt } = position
  const rest: Span =
    direction === OLDER
      ? { after: '-infinity', until: expiresAt }
      : { after: new Date(expiresAt.getTime() - 1), until: 'infinity' }
  return { ...place, span: intersect(span, rest) }
}

export function intersect(one: Span, other: Span): Span {
  const isLater = one.after !== '-infinity' && (other.after === '-infinity' || one.after > other.after)
  const isEarlier = one.until !== 'infinity' && (other.until === 'infinity' || one.until < other.until)
  return { after: isLater ? one.after : other.after, until: isEarlier ? one.until : other.until }
}

export const isOf = ({ accountId, environment }: Tenant) =>
  sql`account_id = ${accountId} and environment = ${environment}`

const instant = (bound: Span['after' | 'until']): string => (typeof bound === 'string' ? bound : bound.toISOString())

/** The condition of a part. @param id the column of the contract's id */
function isIn({ span, position, direction }: Part, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const within = sql`expires_at > ${instant(span.after)}::timestamptz and expires_at <= ${instant(span.until)}::timestamptz`
  return position ? sql`${within} and ${isBeyond(position, direction, id)}` : within
}

const isBeyond = (position: Position, { beyond }: Direction, id: RawBuilder<unknown>) =>
  sql`(expires_at, ${id}) ${beyond} (${position.expiresAt}::timestamptz, ${position.id})`

/** Reads the first `count` contracts of a part: their `id` and `expires_at`, in the order of the list. */
export type Source = (part: Part, count: number) => RawBuilder<unknown>

const ID = sql.ref('id')

/** All contracts. */
export const allOf =
  (tenant: Tenant): Source =>
  (part, count) =>
    sql`select id, expires_at from contract where ${isOf(tenant)} and ${isIn(part, ID)} ${first(part, count)}`

const first = ({ direction: { order } }: Part, count: number, id = ID) =>
  sql`order by expires_at ${order}, ${id} ${order} limit ${count}`

/** The contracts with a status, of a type, or both. */
export const ofKind =
  (tenant: Tenant, { status, contractType }: Pick<Filter, 'status' | 'contractType'>): Source =>
  (part, count) => {
    const ranges = status
      ? rangesOf(status, part.now)
      : CONTRACT_STATUSES.map((each): StatusRange => ({ ...ALL, status: each }))
    const types = contractType ? [contractType] : CONTRACT_TYPES
    return sql`select * from (${rowsOfRanges(tenant, { ranges, types, part, count })}) as ranges ${first(part, count)}`
  }

interface RangeQuery {
  ranges: readonly StatusRange[]
  types: readonly ContractType[]
  part: Part
  count: number
}

/**
 * The first `count` rows of each range and type. Each pair is one range of the index `contract_by_kind`, so a rare status costs no more
 * than a common status. Uses a lateral join, because the planner would otherwise scan the newest contracts until it finds enough.
 */
export function rowsOfRanges(tenant: Tenant, { ranges, types, part, count }: RangeQuery): RawBuilder<unknown> {
  const { position, direction } = part
  const clipped = ranges.map((range) => ({ status: range.status, ...intersect(range, part.span) }))
  const beyond = position ? sql`and ${isBeyond(position, direction, ID)}` : sql``
  return sql`select found.id, found.expires_at
      from unnest(${clipped.map(({ status }) => status)}::text[], ${clipped.map(({ after }) => instant(after))}::timestamptz[],
                  ${clipped.map(({ until }) => instant(until))}::timestamptz[]) as status_range (status, after, until)
     cross join unnest(${[...types]}::text[]) as kind (contract_type)
     cross join lateral (
       select id, expires_at from contract
        where ${isOf(tenant)} and status = status_range.status and contract_type = kind.contract_type
          and expires_at > status_range.after and expires_at <= status_range.until ${beyond}
        ${first(part, count)}) as found`
}

/** The condition of the partial index of a problem, whose words the planner compares. Open rows past their expiry have no problem. */
const CONDITIONS: Readonly<Record<Problem, RawBuilder<unknown>>> = {
  delivery: sql`has_delivery_problem and status in ('pending_signature', 'partially_signed')`,
  declined: sql`has_decline`,
}

export const ofProblem =
  (tenant: Tenant, problem: Problem): Source =>
  (part, count) => {
    const open: Span = problem === 'delivery' ? { ...ALL, after: part.now } : ALL
    const clipped = { ...part, span: intersect(part.span, open) }
    return sql`select id, expires_at from contract
        where ${isOf(tenant)} and ${CONDITIONS[problem]} and ${isIn(clipped, ID)} ${first(part, count)}`
  }

/** Words with one beginning that a search reads. Beyond that, it reads only the word itself. */
const BEGINNINGS_MAX = 10

/** A word of a search: the words of contracts that begin with it. */
export interface Term {
  term: string
  words: string[]
  /** Too many words begin like this, so `words` has at most the term itself. */
  isBroad: boolean
}

/** Reads the words that begin with each term. A skip scan: each word costs one look into the index, however many contracts have it. */
export async function readTerms(
  database: Kysely<ContractDatabase>,
  tenant: Tenant,
  terms: readonly string[],
): Promise<Term[]> {
  if (terms.length === 0) return []
  // No word has U+10FFFF, the last code point.
  const nextWord = (term: RawBuilder<unknown>, after: RawBuilder<unknown>) => sql`
    cross join lateral (
      select word from contract_word
       where ${isOf(tenant)} and word ${after} and word < ${term} || chr(1114111) order by word limit 1) as next`
  const { rows } = await sql<{ term: string; word: string }>`
    with recursive found as (
      select term, next.word, 1 as place from unnest(${[...terms]}::text[]) as term
             ${nextWord(sql`term`, sql`>= term`)}
      union all
      select term, next.word, place + 1 from found
             ${nextWord(sql`found.term`, sql`> found.word`)}
       where place <= ${BEGINNINGS_MAX})
    select term, word from found order by term, place`.execute(database)
  return terms.map((term) => {
    const words = rows.filter((row) => row.term === term).map(({ word }) => word)
    const isBroad = words.length > BEGINNINGS_MAX
    return { term, isBroad, words: isBroad ? words.filter((word) => word === term) : words }
  })
}

/** The contracts with one of the words of a term. */
export const ofTerm =
  (tenant: Tenant, { words }: Term): Source =>
  (part, count) => {
    const id = sql.ref('contract_id')
    return sql`
      select distinct found.contract_id as id, found.expires_at
        from unnest(${words}::text[]) as wanted (word)
       cross join lateral (
         select contract_id, expires_at from contract_word
          where ${isOf(tenant)} and word = wanted.word and ${isIn(part, id)} ${first(part, count, id)}) as found
       ${first(part, count)}`
  }
