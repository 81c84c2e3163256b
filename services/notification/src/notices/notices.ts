// What the owners of an account should hear of a production contract. The gateway asks for it, because it knows the owners and what each
// account wants to hear; then it reports what it has mailed. [D70]
import { sql, type Kysely, type Transaction } from 'kysely'

/** Of the first two, owners hear at once. */
export const NOTICE_KINDS = ['invitation_refused', 'party_declined', 'contract_completed', 'contract_expired'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

interface NewNotice {
  accountId: string
  environment: string
  contractId: string
  kind: NoticeKind
}

/** What waits for one account and kind. */
export interface WaitingNotices {
  accountId: string
  kind: NoticeKind
  count: number
  /** The newest of them. */
  upTo: number
  /** The oldest of them, at most eleven. */
  first: { id: number; contractId: string }[]
}

/** Adds a notice in the transaction of its cause. The sandbox has none. */
export async function addNotice(trx: Transaction<unknown>, { accountId, environment, contractId, kind }: NewNotice) {
  if (environment !== 'production') return
  await sql`insert into owner_notice (account_id, contract_id, kind) values (${accountId}, ${contractId}, ${kind})`.execute(
    trx,
  )
}

const GROUPS_MAX = 200
const FIRST_MAX = 11

export function createNotices(database: Kysely<unknown>) {
  /** What waits, of these kinds; of these accounts, or of all. Accounts that wait longest come first. */
  async function waiting(kinds: readonly NoticeKind[], accountIds?: readonly string[]): Promise<WaitingNotices[]> {
    const { rows } = await sql<WaitingNotices>`
      select account_id as "accountId", kind, count(*)::int as count, max(id) as "upTo",
             (select json_agg(json_build_object('id', oldest.id, 'contractId', oldest.contract_id) order by oldest.id)
                from (select id, contract_id from owner_notice o
                       where o.reported_at is null and o.account_id = n.account_id and o.kind = n.kind
                       order by id limit ${FIRST_MAX}) oldest) as first
        from owner_notice n
       where reported_at is null and kind = any(${kinds})
         and (${accountIds === undefined} or account_id = any(${accountIds ?? []}))
       group by account_id, kind order by min(id) limit ${GROUPS_MAX}`.execute(database)
    return rows
  }
  return {
    waiting,
    /** Reports the notices of an account and kind, up to and including `upTo`. Idempotent. */
    async report(accountId: string, kind: NoticeKind, upTo: number): Promise<void> {
      await sql`update owner_notice set reported_at = clock_timestamp()
                 where account_id = ${accountId} and kind = ${kind} and id <= ${upTo} and reported_at is null`.execute(
        database,
      )
    },
  }
}

export type Notices = ReturnType<typeof createNotices>
