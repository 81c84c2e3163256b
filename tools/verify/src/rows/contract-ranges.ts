// Goes over every contract id that any service knows, in ranges of some hundred: a contract that exists nowhere but in a mail is
// found too. Memory and the length of a look do not grow with the tables.
import type { Looks, Range, Scope } from './check.js'

const RANGE_IDS = 300

/** Tables that an id may stand in, by an index that begins with it. */
const PLACES = [
  { service: 'contract', table: 'contract', column: 'id' },
  { service: 'notification', table: 'delivery', column: 'contract_id' },
  { service: 'signing', table: 'evidence_chain', column: 'contract_id' },
  { service: 'signing', table: 'sign_attempt', column: 'contract_id' },
  { service: 'signing', table: 'one_time_code', column: 'scope' },
  { service: 'signing', table: 'code_send', column: 'scope' },
] as const

/** Ids are greater than this in time order: they begin with the millisecond of their creation. [D21] */
export const firstAfter = ({ since }: Scope): string => (since ? `contract-${since.getTime()}` : '')

/** The next range behind `after`; undefined when there is none. Inside a moment of all looks. */
export async function nextRange(looks: Looks, after: string): Promise<(Range & { isLast: boolean }) | undefined> {
  const ids: string[] = []
  const horizons: string[] = []
  for (const { service, table, column } of PLACES) {
    const rows = await looks[service].query<{ id: string }>(
      `select distinct ${column} as id from ${table} where ${column} > $1 order by 1 limit ${RANGE_IDS}`,
      [after],
    )
    ids.push(...rows.map(({ id }) => id))
    // There may be more behind the last that was asked for.
    if (rows.length === RANGE_IDS) horizons.push(rows.at(-1)!.id)
  }
  if (ids.length === 0) return undefined
  // The database's own order, which is not everywhere that of bytes.
  const [range] = await looks.contract.query<Range & Record<string, unknown>>(
    `select min(id) as "from", ${horizons.length > 0 ? '(select min(h) from unnest($2::text[]) h)' : 'max(id)'} as "to"
       from unnest($1::text[]) id`,
    horizons.length > 0 ? [ids, horizons] : [ids],
  )
  return range && { ...range, isLast: horizons.length === 0 }
}
