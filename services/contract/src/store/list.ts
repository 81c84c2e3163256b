// Lists and counts an account's contracts, newest first, for the owner's console. [D10, D20, D71]
// A query costs the same among a thousand contracts and a million, because it reads a few bounded ranges of an index (list-sources.ts).
import { elementAt } from '@paraph/protocol/element-at'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { readClock } from '@paraph/database/clock'
import { CONTRACT_TYPES } from '@paraph/protocol/contract'
import type { Problem } from '@paraph/protocol/contract-list'
import { statusAt } from '../domain/contract.js'
import { TERMS_MAX, termsOf } from '../domain/search-words.js'
import type { ContractDatabase } from '../database.js'
import type { ContractRecord } from './contract-record.js'
import { candidatesOf, type Window } from './list-page.js'
import {
  allOf,
  isInRange,
  isOf,
  NEWER,
  ofKind,
  OLDER,
  ofProblem,
  ofTerm,
  partOf,
  rangesOf,
  readTerms,
  rowsOfRanges,
  type Direction,
  type Filter,
  type Part,
  type Position,
  type Source,
  type Tenant,
  type Term,
} from './list-sources.js'

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
  /** The worst state of an invitation of an open contract; null if none is delayed or refused. */
  deliveryProblem: 'refused' | 'delayed' | null
  /** Whether a party has declined and not signed since. */
  isDeclined: boolean
}

/** The console shows "more" beyond this count. */
const COUNT_MAX = 1_000

/** Contracts that `lately` reads; an operator's page waits for them. */
const LATELY_MAX = 10_000

/** Names that tell a contract from others of its type. */
const NAMES_MAX = 2

/** The completed contracts of which the median is computed. */
const MEDIAN_OF = 200

/** The bounds of a look at a list that several conditions restrict. Measured in docs/internal/performance.md. */
const BOUNDS = {
  /** Contracts that are read from each source. */
  window: 300,
  /** Contracts that are looked up to check the other conditions, divided by the number of these conditions. */
  checks: 17,
}

type Row = Omit<ListedContract, 'endedAt' | 'deliveryProblem'> &
  Pick<ContractRecord, 'completedAt' | 'cancelledAt' | 'deliveries'>

