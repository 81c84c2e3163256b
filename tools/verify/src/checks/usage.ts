// I11: usage adds up: a month is the sum of its days, nothing is billed twice, and no more creations are billed than contracts exist.
// Reads the gateway before the contract service. [D3, D40]
// Cannot see: the answers to clients. Tests compare their receipts (Paraph-Quota-Billable).
import type { Found, Looks, Scope, TableCheck, Violation } from '../check.js'
import { add, listed, LISTED_MAX, recordViolation } from '../violations.js'

export const countsAddUp: TableCheck = {
  invariants: ['I11'],
  compares:
    'the counters of months with the sums of their days, and billed creations with the contracts of the account',
  parts: [{ reads: ['gateway', 'contract'], look }],
}

async function look({ gateway, contract }: Looks, { since }: Scope): Promise<Found> {
  const months = await gateway.query<{ account: string; isSum: boolean }>(
    `select account_id || ' ' || environment || ' ' || to_char(month, 'YYYY-MM') as account,
              coalesce(u.billable, 0) = coalesce(m.billable, 0) as "isSum"
         from (select account_id, environment, date_trunc('month', day)::date as month, sum(billable) as billable
                 from usage where $1::timestamptz is null or day >= date_trunc('month', $1::timestamptz at time zone 'utc')
                group by 1, 2, 3) u
         full join (select account_id, environment, month, billable from usage_month
                     where $1::timestamptz is null or month >= date_trunc('month', $1::timestamptz at time zone 'utc')) m
         using (account_id, environment, month)`,
    [since ?? null],
  )
  const impossible = await gateway.query<{ account: string; all: number }>(
    `select account_id || ' ' || environment || ' ' || day as account, count(*) over ()::int as all from usage
        where billable > total or billable < 0 or total < 0 group by 1 order by 1 limit ${LISTED_MAX}`,
  )
  const billed = await gateway.query<{ account: string; creations: number }>(
    `select account_id || ' ' || environment as account, sum(billable)::float8 as creations from usage
        where endpoint = 'POST /contracts' and ($1::timestamptz is null or day > ($1::timestamptz at time zone 'utc')::date)
        group by account_id, environment having sum(billable) > 0`,
    [since ?? null],
  )
  // A call is admitted, and so dated, before its contract is created: from any moment on there are at least as many contracts.
  const made = await contract.query<{ account: string; contracts: number }>(
    `select account_id || ' ' || environment as account, count(*)::float8 as contracts from contract
        where $1::timestamptz is null or id >= 'contract-' || floor(extract(epoch from $1::timestamptz) * 1000)::text
        group by account_id, environment`,
    [since ?? null],
  )
  const contractsOf = new Map(made.map(({ account, contracts }) => [account, contracts]))
  const broken = (subject: string, fault: string): Violation => ({ invariant: 'I11', kind: 'broken', subject, fault })
  const found: Found = {
    looked: { 'months of accounts': months.length, 'accounts with billed creations': billed.length },
    violations: [],
  }
  for (const { account, isSum } of months)
    if (!isSum) recordViolation(found, [broken(account, 'has a month that is not the sum of its days')])
  add(found, {
    looked: {},
    ...listed(impossible, ({ account }) => broken(account, 'has more billed than answered calls')),
  })
  for (const { account, creations } of billed)
    if (creations > (contractsOf.get(account) ?? 0))
      recordViolation(found, [broken(account, 'is billed for more creations than it has contracts')])
  return found
}
