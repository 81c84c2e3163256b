// What the operator may ask and do about the events of one service: what waits to be told, what could not be handled. [F11, H11]
// Every service mounts it on its internal port beside its own procedures. Owns: the statements behind `outbox status` and
// `dead-letter list|redrive`. Does not own: how a letter is handed over again (consumer.ts).
import { initTRPC } from '@trpc/server'
import type { RpcContext } from '@paraph/service/rpc-mount'
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import { reasonOf, type Consumer } from './consumer.js'
import type { Relay } from './relay.js'

export interface WaitingTopic {
  topic: string
  unpublished: number
  /** Since the oldest of them happened; an expiry is told later than it happens. */
  oldestSeconds: number
}

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
  /** As it came, only where it was asked for: a stranger may have written it. */
  value?: string | null
}

export type Redriven =
  | { outcome: 'redriven' | 'redriven_before' | 'not_found' }
  /** The letter stays as it is. `reason` holds no personal data. */
  | { outcome: 'failed'; reason: string }

const { router, procedure } = initTRPC.context<RpcContext>().create()

const LISTED_MAX = 1_000

/**
 * @param relay of the service's outbox, where it has one
 * @param consumers of the service, where it has any
 */
export function createMessagingRouter<Tables>({
  database,
  relay,
  consumers = [],
}: {
  database: Kysely<Tables>
  relay?: Pick<Relay, 'tickAgeMs'>
  consumers?: readonly Consumer[]
}) {
  async function readWaiting(): Promise<WaitingTopic[]> {
    const { rows } = await sql<WaitingTopic>`
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
    /** What waits. `outbox` is null for a service that tells nothing, `deadLetters` for one that listens to nothing. */
    status: procedure.query(async () => ({
      outbox: relay ? { waiting: await readWaiting(), relayTickAgeMs: Math.round(relay.tickAgeMs()) } : null,
      consumers: await Promise.all(
        consumers.map(async (consumer) => ({
          name: consumer.name,
          sinceStart: consumer.counts(),
          partitions: consumer.progress(),
          // Of the whole group. Null: the bus does not say.
          backlog: (await consumer.backlog()) ?? null,
        })),
      ),
      deadLetters: consumers.length > 0 ? await countDead() : null,
    })),

    /** Dead letters by id, the oldest first. @param redriven also those that were redriven; @param after ids behind this one */
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
        const { rows } = await sql<
          Omit<DeadLetter, 'deadAt' | 'redrivenAt'> & { deadAt: Date; redrivenAt: Date | null }
        >`
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

    /** Hands one dead letter to its handler again. Done twice it has its effect once. */
    redrive: procedure
      .input(z.object({ id: z.int().min(1) }))
      .mutation(async ({ input: { id } }): Promise<Redriven> => {
        if (consumers.length === 0) return { outcome: 'not_found' }
        const { rows } = await sql<{ consumer: string }>`select consumer from dead_letter where id = ${id}`.execute(
          database,
        )
        const consumer = consumers.find(({ name }) => name === rows[0]?.consumer)
        if (!consumer) return { outcome: 'not_found' }
        try {
          return { outcome: (await consumer.redrive(id)) ? 'redriven' : 'redriven_before' }
        } catch (error) {
          return { outcome: 'failed', reason: reasonOf(error) }
        }
      }),
  })
}

export type MessagingRouter = ReturnType<typeof createMessagingRouter>
