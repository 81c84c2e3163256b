// Reads the contracts of a range of ids with the data that determine their state, and their deliveries.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { Sessions } from '../sessions.js'

/** Contracts from one id to another, both included, in the order of the database. */
export interface Range {
  from: string
  to: string
}

export interface ContractRow {
  id: string
  accountId: string
  contractNumber: string
  contentSha256: string
  status: string
  version: number
  createdAt: Date
  expiresAt: Date
  changedAt: Date
  completedAt: Date | null
  cancelledAt: Date | null
  /** When its text, names and addresses were erased. [D43] */
  erasedAt: Date | null
  /** The database's clock at the read. */
  now: Date
  partyCount: number
  /** Equal for equal mailboxes, in the order of the parties; null where the view cannot tell. */
  mailboxes: (string | null)[]
  signatures: { partyIndex: number; attemptId: string; signedAt: Date }[]
  /** At most one for each party, also of a party that has signed since. `declinedAt`: ISO 8601 with milliseconds. [D57] */
  declines: { partyIndex: number; declinedAt: string }[]
  /** The corrections of addresses. `readdressedAt`: as `declinedAt`. [D61] */
  readdresses: { partyIndex: number; readdressedAt: string }[]
}

/** A delivery without its address. */
export interface DeliveryRow {
  id: number
  contractId: string
  accountId: string | null
  partyIndex: number
  kind: string
  sendNumber: number
  state: string
  /** The reason why it was rescheduled, failed or skipped; no address. */
  outcome: string | null
  attempts: number
  createdAt: Date
  finishedAt: Date | null
  lapsesAt: Date
  /** True if the account is suspended: the mail is neither sent nor ended. [D37] */
  isHeld: boolean
  /** The database's clock at the read. */
  now: Date
}

const RANGE_IDS = 300
export const FINAL_STATUSES: readonly string[] = ['signed', 'expired', 'cancelled']

/** Tables with contract ids, each with an index that begins with the id. */
const PLACES = [
  { service: 'contract', table: 'contract', column: 'id' },
  { service: 'notification', table: 'delivery', column: 'contract_id' },
  { service: 'signing', table: 'evidence_chain', column: 'contract_id' },
  { service: 'signing', table: 'sign_attempt', column: 'contract_id' },
  { service: 'signing', table: 'one_time_code', column: 'scope' },
  { service: 'signing', table: 'code_send', column: 'scope' },
] as const

/**
 * The next range of some hundred ids after `after`, or undefined. Covers the ids of every service, to find a contract that exists only
 * in a mail. Ranges limit the memory and the duration of a snapshot. Call it within a snapshot of all sessions.
 */
export async function nextRange(sessions: Sessions, after: string): Promise<(Range & { isLast: boolean }) | undefined> {
  const ids: string[] = []
  const horizons: string[] = []
  for (const { service, table, column } of PLACES) {
    const rows = await sessions[service].query<{ id: string }>(
      `select distinct ${column} as id from ${table} where ${column} > $1 order by 1 limit ${RANGE_IDS}`,
      [after],
    )
    ids.push(...rows.map(({ id }) => id))
    // More ids may follow the last of these.
    if (rows.length === RANGE_IDS) horizons.push(...rows.slice(-1).map(({ id }) => id))
  }
  if (ids.length === 0) return undefined
  // The database compares, because its collation may differ from byte order.
  const [range] = await sessions.contract.query<Range & Record<string, unknown>>(
    'select min(id) as "from", coalesce((select min(h) from unnest($2::text[]) h), max(id)) as "to" from unnest($1::text[]) id',
    [ids, horizons],
  )
  return range && { ...range, isLast: horizons.length === 0 }
}

export async function readContracts(session: ReadOnlySession, { from, to }: Range): Promise<Map<string, ContractRow>> {
  const rows = await session.query<ContractRow & Record<string, unknown>>(
    `select c.id, c.account_id as "accountId", c.contract_number as "contractNumber",
            encode(c.content_sha256, 'hex') as "contentSha256", c.status, c.version, c.created_at as "createdAt",
            c.expires_at as "expiresAt", c.changed_at as "changedAt", c.completed_at as "completedAt",
            c.cancelled_at as "cancelledAt", c.erased_at as "erasedAt", clock_timestamp() as now,
            (select count(*)::int from party p where p.contract_id = c.id) as "partyCount",
            array(select p.mailbox_digest from party p where p.contract_id = c.id order by p.party_index) as mailboxes,
            (select coalesce(json_agg(json_build_object(
               'partyIndex', s.party_index, 'attemptId', s.attempt_id, 'signedAt', s.signed_at)), '[]')
               from signature s where s.contract_id = c.id) as signatures,
            (select coalesce(json_agg(json_build_object(
               'partyIndex', d.party_index,
               'declinedAt', to_char(d.declined_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
               from decline d where d.contract_id = c.id) as declines,
            (select coalesce(json_agg(json_build_object(
               'partyIndex', r.party_index,
               'readdressedAt', to_char(r.readdressed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), '[]')
               from readdress r where r.contract_id = c.id) as readdresses
       from contract c where c.id between $1 and $2`,
    [from, to],
  )
  // In JSON an instant is text.
  for (const row of rows) for (const signature of row.signatures) signature.signedAt = new Date(signature.signedAt)
  return new Map(rows.map((row) => [row.id, row]))
}

export function readDeliveries(session: ReadOnlySession, { from, to }: Range): Promise<DeliveryRow[]> {
  return session.query<DeliveryRow & Record<string, unknown>>(
    `select d.id, d.contract_id as "contractId", d.account_id as "accountId", d.party_index as "partyIndex", d.kind,
            d.send_number as "sendNumber", d.state, d.outcome, d.attempts, d.created_at as "createdAt", d.finished_at as "finishedAt",
            d.lapses_at as "lapsesAt", coalesce(h.is_suspended, false) as "isHeld", clock_timestamp() as now
       from delivery d left join account_hold h on h.account_id = d.account_id
      where d.contract_id between $1 and $2
      order by d.contract_id, d.kind, d.party_index, d.send_number`,
    [from, to],
  )
}