/** @param bounds smaller in tests */
export function createContractList(database: Kysely<ContractDatabase>, bounds = BOUNDS) {
  /**
   * Up to `limit` contracts, newest first: from the start of the list, or adjacent to the position `older` or `newer`.
   * A final status that this returns never changes, as in `find` of contract-store.ts.
   * @param filter.search words that each contract must have (domain/search-words.ts); the first `TERMS_MAX` count
   * @returns `next`: the position from which the list continues in the requested direction; undefined at its end. A look at several rare
   * conditions is bounded, so it may return fewer contracts than `limit`, or none, before the end. `broad`: the words of the search that
   * begin too many words, so that only the whole words count
   */
  async function list(
    tenant: Tenant,
    { search, ...filter }: Filter & { search?: string | undefined },
    { limit, older, newer }: { limit: number; older?: Position | undefined; newer?: Position | undefined },
  ) {
    const now = await readClock(database)
    const direction = newer ? NEWER : OLDER
    const wanted = search === undefined ? undefined : termsOf(search).slice(0, TERMS_MAX)
    const terms = await readTerms(database, tenant, wanted ?? [])
    const broad = terms.filter(({ isBroad }) => isBroad).map(({ term }) => term)
    // A search without a letter or digit, or for a word that no contract has.
    if (wanted?.length === 0 || terms.some(({ words }) => words.length === 0))
      return { contracts: [], next: undefined, broad }
    const part = partOf(tenant, filter, { now, direction, position: newer ?? older })
    const { ids, next } = await readIds(tenant, { filter, terms }, part, limit)
    const page = (await readFinal(ids, direction, now)).filter((row) => matches(row, filter, now))
    if (newer) page.reverse()
    return { contracts: page.map((row) => toListed(row, now)), next, broad }
  }

  /** The ids of a page, and the position at which the list continues. */
  async function readIds(
    tenant: Tenant,
    { filter, terms }: { filter: Filter; terms: Term[] },
    part: Part,
    limit: number,
  ) {
    const { status, contractType, problem, createdFrom, createdBefore } = filter
    const ofKinds = status !== undefined || contractType !== undefined
    const narrow: [Source, RawBuilder<unknown>][] = terms.map((term) => [ofTerm(tenant, term), hasTerm(tenant, term)])
    if (problem) narrow.push([ofProblem(tenant, problem), hasProblem(problem, part.now)])
    const conditions: RawBuilder<unknown>[] = []
    if (ofKinds && narrow.length > 0) conditions.push(isContract(isOfKind(filter, part.now)))
    // In the sandbox, the part is wider than the days of creation.
    if ((createdFrom ?? createdBefore) && tenant.environment === 'sandbox')
      conditions.push(isContract(createdWithin(filter)))
    const base = ofKinds ? ofKind(tenant, filter) : allOf(tenant)
    const sources = narrow.length > 0 ? narrow.map(([source]) => source) : [base]
    if (sources.length === 1 && conditions.length === 0) {
      const found = await read(elementAt(sources, 0), part, limit + 1)
      return pageOf(found, limit, undefined)
    }
    const size = sources.length === 1 ? bounds.checks + 1 : bounds.window
    const windows: Window[] = []
    for (const source of sources) {
      const found = await read(source, part, size)
      windows.push({ found, isFull: found.length === size })
    }
    const { candidates, rest, unchecked } = candidatesOf(windows, part.direction === OLDER)
    const all = [...conditions, ...unchecked.map((index) => elementAt(narrow, index)[1])]
    const isSure = (candidate: (typeof candidates)[number]) => candidate.isSure && conditions.length === 0
    let checks = Math.max(1, Math.floor(bounds.checks / Math.max(1, all.length)))
    let sure = 0
    const end = candidates.findIndex((candidate) => {
      if (isSure(candidate)) sure += 1
      else checks -= 1
      return checks < 0 || sure > limit + 1
    })
    const looked = end === -1 ? candidates : candidates.slice(0, end)
    const kept = await keep(
      looked.filter((candidate) => !isSure(candidate)).map(({ position }) => position),
      all,
    )
    const found = looked.filter((candidate) => isSure(candidate) || kept.has(candidate.position.id))
    return pageOf(
      found.map(({ position }) => position),
      limit,
      end === -1 ? rest : looked.at(-1)?.position,
    )
  }

  const read = async (source: Source, part: Part, count: number): Promise<Position[]> => {
    const { rows } = await sql<{ id: string; expires_at: Date }>`${source(part, count)}`.execute(database)
    return rows.map(({ id, expires_at: expiresAt }) => ({ id, expiresAt }))
  }

  /** The ids of those contracts that fulfil all conditions. */
  async function keep(
    positions: readonly Position[],
    conditions: readonly RawBuilder<unknown>[],
  ): Promise<Set<string>> {
    if (positions.length === 0) return new Set()
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${positions.map(({ id }) => id)}::text[],
                            ${positions.map(({ expiresAt }) => expiresAt.toISOString())}::timestamptz[]) as c (id, expires_at)
       where ${sql.join(conditions, sql` and `)}`.execute(database)
    return new Set(rows.map(({ id }) => id))
  }

  /**
   * For an open contract past its expiry, an uncommitted transaction may contain a last signature that was decided in time, so this
   * waits for that transaction. [D20, I3]
   */
  async function readFinal(ids: readonly string[], direction: Direction, now: Date): Promise<Row[]> {
    if (ids.length === 0) return []
    const rows = await readRows(ids, direction)
    const due = rows.filter((row) => statusAt(row, now) !== row.status)
    if (due.length === 0) return rows
    await sql`select 1 from contract where id = any(${due.map(({ id }) => id)}::text[]) for share`.execute(database)
    return readRows(ids, direction)
  }

  async function readRows(ids: readonly string[], { order }: Direction): Promise<Row[]> {
    // One scan of the parties for their number and names, because each further one would read the index again.
    const { rows } = await sql<Row>`
      select c.id, c.contract_number as "contractNumber", c.contract_type as "contractType", c.status,
             c.sender_name as "senderName", c.created_at as "createdAt", c.expires_at as "expiresAt", c.completed_at as "completedAt",
             c.cancelled_at as "cancelledAt", c.erased_at is not null as "isErased",
             case when c.erased_at is null then c.erase_due_at end as "eraseDueAt", c.held_at is not null as "isHeld",
             case when c.has_delivery_problem then c.deliveries else '{}' end as deliveries, c.has_decline as "isDeclined",
             (select count(*)::int from signature where contract_id = c.id) as signed, parties.total, parties.names as "partyNames"
        from contract c
       cross join lateral (
         select count(*)::int as total,
                coalesce(array_agg(legal_name order by party_index) filter (where party_index < ${NAMES_MAX}), '{}') as names
           from party where contract_id = c.id) as parties
       where c.id = any(${[...ids]}::text[])
       order by c.expires_at ${order}, c.id ${order}`.execute(database)
    return rows
  }

  /** The number of all contracts, capped. */
  async function count(tenant: Tenant) {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from (
        select 1 from contract where ${isOf(tenant)} order by expires_at desc limit ${COUNT_MAX + 1}) as counted`.execute(
      database,
    )
    return { total: capped(elementAt(rows, 0).total) }
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

  /**
   * What the owner should look at: contracts that wait, expire within three days, have a delivery problem or a party that declined, and
   * those completed in the last seven days, each count capped. Also the median time from creation to completion of the last 200.
   */
  async function overview(tenant: Tenant) {
    const now = await readClock(database)
    const all = wholeList(now)
    const recent = sql`select completed_at - created_at as took from contract
      where ${isOf(tenant)} and completed_at is not null order by completed_at desc limit ${MEDIAN_OF}`
    type Figures = Record<'waiting' | 'expiring' | 'delivery' | 'declined' | 'completed', number>
    const { rows } = await sql<Figures & { medianMs: number | null }>`
      select ${countOf(ofOpen(tenant), all)} as waiting,
             ${countOf(ofOpen(tenant, 'expiring'), all)} as expiring,
             ${countOf(ofProblem(tenant, 'delivery'), all)} as delivery,
             ${countOf(ofProblem(tenant, 'declined'), all)} as declined,
             (select count(*)::int from (
                select 1 from contract where ${isOf(tenant)} and completed_at > ${now}::timestamptz - interval '7 days'
                 limit ${COUNT_MAX + 1}) as counted) as completed,
             (select extract(epoch from percentile_cont(0.5) within group (order by took)) * 1000 from (${recent}) as recent)::float8
               as "medianMs"`.execute(database)
    const { medianMs, ...figures } = elementAt(rows, 0)
    const { waiting, expiring, delivery, declined, completed } = figures
    return {
      waiting: capped(waiting),
      expiring: capped(expiring),
      delivery: capped(delivery),
      declined: capped(declined),
      completed: capped(completed),
      medianMs,
    }
  }

  return { list, count, overview, lately }
}

