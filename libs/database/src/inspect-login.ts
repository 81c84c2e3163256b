// What a login of a Postgres database sees: the server's version, the rights of its role, the applied migrations and the clock. Writes
// nothing and takes no lock. Owns the SQL; `paraph doctor` judges the result.
import pg from 'pg'

const CONNECT_MS = 5_000
const STATEMENT_MS = 5_000

export interface LoginInspection {
  /** `server_version_num`, such as 180004. */
  version: number
  /** A standby accepts no write. */
  isStandby: boolean
  isSuperuser: boolean
  /** The role may create roles or databases, or bypasses row security. */
  mayCreate: boolean
  /** The tables of the schema `public`, and which of them this role owns or may not read. */
  tables: { all: number; owned: number; unreadable: number }
  /** Whether the role may use the schema `bus`; undefined in a database without it. */
  mayUseBus: boolean | undefined
  /** The applied migrations, in order; empty before the first, undefined if the role may not read them. */
  migrations: readonly string[] | undefined
  /** The server's clock minus this machine's, and the longest error of that. */
  clock: { offsetMs: number; errorMs: number }
}

interface Row {
  version: number
  isStandby: boolean
  isSuperuser: boolean
  mayCreate: boolean
  all: number
  owned: number
  unreadable: number
  mayUseBus: boolean | null
  mayReadMigrations: boolean | null
}

// pg_has_role also counts the ownership that a role has as a member of the owner.
const INSPECT = `
  select current_setting('server_version_num')::int as version,
         pg_is_in_recovery() as "isStandby",
         role.rolsuper as "isSuperuser",
         role.rolcreaterole or role.rolcreatedb or role.rolbypassrls as "mayCreate",
         tables."all", tables.owned, tables.unreadable, tables."mayReadMigrations",
         (select has_schema_privilege(oid, 'usage') from pg_namespace where nspname = 'bus') as "mayUseBus"
    from pg_roles role
   cross join (
         select count(*)::int as "all",
                count(*) filter (where pg_has_role(relowner, 'usage'))::int as owned,
                count(*) filter (where not may_read)::int as unreadable,
                bool_or(may_read) filter (where relname = 'kysely_migration') as "mayReadMigrations"
           from (select c.relname, c.relowner,
                        has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select') as may_read
                   from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = 'public' and c.relkind in ('r', 'p')) each_table
         ) tables
   where role.rolname = current_user`

/**
 * Logs in with `url` and reads. Takes 15 s at the longest; never rejects.
 * @returns the inspection, or the code of what prevented it: a SQLSTATE, a code of the system or of TLS, `timeout`, `no_tls` or `unknown`
 */
export async function inspectLogin(url: string): Promise<LoginInspection | { failure: string }> {
  let client: pg.Client | undefined
  try {
    client = new pg.Client({
      connectionString: url,
      application_name: 'paraph doctor',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS,
    })
    client.on('error', () => undefined)
    await client.connect()
    return await inspect(client)
  } catch (error) {
    return { failure: failureCodeOf(error) }
  } finally {
    // A frozen server never closes its side, so the end is not awaited.
    void client?.end().catch(() => undefined)
  }
}

async function inspect(client: pg.Client): Promise<LoginInspection> {
  const clock = await readOffset(client)
  const [row] = (await client.query<Row>(INSPECT)).rows
  if (row === undefined) throw new Error('pg_roles has no row of the current user')
  const { version, isStandby, isSuperuser, mayCreate, all, owned, unreadable, mayUseBus, mayReadMigrations } = row
  return {
    version,
    isStandby,
    isSuperuser,
    mayCreate,
    tables: { all, owned, unreadable },
    mayUseBus: mayUseBus ?? undefined,
    migrations: mayReadMigrations === false ? undefined : mayReadMigrations ? await readMigrations(client) : [],
    clock,
  }
}

async function readMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from public.kysely_migration order by name')
  return rows.map(({ name }) => name)
}

async function readOffset(client: pg.Client): Promise<LoginInspection['clock']> {
  const sentMs = Date.now()
  const { rows } = await client.query<{ nowMs: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"',
  )
  const receivedMs = Date.now()
  const nowMs = rows[0]?.nowMs ?? receivedMs
  return { offsetMs: nowMs - (sentMs + receivedMs) / 2, errorMs: (receivedMs - sentMs) / 2 }
}

/** A code for a failed connection or statement, without a word of the server's message, which repeats names. */
function failureCodeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return code
  if (/timeout/i.test(String(message))) return 'timeout'
  return /does not support SSL/i.test(String(message)) ? 'no_tls' : 'unknown'
}
