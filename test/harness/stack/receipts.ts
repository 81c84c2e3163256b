// Sums up the receipts of all answers by API key, and compares the sums with the counts of GET /usage. [D3, D40]
// Keys are random, so one map serves every stack of a test file.
import { createHash } from 'node:crypto'
import { withClient } from '@paraph/database/provision'

const billedByKey = new Map<string, number>()
const monthNow = () => new Date().toISOString().slice(0, 7)
const startedIn = monthNow()

/** Adds the receipt of an answer to a call with `key`. */
export function keepReceipt(key: string, headers: Headers): void {
  const billed = headers.get('paraph-quota-billable') === 'true' ? Number(headers.get('paraph-quota-weight')) : 0
  billedByKey.set(key, (billedByKey.get(key) ?? 0) + billed)
}

interface Owner {
  account_id: string
  environment: string
}

/**
 * Compares the receipts of this installation's keys with the billable calls of each account and environment.
 * @param rule `equal` if test clients sent every call and read every answer. `at least` if a gateway was killed, a client disconnected
 * or calls were sent without a test client: then usage may exceed the receipts.
 * @throws Error that names the account and both numbers
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
    // For keys that GET /usage refuses (revoked, without the scope, or over the rate limit): sums up the rows of the account.
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
      // After the end of a month, the receipts belong to two months and cannot be compared.
      if (monthNow() !== startedIn) return
      const agrees = rule === 'equal' ? counted === account.billed : counted >= account.billed
      if (!agrees)
        throw new Error(`The receipts of ${name} add up to ${account.billed}, but usage is ${counted} (${rule}).`)
    }
  })
}

/** Reads `billableCalls` with the first of `keys` that GET /usage accepts. */
async function readUsage(apiUrl: string, keys: readonly string[]): Promise<number | undefined> {
  for (const key of keys) {
    const response = await fetch(`${apiUrl}/usage`, { headers: { 'x-api-key': key } }).catch(() => undefined)
    if (response?.status !== 200) continue
    return ((await response.json()) as { usage: { billableCalls: number } }).usage.billableCalls
  }
  return undefined
}
