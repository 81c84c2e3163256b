// A read-only connection for comparing the rows of a running installation: it can neither write nor lock. [D44]
import pg from 'pg'

const BATCH_ROWS = 1_000
/** Enough to read a whole table of a large installation; the server cancels longer statements. */
const STATEMENT_MS_MAX = 600_000
/** A comparison of several databases leaves this session idle while it reads others. Long enough for six of the longest statements. */
const IDLE_MS_MAX = 6 * STATEMENT_MS_MAX

/** bigint columns here are counters and offsets far below 2^53: numbers, not strings. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/**
 * Opens the session. It reads the views of the schema `verify`, where there is one, in place of their tables. A superuser cannot write either.
 * @param name shown in pg_stat_activity
 * @throws what pg throws when the server cannot be reached within 5 s
 */
export async function openReadOnlySession(url: string, name: string) {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    types,
    // Network devices must not drop an idle connection.
    keepAlive: true,
    // Set when connecting, so that no statement runs without them.
    options: `-c search_path=verify,public -c default_transaction_read_only=on -c statement_timeout=${STATEMENT_MS_MAX} -c lock_timeout=5s -c idle_in_transaction_session_timeout=${IDLE_MS_MAX}`,
  })
  // After a connection error, the next query fails.
  client.on('error', () => undefined)
  await client.connect()
  let streams = 0
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows

  return {
    query,
    /** Streams the rows of a long result in order, 1,000 per round trip. Only between `beginSnapshot` and `endSnapshot`. */
    async *stream<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): AsyncGenerator<Row, void> {
      streams += 1
      const cursor = `stream_${streams}`
      await query(`declare ${cursor} no scroll cursor for ${text}`, values)
      try {
        for (;;) {
          const rows = await query<Row>(`fetch ${BATCH_ROWS} from ${cursor}`)
          yield* rows
          if (rows.length < BATCH_ROWS) return
        }
      } finally {
        await query(`close ${cursor}`).catch(() => undefined)
      }
    },
    /** Takes a snapshot: until `endSnapshot` every query sees the rows of this moment. */
    async beginSnapshot(): Promise<void> {
      // The snapshot is taken by the first statement after the begin; one message carries both.
      await client.query('begin transaction isolation level repeatable read read only; select 1')
    },
    async endSnapshot(): Promise<void> {
      await query('rollback')
    },
    async close(): Promise<void> {
      await client.end().catch(() => undefined)
    },
  }
}

export type ReadOnlySession = Awaited<ReturnType<typeof openReadOnlySession>>
