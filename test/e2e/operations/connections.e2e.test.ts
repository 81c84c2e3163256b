// Compares the connection budget of docs/reference/ports-and-transport.md with the Postgres connections of a stack under full load.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { withClient } from '@paraph/database/provision'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createAccount } from '../../harness/stack/accounts.js'
import { databaseUrlOf, makeDataFolder, startStack, type RunningStack } from '../../harness/stack/local-stack.js'
import { CONTRACT, createTallies } from '../api/usage-load.js'
import { until } from '../../harness/until.js'

/** Concurrent clients, more than the connections of any pool. */
const CLIENTS = 48

let running: RunningStack
beforeAll(async () => {
  running = await startStack(await makeDataFolder(), { WINDOW_STORE: 'postgres' })
})
afterAll(() => running?.close({ receipts: 'at least' }))

type Column = 'pooled' | 'direct' | 'bus'
type OpenConnections = Record<ServiceName, Record<Column, number>>

const PAGE = fileURLToPath(new URL('../../../docs/reference/ports-and-transport.md', import.meta.url))

/** Reads the table of the page: the connections per service and kind, and the sums in the last column. */
async function readBudget(): Promise<{ budget: OpenConnections; sums: Record<string, number> }> {
  const rows = [...(await readFile(PAGE, 'utf8')).matchAll(/^\| (\w+) +\|((?: +\d+ \|){4})$/gm)].map(
    ([, service, cells]) => [service!, cells!.match(/\d+/g)!.map(Number)] as const,
  )
  return {
    budget: Object.fromEntries(
      rows.map(([service, [pooled, direct, bus]]) => [service, { pooled, direct, bus }]),
    ) as unknown as OpenConnections,
    sums: Object.fromEntries(rows.map(([service, cells]) => [service, cells[3]!])),
  }
}

/** Direct connections set an application_name that begins with `paraph`; pooled connections do not. */
async function readOpenConnections(): Promise<OpenConnections> {
  const rows = await withClient(running.stack.databaseUrl, async (admin) => {
    const { rows } = await admin.query<{ service: ServiceName; column: Column; count: number }>(
      `select replace(usename, '_runtime', '') as service,
         case when datname = 'bus' then 'bus' when application_name like 'paraph %' then 'direct' else 'pooled' end as column, count(*)::int
       from pg_stat_activity where usename like '%\\_runtime' group by 1, 2`,
    )
    return rows
  })
  const none = () => ({ pooled: 0, direct: 0, bus: 0 })
  const open = Object.fromEntries(SERVICES.map((service) => [service, none()])) as unknown as OpenConnections
  for (const { service, column, count } of rows) open[service][column] = count
  return open
}

it('the stack uses the documented number of connections, idle and under full load [Connections to Postgres]', async () => {
  const { budget, sums } = await readBudget()
  expect(Object.keys(budget)).toEqual([...SERVICES])
  for (const service of SERVICES)
    expect(Object.values(budget[service]).reduce((sum, count) => sum + count, 0)).toBe(sums[service])

  const { folder, stack } = running
  await withClient(databaseUrlOf(stack, 'gateway'), (admin) =>
    admin.query(`insert into tier values ('busy', 1000000, 1000000, 1000000, 1000000)`),
  )
  const { accountId, liveKey } = await createAccount(folder, { tier: 'busy' })
  const caller = { apiUrl: stack.apiUrl, key: liveKey }
  const tallies = createTallies()
  const first = await tallies.call(caller, accountId, 'POST /contracts', '/contracts', CONTRACT)
  expect(first?.status).toBe(201)
  const { contract } = JSON.parse(first!.text) as { contract: { shareUrl: string } }

  const most = await readOpenConnections()
  let busy = true
  const pages = [contract.shareUrl, `${stack.shareUrl}/console`]
  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    while (busy) {
      if (index % 3 === 0) await (await fetch(pages[index % 2]!)).text()
      else await tallies.call(caller, accountId, 'POST /contracts', '/contracts', CONTRACT)
    }
  })
  const measure = async () => {
    const open = await readOpenConnections()
    for (const service of SERVICES)
      for (const column of ['pooled', 'direct', 'bus'] as const)
        most[service][column] = Math.max(most[service][column], open[service][column])
  }
  const answered = () => tallies.of(accountId, 'POST /contracts').answered
  try {
    // While the table is locked, the waiting calls occupy all connections of the contract service's pool.
    await withClient(databaseUrlOf(stack, 'contract'), async (admin) => {
      await admin.query('begin; lock table contract in access exclusive mode')
      await until('a full pool', async () => {
        await measure()
        return most.contract.pooled >= budget.contract.pooled ? true : undefined
      })
    })
    const before = answered()
    await until('a fully loaded stack', async () => {
      await measure()
      return answered() > before + 200 ? true : undefined
    })
  } finally {
    busy = false
  }
  await Promise.all(clients)
  await tallies.close()

  for (const service of SERVICES) {
    expectWithMessage(most[service].pooled, `pools of ${service}`).toBeLessThanOrEqual(budget[service].pooled)
    expectWithMessage(most[service].bus, `${service} on the bus`).toBeLessThanOrEqual(budget[service].bus)
    expectWithMessage(most[service].direct, `direct connections of ${service}`).toBe(budget[service].direct)
  }
})
