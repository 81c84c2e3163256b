// A database with a clock that the test sets: `now()` and `clock_timestamp()` are stubs there, in column defaults too. [F26]
import { withClient } from '../src/provision.js'
import type { TestDatabase } from './test-database-fixture.js'

/**
 * Stops the clock of a cloned database. Call it before anything connects: only new connections see the stub.
 * @param timeZone of every session, for tests that must not depend on it
 */
export async function stopClock(clone: Pick<TestDatabase, 'adminUrl'>, { timeZone = 'UTC' } = {}) {
  const database = new URL(clone.adminUrl).pathname.slice(1)
  await withClient(clone.adminUrl, async (admin) => {
    await admin.query(`
      create schema stub;
      grant usage on schema stub to public;
      create table stub.clock (at timestamptz not null);
      grant select on stub.clock to public;
      insert into stub.clock values (pg_catalog.now());
      create function stub.clock_timestamp() returns timestamptz language sql volatile as 'select at from stub.clock';
      create function stub.now() returns timestamptz language sql stable as 'select at from stub.clock';
      alter database "${database}" set search_path = stub, pg_catalog, public;
      alter database "${database}" set timezone = '${timeZone}'`)
    // Existing column defaults are bound to the real functions.
    const { rows } = await admin.query<{ statement: string }>(`
      select format('alter table %I alter column %I set default %s', table_name, column_name,
                    regexp_replace(column_default, '(now|clock_timestamp)\\(\\)', 'stub.\\1()')) as statement
        from information_schema.columns
       where table_schema = 'public' and column_default ~ '(now|clock_timestamp)\\(\\)'`)
    for (const { statement } of rows) await admin.query(statement)
  })
  return {
    /** Sets the clock for all connections. */
    set: (at: Date): Promise<void> =>
      withClient(clone.adminUrl, async (admin) => void (await admin.query('update stub.clock set at = $1', [at]))),
  }
}
