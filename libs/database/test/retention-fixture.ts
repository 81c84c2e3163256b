// What every service's list of retentions must be: whole, runnable by the service itself, and found by an index. For its tests.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql, type Kysely } from 'kysely'
import { createDatabase, openPool } from './pool.js'
import { pruneStatement, type RetentionPlan } from './retention.js'
import { cloneTestDatabase, type TestDatabase } from './test-database.js'

/** Tests of the plan against the service's migrated, empty database. */
export function itKeepsAWholePlan(service: string, { goes, stays }: RetentionPlan): void {
  let clone: TestDatabase
  let database: Kysely<unknown>
  beforeAll(async () => {
    clone = await cloneTestDatabase(service)
    database = createDatabase<unknown>(openPool(clone.url, { warn: () => undefined }, { max: 1 }))
  })
  afterAll(async () => {
    await database.destroy()
    await clone.drop()
  })

  it('says of every table what goes of it or why it stays', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
       where table_schema = 'public' and table_name not like 'kysely_%'`.execute(database)
    const said = [...goes, ...stays].map(({ table }) => table)
    expect([...new Set(said)].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  it.each(goes)('finds what is due of $table by an index, as the role of the service itself', async (retention) => {
    // An empty table is read whole, and sorted, whatever its indexes are, unless that is made dear.
    await sql`select set_config(name, 'off', false) from unnest(array['enable_seqscan', 'enable_bitmapscan', 'enable_sort']) as name`.execute(
      database,
    )
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${pruneStatement(retention)}`.execute(database)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    await pruneStatement(retention).execute(database)
    expect(plan).toContain(`Tid Scan on ${retention.table}`)
    if (retention.isSmall) return
    const reads = retention.along ?? retention.by
    expect(plan).toMatch(new RegExp(`Index (Only )?Scan using \\w+ on ${retention.table}`))
    if (retention.along === undefined) expect(plan).toMatch(new RegExp(`Index Cond: \\(${reads} < `))
    // Read in the order of the index, so that a batch reads a batch.
    expect(plan).not.toContain('Sort')
    expect(plan).not.toContain(`Seq Scan on ${retention.table}`)
  })
}
