// Runs deploy/databases.sql with psql, as an administrator does. Skipped if psql is missing; the full run requires it.
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { migrate } from '@paraph/database/migrate'
import { withClient } from '@paraph/database/provision'
import { migrations as contract } from '@paraph/contract/migrations'
import { busMigrations as bus } from '@paraph/messaging/postgres/bus-migrations'
import { ROOT } from '@paraph/paraph/config'
import { SERVICES } from '@paraph/protocol/services'
import { provisionDatabases } from './databases.js'
import { installationSecrets, VERIFY_ROLE } from '@paraph/paraph/installation/installation-secrets'
import { startOwnServer } from '../test/own-server-fixture.js'
import type { Ports } from '@paraph/paraph/installation/ports'
import { DATABASES, makeSecrets } from '@paraph/paraph/installation/secrets'
import { expectWithMessage } from '@paraph/testing/expect-with-message'

const run = promisify(execFile)
const hasPsql = spawnSync('psql', ['--version']).status === 0
if (!hasPsql && process.env['REQUIRE_ALL']) throw new Error('psql is missing')

;(!hasPsql ? describe.skip : describe)('deploy/databases.sql', () => {
  let server: Awaited<ReturnType<typeof startOwnServer>>
  let secrets: Awaited<ReturnType<typeof makeSecrets>>
  let documents: ReturnType<typeof installationSecrets>

  beforeAll(async () => {
    server = await startOwnServer(() => ['log_statement=all', 'log_min_error_statement=error', 'log_line_prefix='])
    secrets = { ...(await makeSecrets()), superuserPassword: server.password }
    documents = installationSecrets(secrets, { postgres: `postgres://127.0.0.1:${server.port}/` }, 'reader')
  })
  afterAll(() => server.close())

  const psql = (adminUrl: string, environment: Record<string, string>) =>
    run('psql', ['-X', adminUrl, '-f', join(ROOT, 'deploy', 'databases.sql')], {
      env: { PATH: process.env['PATH'], LC_ALL: 'C', ...environment },
    })

  it('the SQL script creates the same databases, roles and privileges as the local start, whether it runs once or twice [D50]', async () => {
    await provisionDatabases({ ports: { postgres: server.port } as Ports, secrets })
    const wanted = await catalogueOf(server.url)
    await removeAll(server.url)
    const first = await psql(server.url, documents.roles)
    expect(first).toEqual({ stdout: '', stderr: '' })
    expect(await catalogueOf(server.url)).toEqual(wanted)
    await psql(server.url, documents.roles)
    expect(await catalogueOf(server.url)).toEqual(wanted)
  })

  it('the SQL script creates databases that work with the URLs of `secrets make`: owners migrate, services and the read-only role read [D50, I14]', async () => {
    await migrate(documents.owners['CONTRACT_OWNER_URL']!, contract)
    await migrate(documents.owners['BUS_OWNER_URL']!, bus)
    for (const url of [documents.contract['DATABASE_URL'], documents.verify['PARAPH_VERIFY_CONTRACT_DATABASE_URL']])
      await withClient(url!, (client) => client.query('select count(*) from contract'))
    await withClient(documents.verify['PARAPH_VERIFY_BUS_DATABASE_URL']!, (client) =>
      client.query('select from bus.message'),
    )
    await withClient(documents.contract['BUS_DATABASE_URL']!, (client) =>
      client.query('select bus.append($1, $1, $1, $1)', [[]]),
    )
    for (const statement of ['delete from contract', 'select from public.party', 'create table verify.x ()'])
      await expect(
        withClient(documents.verify['PARAPH_VERIFY_CONTRACT_DATABASE_URL']!, (client) => client.query(statement)),
      ).rejects.toThrow('permission denied')
    await expect(
      withClient(documents.verify['PARAPH_VERIFY_CONTRACT_DATABASE_URL']!, (client) =>
        client.query('select content from contract'),
      ),
    ).rejects.toThrow('does not exist')
    // A runbook queries the sessions that hold a lock. Without the role pg_read_all_stats this query returns no rows.
    await withClient(documents.contract['DATABASE_URL']!, async (service) => {
      await service.query('begin')
      await service.query('lock table contract in access share mode')
      const { rows } = await withClient(documents.verify['PARAPH_VERIFY_CONTRACT_DATABASE_URL']!, (reader) =>
        reader.query("select query from pg_stat_activity where state = 'idle in transaction'"),
      )
      expect(rows).toEqual([{ query: 'lock table contract in access share mode' }])
    })
  })

  it('each service’s role connects to its own database and the bus alone [P37]', async () => {
    for (const service of SERVICES)
      for (const database of [...DATABASES, 'postgres', 'template1']) {
        const url = new URL(documents[service]['DATABASE_URL']!)
        url.pathname = `/${database}`
        const connected = withClient(url.href, (client) => client.query('select 1')).then(
          () => 'connected',
          (error: Error) => error.message,
        )
        expectWithMessage(await connected, `${service} to ${database}`).toMatch(
          database === service || database === 'bus' ? 'connected' : 'permission denied',
        )
      }
  })

  it('the SQL script works for an administrator who is no superuser, as on managed servers [D50]', async () => {
    const wanted = await catalogueOf(server.url)
    await removeAll(server.url)
    await withClient(server.url, async (admin) => {
      await admin.query(`create role managed login createrole createdb password 'managed'`)
      await admin.query('grant connect on database postgres to managed')
    })
    const managedUrl = server.url.replace(/\/\/.*@/, '//managed:managed@')
    await psql(managedUrl, documents.roles)
    await psql(managedUrl, documents.roles)
    expect(await catalogueOf(server.url)).toEqual(wanted)
  })

  it('the SQL script changes nothing if passwords are missing, and names them [D50]', async () => {
    const { BUS_OWNER_PASSWORD: _left, ...rest } = documents.roles
    await expect(psql(server.url, { ...rest, SIGNING_RUNTIME_PASSWORD: '' })).rejects.toThrow(
      /nothing was changed: [^\n]*: BUS_OWNER_PASSWORD, SIGNING_RUNTIME_PASSWORD/,
    )
  })

  it('the SQL script writes no password to the server log when the administrator may change log settings [I14]', async () => {
    const { roles } = installationSecrets(await makeSecrets(), { postgres: server.url }, 'another-reader')
    const before = server.said().length
    await psql(server.url, roles)
    const said = server.said().slice(before)
    expectWithMessage(said, 'the server logs statements').toContain('set client_min_messages')
    for (const password of Object.values(roles)) expect(said).not.toContain(password)
  })
})

