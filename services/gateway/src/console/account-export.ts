// The export of an account: all its data as one JSON document, streamed while it is read.
// Owns the parts and their order. Evidence and signed copies are separate downloads on each contract's page.
import type { Environment } from '@paraph/protocol/environment'
import { listActs, type AuditEntry } from '../accounts/audit.js'
import { readUsageMonths } from '../usage/history.js'
import { principalOf, type Console, type ShownAccount } from './console-context.js'

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox']

type ExportDeps = Pick<Console, 'database' | 'applications' | 'owners' | 'brands' | 'keys' | 'others'>

/**
 * Yields the document in chunks. The document contains no secrets: keys appear as in lists.
 * @throws the error that interrupts the export. The truncated document is not valid JSON, so no client can take it for complete
 */
export async function* exportOf(
  { database, applications, owners, brands, keys, others }: ExportDeps,
  { row }: ShownAccount,
  now: Date,
): AsyncGenerator<string> {
  const month = now.toISOString().slice(0, 7)
  const usage = Object.fromEntries(
    await Promise.all(
      ENVIRONMENTS.map(async (environment) => [
        environment,
        await readUsageMonths(database, { accountId: row.id, environment }, month),
      ]),
    ),
  )
  const data = {
    exportedAt: now,
    account: row,
    owners: await owners.list(row.id),
    applications: await applications.listOf(row.id),
    brands: await brands.read(row.id),
    keys: await keys.list(row.id),
    usage,
  }
  yield `{${membersOf(data)},\n"acts": `
  yield* arrayOf(actsOf(row.id))
  for (const environment of ENVIRONMENTS) {
    yield `,\n"${environment}Contracts": `
    yield* arrayOf(contractsOf(environment))
  }
  yield '\n}\n'

  async function* actsOf(accountId: string): AsyncGenerator<AuditEntry> {
    for (let before: number | undefined; ;) {
      const { entries, hasMore } = await listActs(database, { accountId, before })
      yield* entries
      if (!hasMore) return
      before = entries.at(-1)?.id
    }
  }

  async function* contractsOf(environment: Environment) {
    const { contract } = others(principalOf(row, environment))
    for (let older: string | undefined; ;) {
      const batch = await contract.exported.query(older === undefined ? {} : { older })
      yield* batch.contracts
      if (batch.older === null) return
      older = batch.older
    }
  }
}

const membersOf = (data: object): string =>
  Object.entries(data)
    .map(([name, value]) => `\n"${name}": ${JSON.stringify(value)}`)
    .join(',')

/** A JSON array with one entry a line. */
async function* arrayOf(entries: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = '['
  for await (const entry of entries) {
    yield `${separator}\n${JSON.stringify(entry)}`
    separator = ','
  }
  yield separator === '[' ? '[]' : '\n]'
}
