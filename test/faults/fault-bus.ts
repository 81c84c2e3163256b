// The interface of fault tests to either bus: a test can stop, restart, delay and replay the bus, and publish any message.
import { startKafkaBroker } from '@paraph/messaging/test/kafka-broker-fixture'
import { createKafkaClient } from '@paraph/messaging/kafka/client'
import { createKafkaEventBus } from '@paraph/messaging/kafka/event-bus'
import { createKafkaPositions } from '@paraph/messaging/kafka/positions'
import { createPostgresEventBus } from '@paraph/messaging/postgres/event-bus'
import type { BusMessage } from '@paraph/messaging/event-bus'
import { withClient } from '@paraph/database/provision'
import { readConfig } from '@paraph/paraph/config'
import { applyTopicsOf } from '@paraph/paraph/commands/topics'
import { databaseUrlOf, type StackFile } from '../harness/stack/local-stack.js'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js'

export const BUSES = ['postgres', 'kafka'] as const
export type BusName = (typeof BUSES)[number]

export interface FaultBus {
  name: BusName
  /** Kills the bus as a crash would; connections to it are refused. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** Delays every answer of the bus by `ms` from now on; 0 ends the delay. */
  slowDown(ms: number): Promise<void>
  /** Publishes without a relay, like anyone with write access to a topic. */
  publish(messages: readonly BusMessage[]): Promise<void>
  /** Moves the group to the oldest message. No member of the group may run. */
  rewind(group: string, topic: string): Promise<void>
  /** Deletes every message of the topics, as their retention does in the end. Positions of groups and offsets stay. */
  empty(topics: readonly string[]): Promise<void>
  /** The number of messages and partitions of the topic for a group that starts at the oldest message. */
  sizeOf(topic: string): Promise<{ messages: number; partitions: number }>
  close(): Promise<void>
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

/** A broker, which starts before the services of its stack. */
export interface FaultBroker {
  /** Settings for the services. */
  environment: Record<string, string>
  bus: FaultBus
}

/** Starts a real broker behind a proxy, with the topics that `paraph topics apply` creates. */
export async function startKafka(): Promise<FaultBroker> {
  let line: TcpProxy | undefined
  const broker = await startKafkaBroker({ proxy: async (port) => (line = await startTcpProxy(port)).port })
  const environment = { EVENT_BUS: 'kafka', KAFKA_BROKERS: broker.brokers.join() }
  await applyTopicsOf(readConfig(environment), { fewBrokers: 'fewer copies' })
  const connection = { brokers: broker.brokers, clientId: 'faults' }
  const bus = createKafkaEventBus({ connection, logger: quiet as never })
  const client = createKafkaClient(connection, quiet as never)
  const positions = createKafkaPositions(client)
  return {
    environment,
    bus: {
      name: 'kafka',
      goAway: () => broker.kill(),
      comeBack: () => broker.restart(),
      slowDown: (ms) => Promise.resolve(line!.delayBy(ms / 2)),
      publish: (messages) => bus.publish(messages),
      rewind: (group, topic) => bus.rewind(group, topic),
      async empty(topics) {
        const admin = client.admin()
        await admin.connect()
        try {
          for (const topic of topics) {
            const ends = await admin.fetchTopicOffsets(topic)
            const partitions = ends.map(({ partition, high }) => ({ partition, offset: high }))
            await admin.deleteTopicRecords({ topic, partitions })
          }
        } finally {
          await admin.disconnect()
        }
      },
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

/** The Postgres bus behind its proxy. @param line the proxy between all services and the bus */
export function postgresFaultBus({ stack, line }: { stack: StackFile; line: TcpProxy }): FaultBus {
  const url = databaseUrlOf(stack, 'bus')
  const bus = createPostgresEventBus({ url, logger: quiet as never })
  return {
    name: 'postgres',
    goAway: () => line.become('refuse'),
    comeBack: () => line.become('pass'),
    // The delay applies once in each direction.
    slowDown: (ms) => Promise.resolve(line.delayBy(ms / 2)),
    publish: (messages) => bus.publish(messages),
    rewind: (group, topic) => bus.rewind(group, topic),
    empty: (topics) =>
      withClient(url, async (client) => {
        await client.query('delete from bus.message where topic = any($1)', [topics])
      }),
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
