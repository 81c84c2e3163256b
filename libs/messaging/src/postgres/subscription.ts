// One member of a consumer group on the embedded bus. [D50]
// One connection reads, commits and holds the partitions' session locks, so a member that lost its locks cannot commit either.
// The first member takes every free partition; later ones stand by and take over what a dead one leaves.
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/service/back-off'
import { waitAtMost } from '@paraph/service/deadline'
import { openDirectConnection, type DirectConnection } from '@paraph/database/direct-connection'
import type { ReceivedMessage, SubscribeOptions, Subscription } from './event-bus.js'
import { createWakeUp, pause } from '@paraph/service/wake-up'

/** A look without a NOTIFY costs one small statement; NOTIFY makes the usual delay a few ms. */
const POLL_MS = 500
const CLAIM_EVERY_MS = 1_000
const PRUNE_EVERY_MS = 600_000
const READ_LIMIT = 100
/** A database that does not answer is not waited for: the bus and the pools are closed after this, and a service has 10 s for all. */
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

/** Joins at once and goes on joining until `stop`; what it promises is in event-bus.ts. */
export function createPostgresSubscription({
  url,
  logger,
  group,
  topics,
  handle,
}: SubscribeOptions & { url: string; logger: Logger }): Subscription {
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
        if (failures === 1) logger.warn({ err: error, group }, 'the bus is not reachable; the consumer tries again')
      }
      if (!stopping.signal.aborted) await pause(backOffMs(failures || 1, 100, 5_000, Math.random()), stopping.signal)
    }
    joined.resolve()
  }

  async function consumeOver(connection: DirectConnection): Promise<void> {
    const signal = AbortSignal.any([connection.gone, stopping.signal])
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
        await look(connection, signal, (error) => (lost = error))
        // While something is in hand, its own statements may still fail.
        if (held.every(({ work }) => work === undefined)) recovered()
        await prune(connection)
        await wakeUp.wait(POLL_MS, signal)
      }
      if (!stopping.signal.aborted) throw lost
    } finally {
      // No partition may be claimed again while its last message is still in hand here.
      await Promise.all(held.flatMap((partition) => partition.work ?? []))
      held = []
      await connection.close()
    }
  }

  function recovered(): void {
    if (failures > 0) logger.info({ group }, 'the bus is reachable again')
    failures = 0
  }

  /** Takes the locks of free partitions, then reads where the group stands there: in this order, for the last owner commits first. */
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
      const known = positions.find((row) => row.topic === topic && row.partition === partition)
      const position = Number(known?.next_offset ?? 0)
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

  /** Starts work on every held partition that has messages beyond its position. @param onLost is told which statement failed */
  async function look(
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
          // A failed statement has already ended the connection; run() reports it and joins again.
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
      // Everything up to the end was pruned.
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

  /** Hands messages over until their handler resolves. False when the member stops or lost the partition before that. */
  async function handleUntilDone(messages: readonly ReceivedMessage[], signal: AbortSignal): Promise<boolean> {
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        await handle(messages, signal)
        return true
      } catch (error) {
        if (signal.aborted) return false
        logger.warn({ err: error, group, ...placeOf(messages) }, 'messages were not handled; they come again')
        await pause(backOffMs(tries, 100, 5_000, Math.random()), signal)
      }
    }
    return false
  }

  async function commit(connection: DirectConnection, partition: HeldPartition): Promise<void> {
    if (partition.position === partition.committed || connection.gone.aborted) return
    const { topic, partition: number, position } = partition
    await connection.query('select bus.commit($1, $2, $3, $4)', [group, topic, number, position])
    partition.committed = position
    recovered()
  }

  async function prune(connection: DirectConnection): Promise<void> {
    if (performance.now() - prunedAtMs < PRUNE_EVERY_MS) return
    const [row] = await connection.query<{ pruned: string | number }>('select bus.prune($1) as pruned', [topics])
    // Something was left: look again in a second rather than in ten minutes.
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
