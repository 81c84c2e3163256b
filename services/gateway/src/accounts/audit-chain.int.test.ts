import { Writable } from 'node:stream'
import { AUDIT_GENESIS, auditColumns, auditHash, type AuditRow } from '@paraph/database/audit-chain'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { createLogger } from '@paraph/telemetry/logger'
import { pino } from 'pino'
import { sql, type Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { recordAct, type Actor } from './audit.js'
import { createAuditChain, mailboxTag } from './audit-chain.js'
import type { GatewayDatabase } from '../database.js'

const SECRET = 'a secret of the pages of this test'
const OWNER: Actor = { kind: 'owner', mailbox: 'owner@nordicfoods.example' }

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
let lines: string[]

beforeEach(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, createLogger('gateway', 'silent')))
  lines = []
})
afterEach(async () => {
  await database.destroy()
  await clone.drop()
})

const keep = new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) })
const chain = (logger = pino(keep)) => createAuditChain({ database, secret: SECRET, logger })
const act = (count = 1, actor = OWNER): Promise<void> =>
  database.transaction().execute(async (trx) => {
    for (let each = 0; each < count; each++)
      await recordAct(trx, { actor, act: 'account.changed', accountId: 'acc_1', facts: { senderName: 'Nordic' } })
  })
const chained = async () => {
  const { rows } = await sql<AuditRow & { sequence: number; previous: string; hash: string }>`
    select ${sql.raw(auditColumns('audit_digest(e)'))}, c.sequence, c.previous, c.hash
      from audit_chain c join audit_entry e on e.id = c.entry_id order by c.sequence`.execute(database)
  return rows
}

describe('the chain of the audit log [P35]', () => {
  it('holds each entry once, numbered without a gap and linked by hash, for any number of gateways and however late an entry commits', async () => {
    await withClient(clone.url, async (late) => {
      await late.query(`begin; insert into audit_entry (actor, act) values ('service', 'account.created')`)
      await act(250)
      const gateways = [chain(), chain(), chain()]
      for (let round = 0; round < 6; round++) await Promise.all(gateways.map(({ next }) => next()))
      expect(await chained()).toHaveLength(250)
      await late.query('commit')
    })
    // A gateway that has just started continues.
    await chain().next()
    const rows = await chained()
    expect(rows).toHaveLength(251)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(251)
    let previous = AUDIT_GENESIS
    for (const [index, row] of rows.entries()) {
      expect(row).toMatchObject({ sequence: index + 1, previous, hash: auditHash(row, index + 1, previous) })
      previous = row.hash
    }
  })

  it('changes its hash with every part of an entry', async () => {
    await act()
    await act(1, { kind: 'owner', mailbox: 'other@nordicfoods.example' })
    await chain().next()
    const rows = await chained()
    const hashes = [
      ...rows.map((row) => auditHash({ ...row, id: 1, at: new Date(0) }, 1, AUDIT_GENESIS)),
      ...(['actor', 'act', 'accountId', 'subject'] as const).map((field) =>
        auditHash({ ...rows[0]!, [field]: 'another' }, 1, AUDIT_GENESIS),
      ),
      auditHash(rows[0]!, 2, AUDIT_GENESIS),
    ]
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('writes a log line for each entry, without its mailbox and facts, and none is missing when a gateway dies in between [I14]', async () => {
    await act(3)
    const logger = pino({
      hooks: {
        logMethod() {
          throw new Error('the process is gone')
        },
      },
    })
    await expect(chain(logger).next()).rejects.toThrow('the process is gone')
    await chain().next()
    const logged = lines.map((line) => (JSON.parse(line) as { audit: Record<string, unknown> }).audit)
    expect(logged).toHaveLength(3)
    expect(logged.map(({ hash }) => hash)).toEqual((await chained()).map(({ hash }) => hash))
    expect(logged[0]).toMatchObject({ act: 'account.changed', accountId: 'acc_1', actor: 'owner', sequence: 1 })
    expect(logged[0]!['mailboxTag']).toBe(mailboxTag(SECRET, 'owner@nordicfoods.example'))
    expect(lines.join()).not.toMatch(/nordic/i)
  })

  it.each(['url', 'ownerUrl'] as const)('lets nobody change or remove a row (%s)', async (role) => {
    await act()
    await chain().next()
    await withClient(clone[role], async (client) => {
      for (const statement of [
        `update audit_chain set hash = previous`,
        'delete from audit_chain',
        `update audit_entry set act = 'x'`,
      ])
        await expect(client.query(statement)).rejects.toThrow(/permission denied|append-only/)
    })
    expect(await chained()).toHaveLength(1)
  })
})
