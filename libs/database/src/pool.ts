// A connection pool for one database. Owns its limits and timeouts, and that a broken connection never ends the process.
import { Kysely, PostgresDialect, sql, type QueryExecutorProvider } from 'kysely'
import pg from 'pg'
import type { Logger } from '@paraph/telemetry/logger'
import { markUnavailable } from './database-failure.js'
import { prepareStatements } from './prepared-statements.js'

// bigint (int8) columns here are counters and offsets far below 2^53: numbers, not strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens a pool. A broken connection is logged and replaced; pg has no listener of its own, so the `error` would end the process.
 * @param statementTimeoutMs after which the server cancels a statement
 * @param idleTimeoutMs after which an unused connection is closed; 0 keeps it open
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
  const pool = new MarkingPool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // The client's own timeout, for a frozen server that cancels nothing.
    query_timeout: statementTimeoutMs + 2_000,
    // Longer than any wait inside our transactions. A hanging client must not keep row locks for ever.
    idle_in_transaction_session_timeout: 30_000,
    // pg-pool waits for the promise; its type does not say so.
    onConnect: prepareStatements as (client: pg.ClientBase) => void,
  })
  // Of an idle connection the pool reports the error too, which its own listener below has logged.
  pool.on('error', () => undefined)
  // After a query timeout the connection still waits for an answer that may never come, and the next query would wait behind it.
  // pg marks such a connection as not ready; ending it closes it immediately.
  pool.on('release', (_, client: pg.PoolClient & { readyForQuery?: boolean; end?: () => Promise<void> }) => {
    if (client.readyForQuery === false) void client.end?.()
  })
  pool.on('connect', (client) =>
    client.on('error', (error) => logger.warn({ err: error }, 'a database connection broke; the pool replaces it')),
  )
  return pool
}

type OnConnect = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void

/** Marks what prevents a connection: a refused login, a closed database, no file descriptor, a TLS failure. [P21] */
class MarkingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: OnConnect): void
  override connect(callback?: OnConnect): Promise<pg.PoolClient> | void {
    if (callback) return super.connect((error, client, done) => callback(markUnavailable(error), client, done))
    return super.connect().catch((error: unknown) => {
      throw markUnavailable(error)
    })
  }
}

/** Opens `count` connections of an idle pool, by as many statements at the same time. @throws the error of pg */
export const openConnections = async (database: QueryExecutorProvider, count: number): Promise<void> =>
  void (await Promise.all(Array.from({ length: count }, () => sql`select 1`.execute(database))))

/** Typed queries over a pool. @typeParam Tables the tables of the service (its database.ts) */
export function createDatabase<Tables>(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