/** Owners, privileges, default privileges and role attributes. Omits VERIFY_ROLE, which the local start does not create. */
async function catalogueOf(serverUrl: string): Promise<unknown> {
  const acl = (column: string) =>
    `array(select format('%s %s by %s', case grantee when 0 then 'public' else grantee::regrole::text end, privilege_type, grantor::regrole)
       from aclexplode(${column}) where grantee::regrole::text <> '${VERIFY_ROLE}' order by 1)`
  const rowsOf = (url: string, query: string) => withClient(url, async (client) => (await client.query(query)).rows)
  const databases = await Promise.all(
    DATABASES.map((name) =>
      rowsOf(
        serverUrl.replace(/\/postgres$/, `/${name}`),
        `select datname as name, datdba::regrole::text as owner, ${acl('datacl')} as acl from pg_database where datname = current_database()
         union all select 'public', nspowner::regrole::text, ${acl('nspacl')} from pg_namespace where nspname = 'public'
         union all select 'default ' || defaclobjtype::text, defaclrole::regrole::text, ${acl('defaclacl')} from pg_default_acl
           where defaclnamespace = 'public'::regnamespace order by 1, 2`,
      ),
    ),
  )
  const roles = await rowsOf(
    serverUrl,
    `select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolconnlimit,
       array(select roleid::regrole::text from pg_auth_members where member = r.oid order by 1) as member_of
     from pg_roles r where rolname ~ '_(owner|runtime)$' order by 1`,
  )
  return { databases, roles }
}

async function removeAll(serverUrl: string): Promise<void> {
  await withClient(serverUrl, async (admin) => {
    for (const name of DATABASES) await admin.query(`drop database if exists ${name} with (force)`)
    for (const name of DATABASES) await admin.query(`drop role if exists ${name}_owner, ${name}_runtime`)
    await admin.query(`drop role if exists ${VERIFY_ROLE}`)
  })
}
