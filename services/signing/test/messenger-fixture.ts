// Delivers contract events to the evidence tasks as relay, bus and consumer do: in order per contract, at least once. For tests. [D48, D49]
import { sql } from 'kysely'
import { enterInbox } from '@paraph/messaging/inbox'
import { createLoop } from '@paraph/background/loop'
import type { CeremonyFixture } from './ceremony-fixture.js'
import { createEvidenceTasks, queueTask } from '../src/tasks/evidence-tasks.js'

interface OutboxRow {
  id: number
  event_id: string
  type: string
  data: never
}

/** Delivers events until `stop` is called. @param random decides which events arrive twice */
export function startMessenger(
  { database, contracts, contract, logger }: CeremonyFixture,
  { random }: { random: () => number },
) {
  const tasks = createEvidenceTasks({ database, contract, logger })

  async function deliverBatch(): Promise<boolean> {
    const { rows } = await sql<OutboxRow>`
      select id, event_id, type, data from outbox where published_at is null order by id limit 50`.execute(
      contracts.database,
    )
    for (const row of rows) {
      await deliver(row)
      if (random() < 0.2) await deliver(row)
    }
    const ids = rows.map(({ id }) => id)
    await sql`update outbox set published_at = now() where id = any(${ids})`.execute(contracts.database)
    if (rows.length > 0) tasks.wake()
    return rows.length > 0
  }

  async function deliver({ event_id, type, data }: OutboxRow): Promise<void> {
    await database.transaction().execute(async (trx) => {
      if ((await enterInbox(trx, 'signing', [event_id])).size === 1) await queueTask(trx, { type, data } as never)
    })
  }

  const loop = createLoop({
    name: 'messenger',
    work: deliverBatch,
    pauseMs: 2,
    failureMessage: 'could not deliver contract events',
    logger,
  })
  loop.start()
  tasks.start()
  return {
    async stop(): Promise<void> {
      await loop.stop()
      tasks.wake()
      await tasks.stop()
    },
  }
}
