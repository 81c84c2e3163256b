// Measures the throughput of events. One relay publishes a backlog of the contract service's outbox to each bus; then one consumer of the
// notification service writes inbox and delivery rows. Uses a durable Postgres and a real Kafka, all on the same two cores.
// Run: npm run bench -- pipeline. BENCH_EVENTS: number of events (two deliveries each). BENCH_BUSES: `postgres` omits Kafka.
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { createKafkaEventBus } from '@paraph/messaging/kafka/event-bus'
import { createPostgresEventBus } from '@paraph/messaging/postgres/event-bus'
import { createRelay } from '@paraph/messaging/relay'
import { createEventsConsumer } from '@paraph/notification/events'
import { createLogger } from '@paraph/telemetry/logger'
import { kafkaIsThere, startKafkaBroker } from '../../../libs/messaging/test/kafka-broker-fixture.ts'
import { openStage, until } from './stage.mjs'

/** Kafka needs Java and Maven. */
const BUSES = (process.env.BENCH_BUSES ?? 'postgres,kafka').split(',')
const EVENTS = Number(process.env.BENCH_EVENTS ?? 50_000)
const TOPICS = ['contract.events.v1', 'account.events.v1']
const logger = createLogger('bench', 'error')

const SEED = `
  insert into outbox (event_id, topic, type, key, sequence, data)
  select gen_random_uuid(), 'contract.events.v1', 'contract.created', id, 1,
         jsonb_build_object('contractId', id, 'accountId', 'acc_1', 'environment', 'production', 'partyCount', 2,
                            'createdAt', '2026-11-22T00:00:00.000Z', 'expiresAt', '2026-12-06T00:00:00.000Z')
    from (select 'contract-' || $2 || '-' || n as id from generate_series(1, $1::int) as n) as ids`

const stage = await openStage()
const isWanted = BUSES.includes('kafka') && (await kafkaIsThere())
const kafka = isWanted ? await startKafkaBroker() : undefined
try {
  process.stdout.write(`${EVENTS} events, fsync on\n`)
  if (!kafka) process.stdout.write('SKIPPED: Kafka was not measured.\n')
  await measure('postgres', (service) =>
    createPostgresEventBus({ url: stage.urlOf('bus', 'runtime', service), logger }),
  )
  if (kafka) {
    await kafka.createTopics(...TOPICS)
    await measure('kafka', (service) =>
      createKafkaEventBus({ connection: { brokers: kafka.brokers, clientId: service }, logger }),
    )
  }
} finally {
  await kafka?.stop()
  await stage.stop()
}

async function measure(name, openBus) {
  const contractUrl = stage.urlOf('contract', 'runtime')
  await withClient(contractUrl, (client) => client.query(SEED, [EVENTS, name]))
  const publishing = openBus('contract')
  const relay = createRelay({ directUrl: contractUrl, source: '/contract', bus: publishing, logger })
  const relayed = await timed(async () => {
    relay.start()
    await withClient(contractUrl, (client) =>
      until(async () => {
        const { rows } = await client.query('select 1 from outbox where published_at is null limit 1')
        return rows.length === 0
      }),
    )
  })
  await relay.stop()
  await publishing.close()

  const database = createDatabase(openPool(stage.urlOf('notification', 'runtime'), logger))
  const bus = openBus('notification')
  const consumer = createEventsConsumer({ bus, database, triggerWorker: () => undefined, outcomeMails: true, logger })
  const before = await deliveries()
  const consumed = await timed(async () => {
    consumer.start()
    await until(async () => consumer.counts().handled >= EVENTS)
  })
  await consumer.stop()
  await bus.close()
  await database.destroy()
  const made = (await deliveries()) - before
  if (made !== 2 * EVENTS) throw new Error(`${made} deliveries of ${2 * EVENTS}`)
  process.stdout.write(
    `${name}: relay ${perSecond(relayed)} events/s, consumer ${perSecond(consumed)} events/s (joining included)\n`,
  )
}

function deliveries() {
  return withClient(stage.urlOf('notification', 'runtime'), async (client) => {
    const { rows } = await client.query('select count(*)::int as n from delivery')
    return rows[0].n
  })
}

async function timed(work) {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1_000
}

function perSecond(seconds) {
  return Math.round(EVENTS / seconds).toLocaleString('en')
}
