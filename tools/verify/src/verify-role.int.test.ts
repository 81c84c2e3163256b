// The role of deploy/databases.sql that verifies: enough for every check, and no personal data. [P37, I14]
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { openInstallation, type Installation, type TestSource } from '../test/installation-fixture.js'
import { verifyInvariants } from './verify-invariants.js'

const ROLE = `verify_${randomBytes(6).toString('hex')}`
const scope = { since: undefined, contractId: undefined, withinSeconds: 60 }

let installation: Installation
let urls: Installation['urls']
beforeAll(async () => {
  installation = await openInstallation(50)
  urls = { ...installation.urls }
  for (const [index, source] of (Object.keys(urls) as TestSource[]).entries()) {
    const schema = source === 'bus' ? 'bus' : 'verify'
    const url = new URL(urls[source])
    await withClient(url.href, async (admin) => {
      if (index === 0) await admin.query(`create role ${ROLE} login password 'verify'`)
      await admin.query(`grant connect on database ${url.pathname.slice(1)} to ${ROLE}`)
      await admin.query(
        `grant usage on schema ${schema} to ${ROLE}; grant select on all tables in schema ${schema} to ${ROLE}`,
      )
    })
    Object.assign(url, { username: ROLE, password: 'verify' })
    urls[source] = url.href
  }
}, 120_000)
afterAll(async () => {
  const { contract } = installation.urls
  await installation.close()
  await withClient(new URL('/postgres', contract).href, (admin) => admin.query(`drop role if exists ${ROLE}`))
})

it('the role that verifies runs every check, with the same result as an administrator', async () => {
  const [mine, administrators] = [await verifyInvariants(urls, scope), await verifyInvariants(installation.urls, scope)]
  expect(mine.violations).toEqual([])
  expect(mine.checks).toEqual(administrators.checks)
  expect(mine.checks[0]?.looked).toMatchObject({ contracts: 50, parties: 100 })
})

it('the role that verifies reads no table of a service, and no view has a text, a name or an address', async () => {
  await installation.change(
    'contract',
    `update party set email = 'canary@example.test', legal_name = 'Canary Ltd.', role = 'Canary'`,
  )
  await installation.change(
    'contract',
    `update contract set content = 'Canary', sender_name = 'Canary', cancel_reason = 'Canary'`,
  )
  await installation.change(
    'gateway',
    `insert into audit_entry (actor, mailbox, act, facts) values ('owner', 'canary@example.test', 'x', '{"name": "Canary"}')`,
  )
  await installation.change(
    'gateway',
    `insert into account (id, name, reply_address) values ('acc_1', 'Canary', 'canary@example.test')`,
  )
  await installation.change(
    'signing',
    `insert into evidence_opening (contract_id, seq, path, salt, value) select contract_id, 1, 'x', 'salt', 'Canary' from evidence_chain`,
  )
  for (const source of ['gateway', 'contract', 'signing', 'notification'] as const)
    await withClient(urls[source], async (client) => {
      const { rows } = await client.query<{ schema: string; name: string; isOpen: boolean }>(
        `select nspname as schema, relname as name, has_table_privilege(c.oid, 'select') as "isOpen"
           from pg_class c join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'verify') and relkind in ('r', 'v')`,
      )
      expectWithMessage(rows.filter(({ schema }) => schema === 'verify').length, source).toBeGreaterThan(5)
      for (const { schema, name, isOpen } of rows) {
        expectWithMessage(isOpen, `${source} ${schema}.${name}`).toBe(schema === 'verify')
        if (!isOpen) continue
        const all = await client.query(`select v::text from verify."${name}" v`)
        expectWithMessage(JSON.stringify(all.rows), `${source} ${name}`).not.toMatch(/canary/i)
      }
    })
})
