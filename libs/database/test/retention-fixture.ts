// Tests for a service's retention plan: it covers every table, runs as the service's own role, and uses indexes.
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sql, type Kysely } from 'kysely'
import { createDatabase, openPool } from '../src/pool.js'
import { pruneStatement, type RetentionPlan } from '../src/retention.js'
import { cloneTestDatabase, type TestDatabase } from './test-database-fixture.js'

/** Registers the tests of a plan against the service's migrated, empty database. */
export function testRetentionPlan(service: string, { pruned, kept }: RetentionPlan): void {
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

  it('covers every table with a rule or a reason to keep it', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
       where table_schema = 'public' and table_name not like 'kysely_%'`.execute(database)
    const covered = [...pruned, ...kept].map(({ table }) => table)
    expect([...new Set(covered)].toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  })

  it.each(pruned)('finds the due rows of $table by an index, as the runtime role', async (retention) => {
    // The planner reads and sorts an empty table whatever its indexes are, unless these plans are disabled.
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
    // The plan reads in the order of the index, so a batch reads no more than its rows.
    expect(plan).not.toContain('Sort')
    expect(plan).not.toContain(`Seq Scan on ${retention.table}`)
  })
}
