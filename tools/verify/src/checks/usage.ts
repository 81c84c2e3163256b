// Checks I11: a month is the sum of its days, no more calls are billed than answered, and no more creations than an account has contracts.
// Reads the gateway before the contract service. [D3, D40]
// Checks I12: no shared window contains more admitted calls than its limit. [D27]
// Cannot detect: wrong receipts (Paraph-Quota-Billable), which tests compare with the usage; windows in the memory of a gateway; calls
// that were admitted while the shared store was unavailable. May report an account that moved to a smaller tier within the last minute:
// the excess leaves its window within a minute.
import { add, broken, listBroken, record, type Found, type Scope, type TableCheck } from '../check.js'
import type { Sessions } from '../sessions.js'

export const usageAddsUp: TableCheck = {
  invariants: ['I11'],
  compares:
    'the counters of months with the sums of their days, and billed creations with the contracts of the account',
  parts: [{ reads: ['gateway', 'contract'], check: checkUsage }],
}

export const windowsKeepTheirLimit: TableCheck = {
  invariants: ['I12'],
  compares: 'the admissions in each shared window with the limit of its account and environment',
  parts: [
    {
      reads: ['gateway'],
      async check({ gateway }) {
        const [counted] = await gateway.query<{ all: number }>('select count(*)::int as all from account_window')
        const over = await listBroken(
          gateway,
          'I12',
          'has more admissions in a minute than its limit',
          `select name as subject from (
             select w.name, greatest(0, cardinality(w.at_ms) - 1) * w.pack_size + w.newest_pack as used,
                    case split_part(w.name, ' ', 2) when 'production' then t.requests_per_minute else t.sandbox_requests_per_minute end as max
               from account_window w
               join account a on a.id = split_part(w.name, ' ', 1)
               join tier t on t.name = a.tier) used_windows
            where used > max`,
        )
        return { counts: { 'shared windows': counted?.all ?? 0 }, ...over }
      },
    },
  ],
}

async function checkUsage({ gateway, contract }: Sessions, { since }: Scope): Promise<Found> {
  const months = await gateway.query<{ account: string; isSum: boolean }>(
    `select account_id || ' ' || environment || ' ' || to_char(month, 'YYYY-MM') as account,
              coalesce(u.billable, 0) = coalesce(m.billable, 0) as "isSum"
         from (select account_id, environment, date_trunc('month', day)::date as month, sum(billable) as billable
                 from usage where $1::timestamptz is null or day >= date_trunc('month', $1::timestamptz at time zone 'utc')
                group by 1, 2, 3) u
         full join (select account_id, environment, month, billable from usage_month
                     where $1::timestamptz is null or month >= date_trunc('month', $1::timestamptz at time zone 'utc')) m
         using (account_id, environment, month)`,
    [since],
  )
  const impossible = await listBroken(
    gateway,
    'I11',
    'has more billed than answered calls',
    `select account_id || ' ' || environment || ' ' || day as subject from usage
        where billable > total or billable < 0 or total < 0 group by 1`,
  )
  const billed = await gateway.query<{ account: string; creations: number }>(
    `select account_id || ' ' || environment as account, sum(billable)::float8 as creations from usage
        where endpoint = 'POST /contracts' and ($1::timestamptz is null or day > ($1::timestamptz at time zone 'utc')::date)
        group by account_id, environment having sum(billable) > 0`,
    [since],
  )
  // A call has the date of its admission, before the creation of its contract. So since any instant at least as many contracts exist.
  const created = await contract.query<{ account: string; contracts: number }>(
    `select account_id || ' ' || environment as account, count(*)::float8 as contracts from contract
        where $1::timestamptz is null or id >= 'contract-' || floor(extract(epoch from $1::timestamptz) * 1000)::text
        group by account_id, environment`,
    [since],
  )
  const contractsOf = new Map(created.map(({ account, contracts }) => [account, contracts]))
  const counts = { 'months of accounts': months.length, 'accounts with billed creations': billed.length }
  const found: Found = { counts, violations: [] }
  for (const { account, isSum } of months)
    if (!isSum) record(found, broken('I11', account, 'has a month that is not the sum of its days'))
  add(found, impossible)
  for (const { account, creations } of billed)
    if (creations > (contractsOf.get(account) ?? 0))
      record(found, broken('I11', account, 'is billed for more creations than it has contracts'))
  return found
}
