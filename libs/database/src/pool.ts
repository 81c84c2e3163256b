// A pool of connections to one database. Owns: limits, time-outs, and that a broken idle connection never ends the process.
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Logger } from '@paraph/telemetry/logger'

// bigint (int8) columns here are counters and offsets far below 2^53: numbers, not strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens a pool. An idle connection that breaks is logged and replaced (pg registers no listener of its own: an unhandled
 * `error` would end the process).
 * @param statementTimeoutMs a statement that runs longer is ended by the server
 * @param idleTimeoutMs a connection that was not used for longer is closed; 0 keeps it
 */
export function openPool(
  url: string,
  logger: Pick<Logger, 'warn'>,
  {
    max = 10,
    statementTimeoutMs = 10_000,
    idleTimeoutMs = 30_000,
  }: { max?: number; statementTimeoutMs?: number; idleTimeoutMs?: number } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // Ours, for a server that is frozen and ends nothing itself.
    query_timeout: statementTimeoutMs + 2_000,
    // Longer than any wait of ours inside a transaction; a stuck client must not hold row locks for ever.
    idle_in_transaction_session_timeout: 30_000,
  })
  pool.on('error', (error) => logger.warn({ err: error }, 'an idle database connection broke'))
  // A query that was given up leaves its connection waiting for an answer that may never come (a server that vanished without
  // a word): whoever got it next would wait behind it. pg marks it so, and closes it at once when it is ended.
  pool.on('release', (_, client: pg.PoolClient & { readyForQuery?: boolean; end?: () => Promise<void> }) => {
    if (client.readyForQuery === false) void client.end?.()
  })
  pool.on('connect', (client) =>
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection broke')),
  )
  return pool
}

/** Typed queries over a pool. `Tables` is the service's own list of tables (`database.ts`). */
export function createDatabase<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
