// Compares the cost that the answers reported, by key, with the counts of GET /usage. [D3, D40]
// Keys are random, so one table serves every stack of a test file.
import { createHash } from 'node:crypto'
import { withClient } from '@paraph/database/provision'

const billedByKey = new Map<string, number>()
const monthNow = () => new Date().toISOString().slice(0, 7)
const startedIn = monthNow()

/** Records the cost that an answer to `key` reports. */
export function keepReceipt(key: string, headers: Headers): void {
  const billed = headers.get('paraph-quota-billable') === 'true' ? Number(headers.get('paraph-quota-weight')) : 0
  billedByKey.set(key, (billedByKey.get(key) ?? 0) + billed)
}

interface Owner {
  account_id: string
  environment: string
}

/**
 * Compares the receipts of every key of this installation with the counts of its account and environment.
 * @param rule `equal` if every call was made with the test client and each answer was read; `at least` if a gateway was
 * killed, a client disconnected or calls were sent by other means: then only answered ≤ counted is guaranteed
 * @throws Error that names the account and both figures
 */
export async function compareReceipts(
  { apiUrl, gatewayDatabaseUrl }: { apiUrl: string; gatewayDatabaseUrl: string },
  rule: 'equal' | 'at least',
): Promise<void> {
  if (billedByKey.size === 0) return
  await withClient(gatewayDatabaseUrl, async (client) => {
    const accounts = new Map<string, Owner & { billed: number; keys: string[] }>()
    for (const [key, billed] of billedByKey) {
      const hash = createHash('sha256').update(key).digest()
      const found = await client.query<Owner>('select account_id, environment from api_key where sha256 = $1', [hash])
      const owner = found.rows[0]
      if (!owner) continue
      const name = `${owner.account_id} ${owner.environment}`
      const account = accounts.get(name) ?? { ...owner, billed: 0, keys: [] }
      accounts.set(name, { ...account, billed: account.billed + billed, keys: [...account.keys, key] })
    }
    // GET /usage refuses a key that is revoked, lacks the scope or has a full window: then its rows are summed up instead.
    const sumOfRows = async ({ account_id, environment }: Owner) => {
      const { rows } = await client.query<{ billable: string }>(
        `select coalesce(sum(billable), 0) as billable from usage
        where account_id = $1 and environment = $2 and to_char(day, 'YYYY-MM') = $3`,
        [account_id, environment, monthNow()],
      )
      return Number(rows[0]?.billable)
    }
    for (const [name, account] of accounts) {
      const counted = (await readUsage(apiUrl, account.keys)) ?? (await sumOfRows(account))
      // A run across the end of a month has receipts of both months.
      if (monthNow() !== startedIn) return
      const agrees = rule === 'equal' ? counted === account.billed : counted >= account.billed
      if (!agrees)
        throw new Error(`The receipts of ${name} add up to ${account.billed}; counted are ${counted} (${rule}).`)
    }
  })
}

/** `billableCalls` for the first of `keys` that is accepted. */
async function readUsage(apiUrl: string, keys: readonly string[]): Promise<number | undefined> {
  for (const key of keys) {
    const response = await fetch(`${apiUrl}/usage`, { headers: { 'x-api-key': key } }).catch(() => undefined)
    if (response?.status !== 200) continue
    return ((await response.json()) as { usage: { billableCalls: number } }).usage.billableCalls
  }
  return undefined
}
