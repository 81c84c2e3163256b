// Everything of an account as one JSON document, for whoever leaves: written as it is read, however much there is.
// Owns: its parts and their order. Evidence and signed copies are files of their own, behind each contract's page.
import type { Environment } from '@paraph/protocol/caller'
import { listActs, type AuditEntry } from '../audit.js'
import { readUsageMonths } from '../usage-history.js'
import { principalOf, type Console, type ShownAccount } from './console.js'

const ENVIRONMENTS: readonly Environment[] = ['production', 'sandbox']

type Parts = Pick<Console, 'database' | 'applications' | 'owners' | 'keys' | 'others'>

/**
 * The document in pieces. No secret is in it: of keys it has what lists show.
 * @throws what stops it on its way; the document is then not valid JSON, and nobody takes it for whole
 */
export async function* exportOf(
  { database, applications, owners, keys, others }: Parts,
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
  const whole = {
    ...{ exportedAt: now, account: row, owners: await owners.list(row.id) },
    ...{ applications: await applications.listOf(row.id), keys: await keys.list(row.id), usage },
  }
  yield `{${membersOf(whole)},\n"acts": `
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
      const part = await contract.exported.query(older === undefined ? {} : { older })
      yield* part.contracts
      if (part.older === null) return
      older = part.older
    }
  }
}

const membersOf = (whole: object): string =>
  Object.entries(whole)
    .map(([name, value]) => `\n"${name}": ${JSON.stringify(value)}`)
    .join(',')

/** One entry to a line. */
async function* arrayOf(entries: AsyncIterable<object>): AsyncGenerator<string> {
  let before = '['
  for await (const entry of entries) {
    yield `${before}\n${JSON.stringify(entry)}`
    before = ','
  }
  yield before === '[' ? '[]' : '\n]'
}
