// What the answers said that they cost, by key, against what GET /usage says was counted. [D3, D40]
// Keys are random, so one table serves every stack of a test file.
import { createHash } from 'node:crypto'
import { withClient } from '@paraph/database/provision'

const billedByKey = new Map<string, number>()
const monthNow = () => new Date().toISOString().slice(0, 7)
const startedIn = monthNow()

/** Keeps what an answer to `key` says of its cost. */
export function keepReceipt(key: string, headers: Headers): void {
  const billed = headers.get('paraph-quota-billable') === 'true' ? Number(headers.get('paraph-quota-weight')) : 0
  billedByKey.set(key, (billedByKey.get(key) ?? 0) + billed)
}

interface Owner {
  account_id: string
  environment: string
}

/**
 * Compares the receipts of every key of this installation with what was counted for its account and environment.
 * @param rule `equal` where every call was made with the test client and each answer was read; `at least` where a gateway was
 *   killed, a client left or calls were made by other means: answered ≤ counted is all that is promised then
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
    // A key that is revoked, lacks the scope or has used up its window is not answered: then the rows that GET /usage adds up.
    const sumOfRows = async ({ account_id, environment }: Owner) => {
      const { rows } = await client.query<{ billable: string }>(
        `select coalesce(sum(billable), 0) as billable from usage
        where account_id = $1 and environment = $2 and to_char(day, 'YYYY-MM') = $3`,
        [account_id, environment, monthNow()],
      )
      return Number(rows[0]?.billable)
    }
    for (const [name, account] of accounts) {
      const counted = (await askUsage(apiUrl, account.keys)) ?? (await sumOfRows(account))
      // A run that crosses into the next month has receipts of both.
      if (monthNow() !== startedIn) return
      const agrees = rule === 'equal' ? counted === account.billed : counted >= account.billed
      if (!agrees)
        throw new Error(`The receipts of ${name} add up to ${account.billed}; counted are ${counted} (${rule}).`)
    }
  })
}

/** `billableCalls` as the first of `keys` that is let in reads it. */
async function askUsage(apiUrl: string, keys: readonly string[]): Promise<number | undefined> {
  for (const key of keys) {
    const response = await fetch(`${apiUrl}/usage`, { headers: { 'x-api-key': key } }).catch(() => undefined)
    if (response?.status !== 200) continue
    return ((await response.json()) as { usage: { billableCalls: number } }).usage.billableCalls
  }
  return undefined
}
