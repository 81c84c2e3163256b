// The embedded bus, for an installation without Kafka: the functions of bus-migrations.ts behind the EventBus interface. [D50]
// Owns: publishing and positions. subscription.ts reads. Needs a direct URL, because readers hold session locks.
import { openPool } from '@paraph/database/pool'
import { waitAtMost } from '@paraph/protocol/deadline'
import type { Logger } from '@paraph/telemetry/logger'
import type { Backlog, BusMessage, EventBus, SubscribeOptions } from '../event-bus.js'
import { BUS_CHANNEL } from './partitions.js'
import { createPostgresSubscription } from './subscription.js'

const CLOSE_MS_MAX = 1_000

/** @param url of the bus database as the service's runtime role, not through a pooler */
export function createPostgresEventBus({ url, logger }: { url: string; logger: Logger }): EventBus {
  const pool = openPool(url, logger, { max: 2, statementTimeoutMs: 5_000 })

  /**
   * After the commit of a batch and in a statement of its own, because the batch holds row locks until it is durable: channel-listener.ts
   * says what a NOTIFY there would cost. Readers whose notification is lost poll. [P46]
   */
  function notifyReaders(messages: readonly BusMessage[]): void {
    const topics = [...new Set(messages.map(({ topic }) => topic))]
    pool
      .query('select pg_notify($1, topic) from unnest($2::text[]) as topic', [BUS_CHANNEL, topics])
      .catch(() => undefined)
  }

  return {
    async publish(messages: readonly BusMessage[]): Promise<void> {
      if (messages.length === 0) return
      await pool.query('select bus.append($1, $2, $3, $4)', [
        messages.map((message) => message.topic),
        messages.map((message) => message.key),
        messages.map((message) => JSON.stringify(message.headers)),
        messages.map((message) => message.value),
      ])
      notifyReaders(messages)
    },
    subscribe: (options: SubscribeOptions) => createPostgresSubscription({ url, logger, ...options }),
    async rewind(group: string, topic: string): Promise<void> {
      await pool.query('select bus.rewind($1, $2)', [group, topic])
    },
    async backlog(group: string, topics: readonly string[]): Promise<Backlog[]> {
      const { rows } = await pool.query<Backlog>(
        'select topic, partition, waiting::float8 as waiting from bus.backlog($1, $2)',
        [group, topics],
      )
      return rows
    },
    // A statement without an answer would take longer than a stop of a service may take.
    close: () => waitAtMost(CLOSE_MS_MAX, pool.end()),
  }
}
