// Operator procedures for the events of one service: its unpublished events and its dead letters. [F11, H11]
// Every service mounts it on its internal port. Owns: the statements behind `outbox status` and `dead-letter list|redrive`.
// Does not own: how a dead letter is handled again (handle-events.ts).
import { initTRPC } from '@trpc/server'
import type { RpcContext } from '@paraph/rpc/mount'
import { sql, type QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { Consumer } from './consumer.js'
import { reasonOf } from './event-outcomes.js'
import type { Relay } from './relay.js'

export interface DeadLetter {
  id: number
  consumer: string
  topic: string
  partition: number
  offset: string
  /** The contract or account. */
  key: string
  reason: string
  attempts: number
  deadAt: string
  redrivenAt: string | null
  /** The original text, only on request, because anyone with write access to the topic may have written it. */
  value?: string | null
}

type DeadLetterRow = Omit<DeadLetter, 'deadAt' | 'redrivenAt'> & { deadAt: Date; redrivenAt: Date | null }

export type Redriven =
  | { outcome: 'redriven' | 'redriven_before' | 'not_found' }
  /** The dead letter is unchanged. `reason` holds no personal data. */
  | { outcome: 'failed'; reason: string }

const { router, procedure } = initTRPC.context<RpcContext>().create()

const LISTED_MAX = 1_000

export interface MessagingRouterDeps {
  database: QueryExecutorProvider
  /** The relay, if the service has an outbox. */
  relay?: Pick<Relay, 'tickAgeMs'>
  consumers?: readonly Consumer[]
  /** Handle dead letters that no consumer of the bus stored. */
  redrivers?: readonly Pick<Consumer, 'name' | 'redrive'>[]
}

export function createMessagingRouter({ database, relay, consumers = [], redrivers = [] }: MessagingRouterDeps) {
  async function readWaiting() {
    const { rows } = await sql<{ topic: string; unpublished: number; oldestSeconds: number }>`
      select topic, count(*)::int as unpublished,
             greatest(0, extract(epoch from clock_timestamp() - min(occurred_at)))::float8 as "oldestSeconds"
        from outbox where published_at is null group by topic order by topic`.execute(database)
    return rows
  }

  async function countDead(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from dead_letter where redriven_at is null`.execute(database)
    return rows[0]?.count ?? 0
  }

  return router({
    /**
     * The backlogs. `outbox` is null for a service without an outbox, `deadLetters` for one without a consumer. `oldestSeconds`: the time
     * since the oldest event occurred; an expiry is recorded later than it occurs.
     */
    status: procedure.query(async () => ({
      outbox: relay ? { waiting: await readWaiting(), relayTickAgeMs: Math.round(relay.tickAgeMs()) } : null,
      consumers: await Promise.all(
        consumers.map(async (consumer) => ({
          name: consumer.name,
          sinceStart: consumer.counts(),
          partitions: consumer.progress(),
          // The backlog of the whole group. Null when the bus does not answer.
          backlog: (await consumer.backlog()) ?? null,
        })),
      ),
      deadLetters: consumers.length > 0 ? await countDead() : null,
    })),

    /** Dead letters with ids greater than `after`, oldest first; includes those already redriven only if `redriven` is set. */
    deadLetters: procedure
      .input(
        z.object({
          redriven: z.boolean().default(false),
          showValue: z.boolean().default(false),
          after: z.int().min(0).default(0),
        }),
      )
      .query(async ({ input }): Promise<{ letters: DeadLetter[] }> => {
        if (consumers.length === 0) return { letters: [] }
        const { rows } = await sql<DeadLetterRow>`
          select id, consumer, topic, partition, message_offset::text as offset, key, reason, attempts, dead_at as "deadAt",
                 redriven_at as "redrivenAt" ${input.showValue ? sql`, value` : sql``}
            from dead_letter where id > ${input.after} and (redriven_at is null or ${input.redriven})
           order by id limit ${LISTED_MAX}`.execute(database)
        const letters = rows.map((row) => ({
          ...row,
          deadAt: row.deadAt.toISOString(),
          redrivenAt: row.redrivenAt?.toISOString() ?? null,
        }))
        return { letters }
      }),

    /** Handles one dead letter again. Idempotent. */
    redrive: procedure
      .input(z.object({ id: z.int().min(1) }))
      .mutation(async ({ input: { id } }): Promise<Redriven> => {
        if (consumers.length === 0) return { outcome: 'not_found' }
        const { rows } = await sql<{ consumer: string }>`select consumer from dead_letter where id = ${id}`.execute(
          database,
        )
        const redriver = [...consumers, ...redrivers].find(({ name }) => name === rows[0]?.consumer)
        if (!redriver) return { outcome: 'not_found' }
        try {
          return { outcome: (await redriver.redrive(id)) ? 'redriven' : 'redriven_before' }
        } catch (error) {
          return { outcome: 'failed', reason: reasonOf(error) }
        }
      }),
  })
}

export type MessagingRouter = ReturnType<typeof createMessagingRouter>
