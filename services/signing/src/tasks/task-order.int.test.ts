import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { claimTasks } from '@paraph/messaging/task-queue'
import { sql } from 'kysely'
import { openCeremonyFixture, type CeremonyFixture } from '../../test/ceremony-fixture.js'
import type { ContractView } from '../clients/contract.js'
import { createEvidenceTasks, EVIDENCE_TASKS, queueTask } from './evidence-tasks.js'

let fixture: CeremonyFixture
beforeAll(async () => {
  fixture = await openCeremonyFixture()
})
afterAll(() => fixture.close())

const at = '2026-11-22T12:00:00.000Z'

it('the end of a contract is recorded before the openings of all new contracts, its own included [P22, F31]', async () => {
  const [ended, ...others] = await Promise.all(Array.from({ length: 4 }, () => fixture.createContract(2)))
  for (const view of [...others, ended!])
    await queue(view, 'contract.created', { partyCount: 2, createdAt: at, expiresAt: at })
  await fixture.contracts.store.execute(ended!.contractId, { type: 'cancel', actor: 'owner' })
  await queue(ended!, 'contract.cancelled', { at, actor: 'owner' })
  const tasks = createEvidenceTasks(fixture)
  const chains = () => Promise.all([ended!, ...others].map(({ contractId }) => fixture.chainOf(contractId)))
  await tasks.next()
  const closed = ['contract.created', 'contract.cancelled']
  expect(await chains()).toEqual([closed, [], [], []])
  while (await tasks.next());
  expect(await chains()).toEqual([closed, ...others.map(() => ['contract.created'])])
})

it('with 50,000 open tasks a claim reads its index in order, and sorts nothing [P22, F31]', async () => {
  await sql`
    insert into evidence_task (contract_id, type, data)
    select 'contract-' || n % 25000, case when n <= 25000 then 'contract.created' else 'contract.party_signed' end, '{}'
      from generate_series(1, 50000) as n`.execute(fixture.database)
  await withClient(fixture.clone.ownerUrl, (owner) => owner.query('analyze evidence_task'))
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${claimTasks(EVIDENCE_TASKS)}`.execute(fixture.database)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Index Scan using evidence_task_waiting')
  expect(plan).not.toMatch(/Seq Scan|Sort/)
})

it('with 50,000 open tasks a claim has a plan of its own, also when the table was empty at the claim before [F31, P45]', async () => {
  const { clone, database } = fixture
  await withClient(clone.ownerUrl, async (owner) => {
    await owner.query('delete from evidence_task')
    await owner.query('vacuum analyze evidence_task')
  })
  await database.connection().execute(async (connection) => {
    const claim = () => claimTasks(EVIDENCE_TASKS).execute(connection)
    expect((await claim()).rows).toEqual([])
    await sql`
      insert into evidence_task (contract_id, type, data)
      select 'contract-' || n, 'contract.party_signed', '{}' from generate_series(1, 50000) as n`.execute(connection)
    expect((await claim()).rows).toHaveLength(1)
  })
})

const queue = ({ contractId, accountId, environment }: ContractView, type: string, more: object) =>
  fixture.database
    .transaction()
    .execute((trx) => queueTask(trx, { type, data: { contractId, accountId, environment, ...more } } as never))
