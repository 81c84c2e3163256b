import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createMessagingRouter } from '@paraph/messaging/operator-router'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import type { ContractView } from '../clients/contract.js'
import { createEvidenceTasks, queueTask } from './evidence-tasks.js'

let fixture: CeremonyFixture
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())

const at = '2026-11-22T12:00:00.000Z'

it('a task that keeps failing is parked, the contract’s later tasks go on, and an operator redrives it [F33, D30]', async () => {
  const { tasks, operator } = open()
  const view = await fixture.createContract(2)
  const { contractId } = view
  await queuePoison(view, 39)
  await fixture.contracts.store.execute(contractId, { type: 'cancel', actor: 'owner' })
  await queue(view, 'contract.cancelled', { at, actor: 'owner' })
  while (await tasks.next());
  expect(await fixture.chainOf(contractId)).toEqual(['contract.created', 'contract.cancelled'])

  const { letters } = await operator.deadLetters({})
  expect(letters).toMatchObject([
    { consumer: 'evidence', topic: 'contract.party_signed', key: contractId, attempts: 40, redrivenAt: null },
  ])
  const { id } = letters[0]!
  expect(await operator.redrive({ id })).toMatchObject({ outcome: 'failed' })
  expect((await operator.deadLetters({})).letters).toHaveLength(1)
  await sql`update evidence_task set data = jsonb_set(data, '{attemptId}', ${JSON.stringify(randomUUID())}::jsonb)
    where type = 'contract.party_signed'`.execute(fixture.database)
  expect(await operator.redrive({ id })).toEqual({ outcome: 'redriven' })
  expect(await operator.redrive({ id })).toEqual({ outcome: 'redriven_before' })
  expect((await operator.deadLetters({})).letters).toEqual([])
  expect(await openTasks()).toEqual([])
})

it('an outage of the contract service counts no failure of a task, and a failing task is retried before it is parked [F33]', async () => {
  const { tasks } = open()
  const view = await fixture.createContract(2)
  await queuePoison(view, 38)
  const round = async () => {
    await sql`update evidence_task set run_after = clock_timestamp() - interval '1 second'`.execute(fixture.database)
    await tasks.next()
    return (await openTasks())[0]
  }
  fixture.setLine('down')
  for (let tries = 1; tries <= 3; tries += 1)
    expect(await round()).toEqual({ attempts: tries, failures: 38, parked: false })
  fixture.setLine('up')
  expect(await round()).toEqual({ attempts: 4, failures: 39, parked: false })
  expect(await round()).toEqual({ attempts: 4, failures: 40, parked: true })
})

function open() {
  const tasks = createEvidenceTasks(fixture)
  const router = createMessagingRouter({
    database: fixture.database,
    // A service without a consumer lists no dead letters.
    consumers: [{ name: 'signing' } as never],
    redrivers: [tasks.parked],
  })
  return { tasks, operator: router.createCaller({} as never) }
}

const openTasks = async () =>
  (
    await sql`select attempts, failures, parked_at is not null as parked from evidence_task where done_at is null`.execute(
      fixture.database,
    )
  ).rows

const queue = ({ contractId, accountId, environment }: ContractView, type: string, more: object) =>
  fixture.database
    .transaction()
    .execute((trx) => queueTask(trx, { type, data: { contractId, accountId, environment, ...more } } as never))

/** Queues a task that no version of the consumer queues, and that always fails. */
async function queuePoison(view: ContractView, failures: number): Promise<void> {
  const signed = { partyIndex: 0, attemptId: 'not a UUID', signedAt: at, signed: 1, total: 2 }
  await queue(view, 'contract.party_signed', signed)
  await sql`update evidence_task set failures = ${failures} where contract_id = ${view.contractId}`.execute(
    fixture.database,
  )
}
