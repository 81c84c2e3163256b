// A consumer in its own process, as in a service. kafka-member-fixture.ts starts it.
import { writeSync } from 'node:fs'
import { createDatabase, openPool } from '@paraph/database/pool'
import { runService } from '@paraph/http/run'
import { createLogger } from '@paraph/telemetry/logger'
import { sql } from 'kysely'
import { createConsumer, isStalled } from '../src/consumer.js'
import { createKafkaEventBus } from '../src/kafka/event-bus.js'
import type { MemberSettings } from './kafka-member-fixture.js'

const settings = JSON.parse(process.argv[2] ?? '{}') as MemberSettings
const logger = createLogger('member', 'debug')
const bus = createKafkaEventBus({ connection: { ...settings.connection, clientId: 'member' }, logger })
const member = settings.databaseUrl === undefined ? printHandled() : consume(settings.databaseUrl)

await runService(
  { HOST: '127.0.0.1', PORT: settings.ports[0], INTERNAL_PORT: settings.ports[1], LINGER_SECONDS: 0, DRAIN_SECONDS: 1 },
  logger,
  {
    publicMiddleware: [],
    internalMiddleware: [],
    isLive: () => !isStalled(member.progress(), settings.stallMs),
    start: () => undefined,
    stop: () => member.stop(),
  },
)

/** Prints a line for each handled message. */
function printHandled() {
  return bus.subscribe({
    group: settings.group,
    topics: [settings.topic],
    handle: async (messages) => {
      for (const { partition, offset, key, value } of messages)
        writeSync(1, `handled ${JSON.stringify({ partition, offset, key, value })}\n`)
    },
  })
}

/** Records each event in the table `effect`. The id of some events determines what their handler does. */
function consume(url: string) {
  const database = createDatabase<unknown>(openPool(url, logger))
  const consumer = createConsumer<unknown>({
    name: settings.group,
    topics: [settings.topic as 'contract.events.v1'],
    bus,
    database,
    logger,
    retryFirstMs: 10,
    handle: async (trx, { id, subject }) => {
      if (id === 'type-error') (undefined as unknown as { method: () => void }).method()
      if (id === 'syntax-error') JSON.parse('{')
      if (id === 'range-error') new Array(-1)
      if (id === 'always-fails') throw new Error('It always fails.')
      if (id === 'frozen') await new Promise(() => undefined)
      await sql`insert into effect values (${id}, ${subject})`.execute(trx)
    },
  })
  consumer.start()
  return consumer
}
