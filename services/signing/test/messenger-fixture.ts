// Carries contract events to the evidence worker as relay, bus and consumer do: in order per contract, at least once. For tests. [D48, D49]
import { sql } from 'kysely'
import { enterInbox } from '@paraph/messaging/inbox'
import { createLoop } from '@paraph/service/loop'
import type { CeremonyFixture } from './ceremony-fixture.js'
import { noteTask } from './evidence-task-queue.js'
import { createEvidenceTasks } from './evidence-tasks.js'

interface OutboxRow {
  id: number
  event_id: string
  type: string
  data: never
}

/** Runs from the call to `stop`. @param random says which events come twice */
export function startMessenger(
  { database, contracts, contract, logger }: CeremonyFixture,
  { random }: { random: () => number },
) {
  const tasks = createEvidenceTasks({ database, contract, logger })

  async function carry(): Promise<boolean> {
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
      if ((await enterInbox(trx, 'signing', [event_id])).size === 1) await noteTask(trx, { type, data } as never)
    })
  }

  const carrier = createLoop({ work: carry, pauseMs: 2, trouble: 'events are not carried', logger })
  carrier.start()
  tasks.start()
  return {
    async stop(): Promise<void> {
      await carrier.stop()
      tasks.wake()
      await tasks.stop()
    },
  }
}
