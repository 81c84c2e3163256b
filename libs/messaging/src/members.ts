// How relays of an outbox, and members of a consumer group on the embedded bus, share slots and partitions. [P5, D50]
// Members are the sessions with the same role and name, as Postgres lists them, rather than rows with a heartbeat: a session is added and
// removed with the connection that holds its locks, so nothing has to be written, compared with a clock or cleaned up. It ends with its
// process (kill -9), and 15 s after its process froze (direct-connection.ts).
import type { DirectConnection } from '@paraph/database/direct-connection'

/** Interval at which a member counts the others, gives back what exceeds its share, and takes what is free. */
export const SHARE_EVERY_MS = 1_000

/**
 * The most of `all` that this member may own while the present members share them: all of them together may own at least `all`, so
 * nothing stays without an owner. Logins that take turns in a rotation do not count each other, and may own more for that time.
 */
export async function shareOf(connection: DirectConnection, all: number): Promise<number> {
  const [row] = await connection.query<{ share: number }>(
    `select ceil($1::int / greatest(1, count(*))::float8)::int as share from pg_stat_activity
      where datname = current_database() and usename = session_user and application_name = current_setting('application_name')`,
    [all],
  )
  return row?.share ?? all
}
