// One connection to Postgres for session state: advisory locks and LISTEN. Never through a transaction pooler, which supports neither. A
// failed statement closes the connection, because the state of its locks is then unknown; `closed` notifies the caller. [D48, D50]
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareStatements } from './prepared-statements.js'

/** A query after such a pause detects a connection that died silently, and shows the server that this process still runs. */
const PING_EVERY_MS = 5_000
/**
 * The server ends a session that has sent nothing for this long: the locks of a frozen process (SIGSTOP, a suspended machine) are a lease
 * that it cannot renew. The kernel of such a machine may still answer keepalives, so these alone do not detect it.
 */
const SILENT_MS_MAX = 15_000

/**
 * @param name shown in pg_stat_activity
 * @param onNotification called with the payload of each NOTIFY by another session on a channel that this connection listens to
 * @throws what pg throws when the server cannot be reached within 5 s
 */
export async function openDirectConnection(
  url: string,
  name: string,
  onNotification: (payload: string) => void = () => undefined,
) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    keepAlive: true,
  })
  const gone = new AbortController()
  let ownPid: number | undefined
  client.on('error', () => gone.abort())
  client.on('end', () => gone.abort())
  client.on('notification', ({ processId, payload }) => {
    if (processId !== ownPid) onNotification(payload ?? '')
  })
  let last: Promise<unknown> = client.connect()
  let queriedAtMs = performance.now()

  /** One statement at a time, in the order of the calls. Rejects, and ends the connection, when the statement fails. */
  function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    queriedAtMs = performance.now()
    const result = last.then(async () => (await client.query<Row>(text, values)).rows)
    last = result.catch(() => void close())
    return result
  }

  async function close(): Promise<void> {
    gone.abort()
    // A frozen server or a dead network never closes its side.
    await Promise.race([client.end().catch(() => undefined), sleep(2_000, undefined, { ref: false })])
  }

  try {
    await last
    // The server must release the locks of a vanished machine in seconds, not after the default of two hours. The name is set here because
    // a name in the URL would take precedence over an option of the client, and members of a group count sessions by it (members.ts).
    const [row] = await query<{ pid: number }>(
      `select pg_backend_pid() as pid, set_config('application_name', $1, false), set_config('idle_session_timeout', $2, false),
              set_config('tcp_user_timeout', $2, false), set_config('tcp_keepalives_idle', '5', false),
              set_config('tcp_keepalives_interval', '3', false), set_config('tcp_keepalives_count', '3', false)`,
      [name, String(SILENT_MS_MAX)],
    )
    ownPid = row?.pid
    await prepareStatements(client)
  } catch (error) {
    await close()
    throw error
  }
  const pinging = setInterval(() => {
    if (gone.signal.aborted) clearInterval(pinging)
    else if (performance.now() - queriedAtMs >= PING_EVERY_MS) query('select 1').catch(() => undefined)
  }, PING_EVERY_MS / 2)
  pinging.unref()
  return {
    query,
    /** Aborts when the connection closes, which releases its locks. */
    closed: gone.signal,
    close,
  }
}

export type DirectConnection = Awaited<ReturnType<typeof openDirectConnection>>
