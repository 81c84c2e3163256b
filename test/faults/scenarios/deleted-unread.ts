// Kafka deletes messages before their consumers read them, as a retention shorter than an outage does. [F52, P42]
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SERVICES } from '@paraph/protocol/services'
import { verifyInvariants } from '../../harness/stack/invariants.js'
import { until } from '../../harness/until.js'
import type { FaultStack } from '../fault-stack.js'
import type { Scenario } from '../scenario.js'
import { untilIdle } from '../soundness.js'
import { CONSUMERS, withoutRelay } from './bus-messages.js'

const TOPICS = ['contract.events.v1', 'signing.events.v1', 'account.events.v1']
const LOGGED = 'Kafka deleted messages before the group received them'

export const deletedUnread: Scenario = {
  fault: 'F52',
  name: 'deleted-unread',
  done: 'both consumers are stopped; contracts are created and signed, their events are published, and Kafka deletes them; the consumers return, and an operator publishes the outboxes again as docs/how-to/operators/kafka.md says',
  holds:
    'each consumer logs the loss, and `verify invariants` names the events; after the repair every contract is sealed and every mail sent once',
  buses: ['kafka'],
  suite: { rounds: 1, scale: 1 },
  full: { rounds: 5, scale: 1 },
  clients: 0,
  async play({ stack, workload, rounds, record, fail }) {
    let deleted = 0
    for (let round = 0; round < rounds; round += 1) {
      const loggedBefore = await countLogged(stack)
      const [now] = await stack.query<{ now: Date }>('contract', 'select clock_timestamp() as now')
      const [signed, open] = await withoutRelay(stack, async () => {
        const contracts = [(await workload.create(2))!, (await workload.create(2))!] as const
        await Promise.all([workload.sign(contracts[0], 0), workload.sign(contracts[0], 1)])
        await Promise.all(CONSUMERS.map(stack.pause))
        return contracts
      })
      await until('the publication of every event', async () => ((await unpublished(stack)) === 0 ? true : undefined))
      for (const topic of TOPICS) deleted += (await stack.bus.sizeOf(topic)).messages
      await stack.bus.empty(TOPICS)
      await Promise.all(CONSUMERS.map(stack.resume))

      await until('the log of the loss by each consumer', async () => {
        const logged = await countLogged(stack)
        return CONSUMERS.every((name) => logged[name] > loggedBefore[name]) ? true : undefined
      })
      const named = await verifyInvariants(stack, { withinSeconds: 0 }).catch(String)
      for (const name of CONSUMERS)
        for (const { id } of [signed, open])
          if (!new RegExp(`I9 late: ${name} ${id} event \\S+ has not handled an event`).test(named ?? ''))
            fail(`verify invariants does not name the events of ${id} that ${name} lost:\n${named}`)

      // The command of docs/how-to/operators/kafka.md, "When events were deleted unread".
      for (const service of SERVICES)
        await stack.query(service, 'update outbox set published_at = null where published_at >= $1', [now!.now])
      await untilIdle(stack)
      // The consumers handle the events after the gap as usual.
      await Promise.all([workload.sign(open, 0), workload.sign(open, 1)])
      await untilIdle(stack)
      for (const { id } of [signed, open]) {
        const sealed = await stack.query('signing', 'select 1 from sealed_evidence where contract_id = $1', [id])
        if (sealed.length !== 1) fail(`${id}: signed by everybody, and not sealed`)
      }
    }
    record('messagesDeleted', deleted)
    return { extraCopies: 0, totalCopies: 0 }
  },
}

async function unpublished({ query }: FaultStack): Promise<number> {
  const counts = await Promise.all(
    SERVICES.map((service) =>
      query<{ n: number }>(service, 'select count(*)::int as n from outbox where published_at is null'),
    ),
  )
  return counts.reduce((sum, [row]) => sum + row!.n, 0)
}

/** The number of lines of each consumer that report deleted messages. */
async function countLogged({ folder }: FaultStack): Promise<Record<(typeof CONSUMERS)[number], number>> {
  const count = async (name: string) =>
    (await readFile(join(folder, 'logs', `${name}.log`), 'utf8')).split(LOGGED).length - 1
  return { signing: await count('signing'), notification: await count('notification') }
}
