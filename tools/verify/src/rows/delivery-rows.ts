// The deliveries of a range of contracts. Reads no address.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { Range } from './range.js'

export interface DeliveryRow {
  id: number
  contractId: string
  accountId: string | null
  partyIndex: number
  kind: string
  sendNumber: number
  state: string
  /** Why it was rescheduled, failed or skipped; no address. */
  outcome: string | null
  attempts: number
  createdAt: Date
  settledAt: Date | null
  lapsesAt: Date
  /** The account is suspended: the mail is neither sent nor abandoned. [D37] */
  isHeld: boolean
  /** The database's clock at the read. */
  now: Date
}

export function readDeliveries(look: ReadOnlySession, { from, to }: Range): Promise<DeliveryRow[]> {
  return look.query<DeliveryRow>(
    `select d.id, d.contract_id as "contractId", d.account_id as "accountId", d.party_index as "partyIndex", d.kind,
            d.send_number as "sendNumber", d.state, d.outcome, d.attempts, d.created_at as "createdAt", d.settled_at as "settledAt",
            d.lapses_at as "lapsesAt", coalesce(h.is_suspended, false) as "isHeld", clock_timestamp() as now
       from delivery d left join account_hold h on h.account_id = d.account_id
      where d.contract_id between $1 and $2
      order by d.contract_id, d.kind, d.party_index, d.send_number`,
    [from, to],
  )
}
