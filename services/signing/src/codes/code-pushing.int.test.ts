import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import type { NotificationDatabase } from '@paraph/notification/database'
import { createContractMails } from '@paraph/notification/contract-mails'
import { createDeliveries } from '@paraph/notification/deliveries'
import { createRpcRouter } from '@paraph/notification/rpc-router'
import { openRpcFixture } from '@paraph/service/caller-fixture'
import { openCeremonyFixture, type CeremonyFixture } from './ceremony-fixture.js'
import { createCodeSending } from '@paraph/codes/code-sending'
import type { ContractFacts } from './contract-facts.js'
import type { SigningDatabase } from './database.js'
import { pushingOf } from './verification-code.js'
import { noteTask } from './evidence-task-queue.js'
import { createEvidenceTasks } from './evidence-tasks.js'

let fixture: CeremonyFixture
let facts: ContractFacts
let sending: ReturnType<typeof createCodeSending>
let tasks: ReturnType<typeof createEvidenceTasks>
let isNotificationUp = true
const closing: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  fixture = await openCeremonyFixture()
  const clone = await cloneTestDatabase('notification')
  const database = createDatabase<NotificationDatabase>(openPool(clone.url, fixture.logger))
  const deliveries = createDeliveries({ database, codeKeys: fixture.codeKeys })
  const wakeWorker = () => undefined
  const contractMails = createContractMails({ database, readFacts: () => Promise.resolve(null), wakeWorker })
  const router = createRpcRouter({ deliveries, contractMails, wakeWorker, isRelayAway: () => false })
  const link = await openRpcFixture({
    caller: 'signing',
    callee: 'notification',
    router,
    line: (ctx, next) => (isNotificationUp ? next() : void ctx.req.socket.destroy()),
  })
  tasks = createEvidenceTasks({ ...fixture })
  sending = createCodeSending<SigningDatabase>({ ...fixture, ...pushingOf(link.rpc) })
  closing.push(link.close, () => database.destroy(), clone.drop, fixture.close)
})
afterAll(async () => {
  for (const close of closing) await close()
})
beforeEach(async () => {
  fixture.setLine('up')
  isNotificationUp = true
  facts = await fixture.createContract()
})

const visitor = { clientAddress: `2001:db8::${randomUUID().slice(0, 4)}`, userAgent: 'test' }
const askFor = (typed: string) => fixture.codes.request(facts, { typed, isResend: false }, visitor)
const rowsOf = () =>
  fixture.database.selectFrom('code_send').selectAll().where('scope', '=', facts.contractId).execute()
/** Every task that can be done now, and those that were put off too. */
async function work(): Promise<void> {
  await sql`update evidence_task set run_after = clock_timestamp() - interval '1 second' where done_at is null`.execute(
    fixture.database,
  )
  while (await tasks.doNext());
}

it('wipes a code as soon as notification has it, whatever the contract service does, and the chain hears of it later [D30, D42]', async () => {
  await askFor('p0@example.test')
  fixture.setLine('down')
  await sending.sendWaiting()
  const [row] = await rowsOf()
  expect(row).toMatchObject({ outcome: 'pushed', code_sealed: null })
  await tasks.doNext()
  expect(await fixture.chainOf(facts.contractId), 'the contract service is away').toEqual([])
  // Its ten minutes are over before anybody answers again.
  await sql`update code_send set expires_at = clock_timestamp() - interval '1 minute'`.execute(fixture.database)
  fixture.setLine('up')
  await work()
  expect(await fixture.chainOf(facts.contractId)).toEqual(['contract.created', 'code.sent'])
  const { line } = await fixture.database
    .selectFrom('evidence_entry')
    .select('line')
    .where('contract_id', '=', facts.contractId)
    .where('type', '=', 'code.sent')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(line)).toMatchObject({ data: { codeId: row!.id, sentAt: row!.settled_at!.toISOString() } })
  expect(line).not.toContain('example.test')
})

it('tells the chain once of a code that was pushed twice, and never of a stranger’s [D30, D42]', async () => {
  await askFor('p0@example.test')
  await askFor('stranger@example.test')
  const [row] = (await rowsOf()).filter(({ recipient }) => recipient !== null)
  await sending.sendWaiting()
  // As after a crash between the push and the commit that notes it.
  await sql`delete from evidence_task where contract_id = ${facts.contractId}`.execute(fixture.database)
  await sql`
    update code_send set settled_at = null, outcome = null, leased_until = null, code_sealed = ${row!.code_sealed}
     where id = ${row!.id}`.execute(fixture.database)
  await Promise.all([sending.sendWaiting(), sending.sendWaiting()])
  await work()
  expect(await fixture.chainOf(facts.contractId)).toEqual(['contract.created', 'code.sent'])
})

it('closes no chain while a code is on its way [D30]', async () => {
  const { contractId } = facts
  await fixture.contracts.store.execute(contractId, { type: 'cancel', actor: 'owner' })
  await askFor('p0@example.test')
  isNotificationUp = false
  await sending.sendWaiting().catch(() => undefined)
  const at = new Date().toISOString()
  const data = { contractId, accountId: 'acc_1', environment: 'production', at, actor: 'owner' }
  await fixture.database.transaction().execute((trx) => noteTask(trx, { type: 'contract.cancelled', data } as never))
  await work()
  expect(await fixture.chainOf(contractId)).not.toContain('contract.cancelled')
  isNotificationUp = true
  await sql`update code_send set leased_until = null`.execute(fixture.database)
  await sending.sendWaiting()
  await work()
  await work()
  expect(await fixture.chainOf(contractId)).toEqual(['contract.created', 'code.sent', 'contract.cancelled'])
})