export type ContractList = ReturnType<typeof createContractList>

/** @param rest the last position that was checked, if the list may continue after it */
function pageOf(found: readonly Position[], limit: number, rest: Position | undefined) {
  const page = found.slice(0, limit)
  return { ids: page.map(({ id }) => id), next: found.length > limit ? page.at(-1) : rest }
}

const wholeList = (now: Date): Part => ({
  now,
  direction: OLDER,
  position: undefined,
  span: { after: '-infinity', until: 'infinity' },
})

/** As `ofKind`, but without an order, so that counting stops after enough contracts of the first types. */
const ofOpen =
  (tenant: Tenant, status: 'open' | 'expiring' = 'open'): Source =>
  (part, count) =>
    sql`${rowsOfRanges(tenant, { ranges: rangesOf(status, part.now), types: CONTRACT_TYPES, part, count })} limit ${count}`

const countOf = (source: Source, part: Part): RawBuilder<unknown> =>
  sql`(select count(*)::int from (${source(part, COUNT_MAX + 1)}) as counted)`

// Conditions of one position `c`. A scalar subquery is a look into one index for each position. The planner turns `exists` into a join, and
// may read all contracts of a common word for it.

/** One word is an entry of the primary key. Of several, those of the contract are read, because a contract has few words. */
const hasTerm = (tenant: Tenant, { words }: Term): RawBuilder<unknown> =>
  words.length === 1
    ? sql`(select true from contract_word
            where ${isOf(tenant)} and word = ${words[0]} and expires_at = c.expires_at and contract_id = c.id)`
    : sql`(select true from contract_word where contract_id = c.id and word = any(${words}::text[]) limit 1)`

const isContract = (condition: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select true from contract where id = c.id and ${condition})`

const hasProblem = (problem: Problem, now: Date): RawBuilder<unknown> =>
  isContract(
    problem === 'declined' ? sql`has_decline` : sql`has_delivery_problem and ${isOfKind({ status: 'open' }, now)}`,
  )

function isOfKind({ status, contractType }: Filter, now: Date): RawBuilder<unknown> {
  const type = contractType ? sql`contract_type = ${contractType}` : sql`true`
  if (!status) return type
  const ranges = rangesOf(status, now).map(({ status: stored, after, until }) => {
    const [from, to] = [after, until].map((bound) => (typeof bound === 'string' ? bound : bound.toISOString()))
    return sql`(status = ${stored} and contract.expires_at > ${from}::timestamptz and contract.expires_at <= ${to}::timestamptz)`
  })
  return sql`${type} and (${sql.join(ranges, sql` or `)})`
}

function createdWithin({ createdFrom, createdBefore }: Filter): RawBuilder<unknown> {
  const from = createdFrom?.toISOString() ?? '-infinity'
  const before = createdBefore?.toISOString() ?? 'infinity'
  return sql`created_at >= ${from}::timestamptz and created_at < ${before}::timestamptz`
}

/** Filters again, because a contract may have been completed while `readFinal` waited. */
const matches = (row: Row, { status }: Filter, now: Date): boolean => !status || isInRange(row, rangesOf(status, now))

function toListed({ completedAt, cancelledAt, deliveries, ...row }: Row, now: Date): ListedContract {
  const status = statusAt(row, now)
  const endedAt = status === 'expired' ? row.expiresAt : (completedAt ?? cancelledAt)
  const states = endedAt === null ? Object.values(deliveries).map(([delivery]) => delivery) : []
  const deliveryProblem = (['refused', 'delayed'] as const).find((problem) => states.includes(problem)) ?? null
  return { ...row, status, endedAt, deliveryProblem }
}

/** A count up to `COUNT_MAX`. */
const capped = (count: number) => ({ count: Math.min(count, COUNT_MAX), isMore: count > COUNT_MAX })
