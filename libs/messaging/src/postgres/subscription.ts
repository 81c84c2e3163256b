// One member of a consumer group on the embedded bus. [D50]
// One connection reads, commits and holds the session locks of the partitions, so a member without its locks cannot commit.
// Members share the partitions of each topic (../members.ts). One that owns more than its share finishes a batch, commits, then gives back.
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/background/back-off'
import { waitAtMost } from '@paraph/protocol/deadline'
import { openDirectConnection, type DirectConnection } from '@paraph/database/direct-connection'
import { createWakeUp, pause, pollPauseMs } from '@paraph/background/wake-up'
import { keyOf } from '../event-bus.js'
import type { Place, ReceivedMessage, SubscribeOptions, Subscription } from '../event-bus.js'
import { handleUntilDone } from '../handle-until-done.js'
import { SHARE_EVERY_MS, shareOf } from '../members.js'
import { BUS_CHANNEL, GIVEN_BACK, giveBack, progressOf, takePartitions, type HeldPartition } from './partitions.js'

const PRUNE_EVERY_MS = 600_000
const READ_LIMIT = 100
/** Time limit of a stop. The bus and the pools close afterwards, and a service has 10 s for everything. */
const STOP_MS_MAX = 5_000

export interface PostgresSubscriptionDeps extends SubscribeOptions {
  url: string
  logger: Logger
}

/** Joins immediately and rejoins until `stop`; event-bus.ts states the guarantees. */
export function createPostgresSubscription(deps: PostgresSubscriptionDeps): Subscription {
  const { url, logger, group, topics } = deps
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  const joined = Promise.withResolvers<void>()
  let held: HeldPartition[] = []
  let sharedAtMs = -Infinity
  let prunedAtMs = performance.now()
  let busyAtMs = performance.now()
  let failures = 0

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const connection = await openDirectConnection(url, `paraph ${group}`, (payload) => {
          if (payload === GIVEN_BACK) sharedAtMs = -Infinity
          if (payload === GIVEN_BACK || topics.includes(payload)) wakeUp.wake()
        })
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
    sharedAtMs = -Infinity
    let lost: unknown = new Error('The connection to the bus was lost.')
    try {
      await connection.query(`listen ${BUS_CHANNEL}`)
      while (!signal.aborted) {
        const ends = await readEnds(connection, topics)
        if (performance.now() - sharedAtMs >= SHARE_EVERY_MS) {
          sharedAtMs = performance.now()
          await share(connection, ends)
          joined.resolve()
        }
        await giveBackLeft(connection)
        startWork(connection, ends, signal, (error) => (lost = error))
        // The statements of work in progress may still fail.
        if (held.every(({ work }) => work === undefined)) recovered()
        await prune(connection)
        // NOTIFY keeps the usual delay at a few ms.
        if (await wakeUp.wait(pollPauseMs(performance.now() - busyAtMs), signal)) busyAtMs = performance.now()
      }
      if (!stopping.signal.aborted) throw lost
    } finally {
      // A partition must not be claimed again while its last messages are in progress here.
      await Promise.all(held.flatMap((partition) => partition.work ?? []))
      held = []
      await connection.close()
    }
  }

  function recovered(): void {
    if (failures > 0) logger.info({ group }, 'bus available again')
    failures = 0
  }

  /** Of each topic: takes free partitions up to this member's share, or marks those beyond it. */
  async function share(connection: DirectConnection, ends: readonly PartitionEnd[]): Promise<void> {
    const quota = await shareOf(connection, ends.length / topics.length)
    for (const topic of topics) {
      const own = held.filter((partition) => partition.topic === topic)
      for (const [index, partition] of own.entries()) partition.isLeaving = index >= quota
      if (own.length >= quota) continue
      const free = ends.filter(
        (end) => end.topic === topic && !own.some(({ partition }) => partition === end.partition),
      )
      const numbers = free.map(({ partition }) => partition)
      held.push(...(await takePartitions(connection, group, topic, numbers, quota - own.length)))
    }
  }

  async function giveBackLeft(connection: DirectConnection): Promise<void> {
    for (const partition of held.filter(({ isLeaving, work }) => isLeaving && !work)) {
      held = held.filter((each) => each !== partition)
      await giveBack(connection, group, partition)
    }
  }

  /** Starts work on every held partition with messages beyond its position. @param onLost called with the error of a failed statement */
  function startWork(
    connection: DirectConnection,
    ends: readonly PartitionEnd[],
    signal: AbortSignal,
    onLost: (error: unknown) => void,
  ): void {
    const endOf = new Map(ends.map((row) => [keyOf(row), row.end]))
    for (const partition of held) {
      const end = endOf.get(keyOf(partition)) ?? 0
      const hadNone = partition.position >= partition.end
      if ((hadNone && end > partition.end) || partition.position >= end) partition.movedAtMs = performance.now()
      partition.end = end
      if (partition.position < end && !partition.work && !partition.isLeaving) {
        partition.work = drain(connection, partition, signal)
          // A failed statement has already closed the connection; run() logs it and rejoins.
          .catch(onLost)
          .finally(() => {
            partition.work = undefined
            // New messages wake the loop by NOTIFY.
            if (partition.isLeaving) wakeUp.wake()
          })
      }
    }
  }

  async function drain(connection: DirectConnection, partition: HeldPartition, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !partition.isLeaving && partition.position < partition.end) {
      const messages = await readMessages(connection, partition)
      const last = messages.at(-1)
      // The bus has pruned all messages up to the end.
      if (!last) partition.position = partition.end
      else if (await handleUntilDone(deps, messages, signal)) {
        partition.position = Number(last.offset) + 1
        partition.movedAtMs = performance.now()
      }
      await commit(connection, partition)
    }
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
    progress: () => held.map(progressOf),
  }
}

/** The end of one partition: the offset of the next message. */
interface PartitionEnd extends Place {
  end: number
}

const readEnds = (connection: DirectConnection, topics: readonly string[]): Promise<PartitionEnd[]> =>
  connection.query<PartitionEnd>('select topic, partition, end_offset::float8 as end from bus.ends($1)', [topics])

async function readMessages(connection: DirectConnection, { topic, partition, position }: HeldPartition) {
  const rows = await connection.query<Omit<ReceivedMessage, keyof Place>>(
    `select message_offset::text as offset, key, headers, value, published_at as "publishedAt" from bus.read($1, $2, $3, $4)`,
    [topic, partition, position, READ_LIMIT],
  )
  return rows.map((row): ReceivedMessage => ({ topic, partition, ...row }))
}
