import { expect, it, jest } from '@jest/globals'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import type { Retention } from '@paraph/database/retention'
import { cloneTestDatabase } from '@paraph/database/test-database'
import type { Logger } from '@paraph/telemetry/logger'
import { waitFor } from '@paraph/testing/wait-for'
import { createPruning } from './pruning.js'

const WAIT = 20_000
const thing = (table: string): Retention => ({ table, by: 'made_at', keptFor: '1 day', isSmall: true, why: 'a test' })

/** Starts pruning `tables` in a database of its own. `statements` run first, as the owner role. */
async function open(tables: readonly string[], statements: string) {
  const clone = await cloneTestDatabase('contract')
  const asOwner = (statement: string) => withClient(clone.ownerUrl, (owner) => owner.query(statement))
  await asOwner(statements)
  const database = createDatabase<unknown>(openPool(clone.url, { warn: () => undefined }))
  const logger = { info: jest.fn(), warn: jest.fn() }
  const plan = { pruned: tables.map(thing), kept: [] }
  const pruning = createPruning({ plan, database, logger: logger as unknown as Logger })
  pruning.start()
  return {
    clone,
    asOwner,
    pruning,
    logger,
    /** The logged number of deleted rows per table, in the order of the log lines. */
    ended: () =>
      logger.info.mock.calls
        .map(([facts]) => facts as { table?: string; rows?: number })
        .flatMap(({ table, rows }) => (table === undefined ? [] : [`${table} ${rows}`])),
    async close(): Promise<void> {
      await pruning.stop()
      await database.destroy()
      await clone.drop()
    },
  }
}

it('the pruning deletes all due rows, reports their number, and continues after a table fails [H11]', async () => {
  const { clone, logger, ended, close } = await open(
    ['not_there', 'thing'],
    `create table thing (made_at timestamptz);
     insert into thing select now() - interval '2 days' from generate_series(1, 2500);
     insert into thing values (now())`,
  )
  await waitFor(() => expect(ended()).toEqual(['thing 2500']), { timeout: WAIT })
  await waitFor(() => expect(logger.warn).toHaveBeenCalledTimes(1), { timeout: WAIT })
  expect(logger.warn).toHaveBeenCalledWith(expect.objectContaining({ tables: ['not_there'] }), expect.anything())
  const { rows } = await withClient(clone.url, (client) => client.query('select count(*)::int as left from thing'))
  expect(rows).toEqual([{ left: 1 }])
  await close()
})

it('the pruning logs a failing table once, and once more when it recovers, and counts the rows of each table separately', async () => {
  const due = `insert into other values (now() - interval '2 days')`
  const { asOwner, pruning, logger, ended, close } = await open(
    ['stuck', 'other'],
    `create table stuck (made_at timestamptz, n integer);
     insert into stuck select now() - interval '2 days' + n * interval '1 s', n from generate_series(1, 1500) n;
     create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
     create trigger refuse before delete on stuck for each row when (old.n > 1000) execute function refuse();
     create table other (made_at timestamptz); ${due}`,
  )
  await waitFor(() => expect(ended()).toEqual(['stuck 1000', 'other 1']), { timeout: WAIT })
  for (const passes of [2, 3]) {
    await asOwner(due)
    pruning.wake()
    await waitFor(() => expect(ended()).toHaveLength(passes + 1), { timeout: WAIT })
  }
  expect(logger.warn).toHaveBeenCalledTimes(1)
  expect(logger.info).toHaveBeenCalledTimes(4)
  await asOwner('drop trigger refuse on stuck')
  pruning.wake()
  const again = [{ tables: ['stuck'] }, 'retention job recovered']
  await waitFor(() => expect(logger.info).toHaveBeenLastCalledWith(...again), { timeout: WAIT })
  expect(ended()).toEqual(['stuck 1000', 'other 1', 'other 1', 'other 1', 'stuck 500'])
  await close()
})
