// Creates a service's database and its two roles: the owner migrates; the runtime role owns nothing and cannot regain a revoked right.
// Used by the local launcher and by tests; a real installation runs deploy/databases.sql.
import pg from 'pg'

/**
 * Creates `database` and the roles `<service>_owner` and `<service>_runtime` if they are missing. Idempotent.
 * @param adminUrl a superuser's URL to any database of the server
 * @param passwords of the two roles; every call sets them
 */
export async function provisionDatabase(
  adminUrl: string,
  {
    service,
    database,
    passwords,
  }: { service: string; database: string; passwords: { owner: string; runtime: string } },
): Promise<void> {
  const owner = `${service}_owner`
  const runtime = `${service}_runtime`
  await withClient(adminUrl, async (admin) => {
    await ensureRole(admin, owner, passwords.owner)
    await ensureRole(admin, runtime, passwords.runtime)
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [database])
    if (rowCount === 0) await admin.query(`create database ${quote(database)} owner ${quote(owner)}`)
  })
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  await withClient(url.href, async (admin) => {
    await admin.query(`revoke all on database ${quote(database)} from public`)
    await admin.query(`grant connect on database ${quote(database)} to ${quote(runtime)}`)
    await admin.query(`alter schema public owner to ${quote(owner)}`)
    await admin.query(`grant usage on schema public to ${quote(runtime)}`)
    const privileges = ['select, insert, update, delete on tables', 'usage, select on sequences']
    for (const privilege of privileges)
      await admin.query(
        `alter default privileges for role ${quote(owner)} in schema public grant ${privilege} to ${quote(runtime)}`,
      )
  })
}

/** Creates a login role if it is missing, and sets its password. */
async function ensureRole(admin: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await admin.query('select 1 from pg_roles where rolname = $1', [role])
  const verb = rowCount === 0 ? 'create' : 'alter'
  await admin.query(`${verb} role ${quote(role)} login password ${pg.escapeLiteral(password)}`)
}

/** Runs `work` on a connection of its own and closes it afterwards, also after an error. */
export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const quote = (name: string): string => pg.escapeIdentifier(name)
