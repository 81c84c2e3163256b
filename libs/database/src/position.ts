// How far a database has come, and how far its service knows the databases of others. [P40, docs/how-to/operators/backup-restore.md]
// A position counts the minutes in which the service ran. Restored alone, a database falls behind what the others remember of it: their mark.
// Owns: the table and its statements. Does not own: what follows from a disagreement (libs/background/restore-guard.ts).
import { sql, type Kysely, type QueryExecutorProvider } from 'kysely'
import { isOver } from './clock.js'

const STEP_SECONDS = 60

/** The table, for one numbered migration of a service: the row of the service itself, and a mark for each service that it knows. */
export async function createPositionTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table database_position (
    service text primary key,
    position bigint not null check (position >= 0),
    changed_at timestamptz not null default clock_timestamp()
  )`.execute(db)
}

/** Advances the position of `own` by one, unless a replica did so within the last minute. Returns service → position or mark. */
export async function advancePosition(
  database: QueryExecutorProvider,
  own: string,
): Promise<ReadonlyMap<string, number>> {
  await sql`insert into database_position as known (service, position) values (${own}, 1)
    on conflict (service) do update set position = known.position + 1, changed_at = clock_timestamp()
     where ${isOver(sql`known.changed_at + make_interval(secs => ${STEP_SECONDS})`, STEP_SECONDS)}`.execute(database)
  const { rows } = await sql<{ service: string; position: number }>`
    select service, position::float8 as position from database_position`.execute(database)
  return new Map(rows.map(({ service, position }) => [service, position]))
}

/** Raises the position or mark of `service` to `position`, never lowers it, and returns it. */
export async function raisePosition(
  database: QueryExecutorProvider,
  service: string,
  position: number,
): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    insert into database_position as known (service, position) values (${service}, ${position})
    on conflict (service) do update set position = greatest(known.position, excluded.position), changed_at = clock_timestamp()
    returning position::float8 as position`.execute(database)
  return rows[0]!.position
}

/** Lowers the mark of `service` to `position`: the operator accepts that its database was restored alone. */
export async function lowerMark(database: QueryExecutorProvider, service: string, position: number): Promise<void> {
  await sql`update database_position set position = least(position, ${position}) where service = ${service}`.execute(
    database,
  )
}
