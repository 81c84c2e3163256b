import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import { openNotificationFixture } from '../../test/notification-fixture.js'
import { createCodeSending, type CodeToPush } from '@paraph/codes/code-sending'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import type { ContractView } from '../clients/contract.js'
import type { SigningDatabase } from '../database.js'
import { codePushingOf } from './verification-code.js'
import { createEvidenceTasks, queueTask } from '../tasks/evidence-tasks.js'

let fixture: CeremonyFixture
let view: ContractView
let sending: ReturnType<typeof createCodeSending>
let tasks: ReturnType<typeof createEvidenceTasks>
let notification: Awaited<ReturnType<typeof openNotificationFixture>>
beforeAll(async () => {
  fixture = await openCeremonyFixture()
  notification = await openNotificationFixture(fixture.codeKeys)
  tasks = createEvidenceTasks({ ...fixture })
  sending = createCodeSending<SigningDatabase>({ ...fixture, ...codePushingOf(notification.rpc) })
})
afterAll(async () => {
  await notification.close()
  await fixture.close()
})
beforeEach(async () => {
  fixture.setLine('up')
  notification.setUp(true)
  view = await fixture.createContract()
})

const visitor = { clientAddress: `2001:db8::${randomUUID().slice(0, 4)}`, userAgent: 'test' }
const requestFor = (typed: string) => fixture.codes.request(view, { typed, isResend: false }, visitor)
const rowsOf = () => fixture.database.selectFrom('code_send').selectAll().where('scope', '=', view.contractId).execute()
/** Runs every open evidence task, including those rescheduled for later. */
async function work(): Promise<void> {
  await sql`update evidence_task set run_after = clock_timestamp() - interval '1 second' where done_at is null`.execute(
    fixture.database,
  )
  while (await tasks.next());
}

it('a code is wiped as soon as the notification service accepts it, and recorded in the chain once the contract service answers [D30, D42]', async () => {
  await requestFor('p0@example.test')
  fixture.setLine('down')
  await sending.next()
  const [row] = await rowsOf()
  expect(row).toMatchObject({ outcome: 'pushed', code_sealed: null })
  await tasks.next()
  expectWithMessage(await fixture.chainOf(view.contractId), 'the contract service is unavailable').toEqual([])
  // The code's ten minutes end before the contract service answers again.
  await sql`update code_send set expires_at = clock_timestamp() - interval '1 minute'`.execute(fixture.database)
  fixture.setLine('up')
  await work()
  expect(await fixture.chainOf(view.contractId)).toEqual(['contract.created', 'code.sent'])
  const { line } = await fixture.database
    .selectFrom('evidence_entry')
    .select('line')
    .where('contract_id', '=', view.contractId)
    .where('type', '=', 'code.sent')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(line)).toMatchObject({ data: { codeId: row!.id, sentAt: row!.finished_at!.toISOString() } })
  expect(line).not.toContain('example.test')
})

it('a code that was pushed twice is recorded once in the chain, and a stranger’s code never [D30, D42]', async () => {
  await requestFor('p0@example.test')
  await requestFor('stranger@example.test')
  const [row] = (await rowsOf()).filter(({ recipient }) => recipient !== null)
  await sending.next()
  // Simulates a crash between the push and the commit that records the push.
  await sql`delete from evidence_task where contract_id = ${view.contractId}`.execute(fixture.database)
  await sql`
    update code_send set finished_at = null, outcome = null, leased_until = null, code_sealed = ${row!.code_sealed}
     where id = ${row!.id}`.execute(fixture.database)
  await Promise.all([sending.next(), sending.next()])
  await work()
  expect(await fixture.chainOf(view.contractId)).toEqual(['contract.created', 'code.sent'])
})

it('a push gives a code five seconds less than its ten minutes, because the push takes time [D16, D42]', async () => {
  const lives: number[] = []
  const push = ({ lapsesInSeconds }: CodeToPush) => Promise.resolve(lives.push(lapsesInSeconds))
  await requestFor('p0@example.test')
  await createCodeSending<SigningDatabase>({ ...fixture, push }).next()
  expect(lives).toHaveLength(1)
  expect(lives[0]).toBeGreaterThan(500)
  expect(lives[0]).toBeLessThanOrEqual(595)
})

it('a code that was requested before the clock was set back is pushed with no more than ten minutes [D42, F32]', async () => {
  const lives: number[] = []
  const push = ({ lapsesInSeconds }: CodeToPush) => Promise.resolve(lives.push(lapsesInSeconds))
  await requestFor('p0@example.test')
  await sql`update code_send set created_at = created_at + interval '1 hour', expires_at = expires_at + interval '1 hour',
    leased_until = leased_until + interval '1 hour' where scope = ${view.contractId}`.execute(fixture.database)
  await createCodeSending<SigningDatabase>({ ...fixture, push }).next()
  // The notification service refuses a longer life.
  expect(lives).toEqual([595])
})

it('a code is not pushed in its last five seconds, because it would arrive too late [D16, D42]', async () => {
  await requestFor('p0@example.test')
  await sql`update code_send set expires_at = clock_timestamp() + interval '4 seconds'
    where scope = ${view.contractId}`.execute(fixture.database)
  await sending.next()
  expect((await rowsOf()).map(({ outcome }) => outcome)).not.toContain('pushed')
})

it('a chain is not closed while a code is queued [D30]', async () => {
  const { contractId } = view
  await fixture.contracts.store.execute(contractId, { type: 'cancel', actor: 'owner' })
  await requestFor('p0@example.test')
  notification.setUp(false)
  await sending.next().catch(() => undefined)
  const at = new Date().toISOString()
  const data = { contractId, accountId: 'acc_1', environment: 'production', at, actor: 'owner' }
  await fixture.database.transaction().execute((trx) => queueTask(trx, { type: 'contract.cancelled', data } as never))
  await work()
  expect(await fixture.chainOf(contractId)).not.toContain('contract.cancelled')
  notification.setUp(true)
  await sql`update code_send set leased_until = null`.execute(fixture.database)
  await sending.next()
  await work()
  await work()
  expect(await fixture.chainOf(contractId)).toEqual(['contract.created', 'code.sent', 'contract.cancelled'])
})
