// The bus as a fault test sees it, whichever it is: it goes away, comes back, is slow, is replayed, and takes any message.
import { startKafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { createKafkaClient } from '@paraph/messaging/kafka/client'
import { createKafkaEventBus } from '@paraph/messaging/kafka/event-bus'
import { createKafkaPositions } from '@paraph/messaging/kafka/positions'
import { createPostgresEventBus } from '@paraph/messaging/postgres/event-bus'
import type { BusMessage } from '@paraph/messaging/event-bus'
import { withClient } from '@paraph/database/provision'
import { readConfig } from '@paraph/paraph/config'
import { applyTopicsOf } from '@paraph/paraph/topics'
import { databaseUrlOf, type StackFile } from '../harness/stack/local-stack.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

export const BUSES = ['postgres', 'kafka'] as const
export type BusName = (typeof BUSES)[number]

export interface FaultBus {
  name: BusName
  /** Ends it as a crash would; whoever talks to it meets a closed door. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** From now on every answer comes so much later; 0 heals. */
  slowDown(ms: number): Promise<void>
  /** Past the relays: whatever somebody may write into a topic. */
  publish(messages: readonly BusMessage[]): Promise<void>
  /** The group stands at the oldest message again. No member of it may run. */
  rewind(group: string, topic: string): Promise<void>
  /** How many messages of the topic a group that begins at the oldest has before it, and in how many partitions. */
  sizeOf(topic: string): Promise<{ messages: number; partitions: number }>
  close(): Promise<void>
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** What a stack is started on, before it has services. */
export interface FaultBroker {
  /** For the services. */
  environment: Record<string, string>
  bus: FaultBus
}

/** A real broker behind a line, with the topics as `paraph topics apply` makes them. */
export async function startKafka(): Promise<FaultBroker> {
  let line: TcpProxy | undefined
  const broker = await startKafkaBroker({ proxy: async (port) => (line = await startTcpProxy(port)).port })
  const environment = { EVENT_BUS: 'kafka', KAFKA_BROKERS: broker.brokers.join() }
  await applyTopicsOf(readConfig(environment), { fewBrokers: 'fewer copies' })
  const connection = { brokers: broker.brokers, clientId: 'faults' }
  const bus = createKafkaEventBus({ connection, logger: quiet as never })
  const positions = createKafkaPositions(createKafkaClient(connection, quiet as never))
  return {
    environment,
    bus: {
      name: 'kafka',
      goAway: () => broker.kill(),
      comeBack: () => broker.restart(),
      slowDown: (ms) => Promise.resolve(line!.delayBy(ms / 2)),
      publish: (messages) => bus.publish(messages),
      rewind: (group, topic) => bus.rewind(group, topic),
      async sizeOf(topic) {
        const ends = await positions.ends([topic])
        return { messages: ends.reduce((sum, { low, high }) => sum + high - low, 0), partitions: ends.length }
      },
      async close() {
        await Promise.all([bus.close(), positions.close()])
        await broker.stop()
        await line?.close()
      },
    },
  }
}

/** The embedded bus behind its line. @param line that of all services to it */
export function postgresFaultBus({ stack, line }: { stack: StackFile; line: TcpProxy }): FaultBus {
  const url = databaseUrlOf(stack, 'bus')
  const bus = createPostgresEventBus({ url, logger: quiet as never })
  return {
    name: 'postgres',
    goAway: () => line.become('refuse'),
    comeBack: () => line.become('pass'),
    // Once on the way there, once on the way back.
    slowDown: (ms) => Promise.resolve(line.delayBy(ms / 2)),
    publish: (messages) => bus.publish(messages),
    rewind: (group, topic) => bus.rewind(group, topic),
    sizeOf: (topic) =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ messages: number; partitions: number }>(
          `select (select count(*)::int from bus.message where topic = $1) as messages,
                  (select count(*)::int from bus.ends(array[$1])) as partitions`,
          [topic],
        )
        return rows[0]!
      }),
    close: () => bus.close(),
  }
}
