import { randomUUID } from 'node:crypto'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { DomainError } from '@paraph/protocol/errors'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { sql, type Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { ApplicationForm } from './application.js'
import { createApplicationStore, type ApplicationStore } from './application-store.js'
import type { GatewayDatabase } from '../database.js'
import { NO_NOTIFIERS } from '../../test/gateway-fixture.js'

const ROUNDS = 40
const OPERATOR = { kind: 'operator', mailbox: 'operator@example.test' } as const
const FORM: ApplicationForm = {
  company: 'Nordic Foods Ltd.',
  website: 'nordicfoods.example',
  purpose: 'Suppliers sign.',
  contractTypes: ['nda'],
  otherParties: 'Suppliers',
  volume: '1-50',
  timeZone: 'UTC',
}

let clone: TestDatabase
let database: Kysely<GatewayDatabase>
let applications: ApplicationStore
beforeAll(async () => {
  clone = await cloneTestDatabase('gateway')
  database = createDatabase<GatewayDatabase>(openPool(clone.url, createLogger('gateway', 'silent')))
  applications = createApplicationStore({ database, autoApproves: false, ...NO_NOTIFIERS })
})
afterAll(async () => {
  await database.destroy()
  await clone.drop()
})

/** A mailbox that has just signed in. */
async function newOwner(name: string) {
  const id = randomUUID()
  const mailbox = `${name}@nordicfoods.example`
  await sql`insert into mailbox_session (id, scope, mailbox, token_sha256, expires_at)
    values (${id}, 'sign-in', ${mailbox}, sha256(${id}::bytea), now() + interval '1 day')`.execute(database)
  return (accountId: string | null) => ({ mailbox, address: mailbox, session: { id, accountId, mailbox } })
}

const faultOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  )

it('an application is decided once despite concurrent acts of its owner, without a deadlock [D38]', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const owner = await newOwner(`owner${round}`)
    await applications.send(FORM, owner(null), undefined)
    const { rows } = await sql<{ id: string; account: string }>`
      select id, account_id as account from application order by sent_at desc limit 1`.execute(database)
    const { id, account } = rows[0]!
    const [approved, sent, changed] = await Promise.all([
      faultOf(applications.approve(id, OPERATOR)),
      faultOf(applications.send(FORM, owner(account), account)),
      faultOf(applications.change(account, FORM, { kind: 'owner', mailbox: owner(account).mailbox })),
    ])
    expectWithMessage([approved, sent], `round ${round}`).toEqual(['done', 'invalid_request'])
    expectWithMessage(['done', 'invalid_request'], `round ${round}`).toContain(changed)
    expect((await applications.newestOf(account))?.state).toBe('approved')
  }
})
