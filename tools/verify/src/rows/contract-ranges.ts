// Iterates over every contract id of any service in ranges of some hundred, so it also finds a contract that exists only in a mail.
// Memory and the length of a snapshot do not grow with the tables.
import type { Looks, Scope } from '../check.js'
import type { Range } from './range.js'

const RANGE_IDS = 300

/** Tables with contract ids, each with an index that begins with the id. */
const PLACES = [
  { service: 'contract', table: 'contract', column: 'id' },
  { service: 'notification', table: 'delivery', column: 'contract_id' },
  { service: 'signing', table: 'evidence_chain', column: 'contract_id' },
  { service: 'signing', table: 'sign_attempt', column: 'contract_id' },
  { service: 'signing', table: 'one_time_code', column: 'scope' },
  { service: 'signing', table: 'code_send', column: 'scope' },
] as const

/** Lower bound of the ids in scope: ids begin with the millisecond of their creation. [D21] */
export const firstAfter = ({ since }: Scope): string => (since ? `contract-${since.getTime()}` : '')

/** The next range after `after`, or undefined. Within a moment of all sessions. */
export async function nextRange(looks: Looks, after: string): Promise<(Range & { isLast: boolean }) | undefined> {
  const ids: string[] = []
  const horizons: string[] = []
  for (const { service, table, column } of PLACES) {
    const rows = await looks[service].query<{ id: string }>(
      `select distinct ${column} as id from ${table} where ${column} > $1 order by 1 limit ${RANGE_IDS}`,
      [after],
    )
    ids.push(...rows.map(({ id }) => id))
    // More ids may follow the last one read.
    if (rows.length === RANGE_IDS) horizons.push(rows.at(-1)!.id)
  }
  if (ids.length === 0) return undefined
  // In the database's collation, which may differ from byte order.
  const [range] = await looks.contract.query<Range & Record<string, unknown>>(
    `select min(id) as "from", ${horizons.length > 0 ? '(select min(h) from unnest($2::text[]) h)' : 'max(id)'} as "to"
       from unnest($1::text[]) id`,
    horizons.length > 0 ? [ids, horizons] : [ids],
  )
  return range && { ...range, isLast: horizons.length === 0 }
}
