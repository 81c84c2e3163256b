// A replica in its own process: the relay of an outbox, and a consumer of its events on the embedded bus. sharing.int.test.ts starts it.
import { createDatabase, openPool } from '@paraph/database/pool'
import { createLogger } from '@paraph/telemetry/logger'
import { sql } from 'kysely'
import { createConsumer } from '../src/consumer.js'
import { createPostgresEventBus } from '../src/postgres/event-bus.js'
import { createRelay } from '../src/relay.js'

const [url = '', busUrl = ''] = process.argv.slice(2)
const logger = createLogger('replica', 'silent')
const bus = createPostgresEventBus({ url: busUrl, logger })
const database = createDatabase<unknown>(openPool(url, logger, { max: 8 }))
createRelay({ directUrl: url, source: '/contract', bus, logger }).start()
createConsumer<unknown>({
  name: 'replica',
  topics: ['contract.events.v1'],
  bus,
  database,
  logger,
  handle: async (trx, { subject, sequence }) =>
    void (await sql`insert into effect (subject, sequence) values (${subject}, ${sequence})`.execute(trx)),
}).start()
