// One member of a consumer group on the embedded bus. [D50]
// One connection reads, commits and holds the session locks of the partitions, so a member without its locks cannot commit.
// The first member takes every free partition; later ones stand by and take over the partitions of a dead one.
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/background/back-off'
import { waitAtMost } from '@paraph/background/deadline'
import { openDirectConnection, type DirectConnection } from '@paraph/database/direct-connection'
import type { ReceivedMessage, SubscribeOptions, Subscription } from '../event-bus.js'
import { createWakeUp, pause } from '@paraph/background/wake-up'

/** A poll costs one small statement. NOTIFY keeps the usual delay at a few ms. */
const POLL_MS = 500
const CLAIM_EVERY_MS = 1_000
const PRUNE_EVERY_MS = 600_000
const READ_LIMIT = 100
/** The bus and the pools close afterwards, and a service has 10 s for all of them. */
const STOP_MS_MAX = 5_000

interface HeldPartition {
  topic: string
  partition: number
  /** The next offset to handle. */
  position: number
  committed: number
  end: number
  movedAtMs: number
  work: Promise<void> | undefined
}

export interface PostgresSubscriptionDeps extends SubscribeOptions {
  url: string
  logger: Logger
}

/** Joins immediately and rejoins until `stop`; event-bus.ts states the promises. */
export function createPostgresSubscription({
  url,
  logger,
  group,
  topics,
  handle,
}: PostgresSubscriptionDeps): Subscription {
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  let held: HeldPartition[] = []
  let prunedAtMs = performance.now()
  let failures = 0
  const joined = Promise.withResolvers<void>()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const connection = await openDirectConnection(url, `paraph ${group}`, wakeUp.wake)
        await consumeOver(connection)
      } catch (error) {
        if (stopping.signal.aborted) break
        failures += 1
        if (failures === 1) logger.warn({ err: error, group }, 'bus unavailable; the consumer retries with back-off')
      }
      if (!stopping.signal.aborted) await pause(backOffMs(failures || 1, 100, 5_000, Math.random()), stopping.signal)
    }
    joined.resolve()
  }

  async function consumeOver(connection: DirectConnection): Promise<void> {
    const signal = AbortSignal.any([connection.closed, stopping.signal])
    let claimedAtMs = -Infinity
    let lost: unknown = new Error('The connection to the bus was lost.')
    try {
      await connection.query('listen paraph_bus')
      while (!signal.aborted) {
        if (performance.now() - claimedAtMs >= CLAIM_EVERY_MS) {
          await claim(connection)
          claimedAtMs = performance.now()
          joined.resolve()
        }
        await startWork(connection, signal, (error) => (lost = error))
        // The statements of work in hand may still fail.
        if (held.every(({ work }) => work === undefined)) recovered()
        await prune(connection)
        await wakeUp.wait(POLL_MS, signal)
      }
      if (!stopping.signal.aborted) throw lost
    } finally {
      // A partition must not be claimed again while its last messages are in hand here.
      await Promise.all(held.flatMap((partition) => partition.work ?? []))
      held = []
      await connection.close()
    }
  }

  function recovered(): void {
    if (failures > 0) logger.info({ group }, 'bus available again')
    failures = 0
  }

  /** Locks free partitions, then reads the group's positions there: in this order, because the last owner commits before it unlocks. */
  async function claim(connection: DirectConnection): Promise<void> {
    const mine = new Set(held.map(({ topic, partition }) => `${topic}/${partition}`))
    const rows = await connection.query<{ topic: string; partition: number; locked: boolean }>(
      `select topic, partition, pg_try_advisory_lock(hashtextextended($1 || '/' || topic || '/' || partition, 0)) as locked
       from bus.ends($2) where not (topic || '/' || partition) = any($3)`,
      [group, topics, [...mine]],
    )
    const taken = rows.filter((row) => row.locked)
    if (taken.length === 0) return
    const positions = await connection.query<{ topic: string; partition: number; next_offset: string | number }>(
      'select topic, partition, next_offset from bus.positions($1)',
      [group],
    )
    for (const { topic, partition } of taken) {
      const stored = positions.find((row) => row.topic === topic && row.partition === partition)
      const position = Number(stored?.next_offset ?? 0)
      held.push({
        topic,
        partition,
        position,
        committed: position,
        end: position,
        movedAtMs: performance.now(),
        work: undefined,
      })
    }
  }

  /** Starts work on every held partition with messages beyond its position. @param onLost called with the error of a failed statement */
  async function startWork(
    connection: DirectConnection,
    signal: AbortSignal,
    onLost: (error: unknown) => void,
  ): Promise<void> {
    const ends = await connection.query<{ topic: string; partition: number; end_offset: string | number }>(
      'select topic, partition, end_offset from bus.ends($1)',
      [topics],
    )
    for (const partition of held) {
      const row = ends.find((end) => end.topic === partition.topic && end.partition === partition.partition)
      const end = Number(row?.end_offset ?? 0)
      if (partition.position >= partition.end && end > partition.end) partition.movedAtMs = performance.now()
      partition.end = end
      if (partition.position >= end) partition.movedAtMs = performance.now()
      if (partition.position < end && !partition.work) {
        partition.work = drain(connection, partition, signal)
          // A failed statement has already closed the connection; run() logs it and rejoins.
          .catch(onLost)
          .finally(() => {
            partition.work = undefined
            wakeUp.wake()
          })
      }
    }
  }

  async function drain(connection: DirectConnection, partition: HeldPartition, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && partition.position < partition.end) {
      const rows = await connection.query<{
        message_offset: string | number
        key: string
        headers: Record<string, string>
        value: string | null
        published_at: Date
      }>('select * from bus.read($1, $2, $3, $4)', [
        partition.topic,
        partition.partition,
        partition.position,
        READ_LIMIT,
      ])
      // All messages up to the end are pruned.
      if (rows.length === 0) partition.position = partition.end
      const messages = rows.map((row) => ({
        topic: partition.topic,
        partition: partition.partition,
        offset: String(row.message_offset),
        key: row.key,
        headers: row.headers,
        value: row.value,
        publishedAt: row.published_at,
      }))
      const last = messages.at(-1)
      if (last && (await handleUntilDone(messages, signal))) {
        partition.position = Number(last.offset) + 1
        partition.movedAtMs = performance.now()
      }
      await commit(connection, partition)
    }
  }

  /** Calls the handler until it resolves. @returns false when the member stops or loses the partition first */
  async function handleUntilDone(messages: readonly ReceivedMessage[], signal: AbortSignal): Promise<boolean> {
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        await handle(messages, signal)
        return true
      } catch (error) {
        if (signal.aborted) return false
        logger.warn(
          { err: error, group, ...placeOf(messages) },
          'could not handle messages; the partition retries them',
        )
        await pause(backOffMs(tries, 100, 5_000, Math.random()), signal)
      }
    }
    return false
  }

  async function commit(connection: DirectConnection, partition: HeldPartition): Promise<void> {
    if (partition.position === partition.committed || connection.closed.aborted) return
    const { topic, partition: number, position } = partition
    await connection.query('select bus.commit($1, $2, $3, $4)', [group, topic, number, position])
    partition.committed = position
    recovered()
  }

  async function prune(connection: DirectConnection): Promise<void> {
    if (performance.now() - prunedAtMs < PRUNE_EVERY_MS) return
    const [row] = await connection.query<{ pruned: string | number }>('select bus.prune($1) as pruned', [topics])
    // More may be left: prune again in a second instead of ten minutes.
    prunedAtMs = performance.now() - (Number(row?.pruned) > 0 ? PRUNE_EVERY_MS - 1_000 : 0)
  }

  const running = run()
  return {
    joined: joined.promise,
    async stop(): Promise<void> {
      stopping.abort()
      await waitAtMost(STOP_MS_MAX, running)
    },
    progress: () =>
      held.map(({ topic, partition, position, end, movedAtMs }) => ({
        topic,
        partition,
        behind: position < end,
        unmovedMs: Math.round(performance.now() - movedAtMs),
      })),
  }
}

const placeOf = ([first]: readonly ReceivedMessage[]) =>
  first && { topic: first.topic, partition: first.partition, offset: first.offset }
