// One connection that can only look: for whoever compares the rows of a running installation. [D44]
// Owns: that nothing can be written or locked by it, that a look is of one moment, that a long answer comes in pieces.
import pg from 'pg'

const PIECE_ROWS = 1_000
/** A look at a whole table of a large installation; the server ends what takes longer. */
const STATEMENT_MS_MAX = 600_000
/** A look over several databases waits here while statements run there. Long enough for some of the longest, and no snapshot for ever. */
const IDLE_MS_MAX = 6 * STATEMENT_MS_MAX

export interface ReadOnlySession {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** The rows of a long answer in their order, 1,000 at a time over the wire. Only inside `atOneMoment`. */
  stream<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): AsyncGenerator<Row, void>
  /** Begins a look: from here to `endMoment` every query sees the rows as they are now. */
  beginMoment(): Promise<void>
  endMoment(): Promise<void>
  close(): Promise<void>
}

/** bigint columns here are counters and offsets far below 2^53: numbers, not strings. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/**
 * Any role that may read will do; a superuser's session cannot write either.
 * @param name shown in pg_stat_activity
 * @throws what pg throws when the server cannot be reached within 5 s
 */
export async function openReadOnlySession(url: string, name: string): Promise<ReadOnlySession> {
  const client = new pg.Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5_000,
    types,
    // Whatever stands between must not forget a connection that waits.
    keepAlive: true,
    // Set by the connection itself, so that nothing is ever run without them.
    options: `-c default_transaction_read_only=on -c statement_timeout=${STATEMENT_MS_MAX} -c lock_timeout=5s -c idle_in_transaction_session_timeout=${IDLE_MS_MAX}`,
  })
  // The next query tells.
  client.on('error', () => undefined)
  await client.connect()
  let streams = 0

  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows

  return {
    query,
    async *stream<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      streams += 1
      const cursor = `look_${streams}`
      await query(`declare ${cursor} no scroll cursor for ${text}`, values)
      try {
        for (;;) {
          const rows = await query<Row>(`fetch ${PIECE_ROWS} from ${cursor}`)
          yield* rows
          if (rows.length < PIECE_ROWS) return
        }
      } finally {
        await query(`close ${cursor}`).catch(() => undefined)
      }
    },
    async beginMoment(): Promise<void> {
      // The moment is that of the first statement after the beginning; both go in one message.
      await client.query('begin transaction isolation level repeatable read read only; select 1')
    },
    async endMoment(): Promise<void> {
      await query('rollback')
    },
    async close(): Promise<void> {
      await client.end().catch(() => undefined)
    },
  }
}
