// One member of a consumer group on Kafka. [D50, F1, H9]
// kafkajs fetches and keeps the membership. Handlers run beside it, so that a slow, failing or hanging one delays neither
// heartbeats nor other partitions. Positions are committed once a second, and before partitions can move to another member.
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/background/back-off'
import { waitAtMost } from '@paraph/background/deadline'
import { pause } from '@paraph/background/wake-up'
import type { ReceivedMessage, SubscribeOptions, Subscription } from '../event-bus.js'
import { SESSION_MS, type KafkaClient } from './client.js'
import { createCommitter } from './committer.js'
import { explainKafkaError } from './errors.js'
import { createLogPoller } from './log-poller.js'
import { createKafkaPartition, keyOf, type KafkaPartition } from './partition.js'
import { createKafkaPositions } from './positions.js'

const COMMIT_EVERY_MS = 1_000
/** Without an answer for this long the bus counts as unavailable. Longer than the time limit of one request. */
const UNAVAILABLE_AFTER_MS = 20_000
/** Time for messages in hand before their partition can move to another member. Less than SESSION_MS: meanwhile no heartbeat is sent. */
const HANDOVER_MS_MAX = 5_000
const LAST_COMMIT_MS_MAX = 2_000
/** Time since the start of a stop by which each of its steps ends. The bus and the pools close afterwards; a service has 10 s for all. */
const STOP_BY_MS = { suspended: 3_000, committed: 3_750, left: 4_500, ended: 5_000 }
/** Time for each step of a stop while the brokers are unavailable. */
const UNAVAILABLE_STEP_MS_MAX = 500

export interface KafkaSubscriptionDeps extends SubscribeOptions {
  client: KafkaClient
  logger: Logger
  /** Called when the consumer has ended for good. */
  onFatal: (error: Error) => void
}

/** Joins immediately and rejoins until `stop`; event-bus.ts states the promises. */
export function createKafkaSubscription({
  client,
  logger,
  onFatal,
  group,
  topics,
  handle,
}: KafkaSubscriptionDeps): Subscription {
  const stopping = new AbortController()
  const joined = Promise.withResolvers<void>()
  const positions = createKafkaPositions(client)
  /** Every partition ever held here: a second holding must not start while the first has messages in hand. */
  const known = new Map<string, KafkaPartition>()
  let held = new Set<KafkaPartition>()
  let consumer: Consumer | undefined
  let isMember = false
  let heartbeatAtMs = performance.now()
  const committer = createCommitter(() => held)
  const poller = createLogPoller({ positions, group, topics, held: () => held, logger, signal: stopping.signal })

  async function run(): Promise<void> {
    for (let failures = 1; !stopping.signal.aborted; failures++) {
      try {
        const missing = await positions.missing(topics)
        if (missing.length > 0) throw new MissingTopics(missing)
        return await join()
      } catch (error) {
        await consumer?.disconnect().catch(() => undefined)
        const explained = error instanceof MissingTopics ? error : explainKafkaError(error)
        // The first failure, then about once a minute.
        if (failures % 12 === 1)
          logger.warn({ err: explained, group }, 'consumer could not join its group; retrying with back-off')
      }
      await pause(backOffMs(failures, 100, 5_000, Math.random()), stopping.signal)
    }
  }

  async function join(): Promise<void> {
    const member = (consumer = client.consumer({ group, beforeJoin: handOver }))
    const { GROUP_JOIN, HEARTBEAT, CRASH, END_BATCH_PROCESS } = member.events
    member.on(GROUP_JOIN, ({ payload }) => assign(member, payload.memberAssignment))
    member.on(HEARTBEAT, beat)
    member.on(CRASH, ({ payload }) => crashed(payload))
    member.on(END_BATCH_PROCESS, ({ payload: { topic, partition, batchSize, lastOffset } }) => {
      if (batchSize === 0) known.get(keyOf({ topic, partition }))?.skipTo(Number(lastOffset) + 1)
    })
    await member.connect()
    await member.subscribe({ topics: [...topics], fromBeginning: true })
    if (stopping.signal.aborted) return member.disconnect()
    await member.run({ autoCommit: false, eachBatch: async (payload) => receive(member, payload) })
  }

  /** Runs before each join, after which other members may hold the partitions. */
  async function handOver(): Promise<void> {
    const wasMember = isMember
    isMember = false
    await waitAtMost(HANDOVER_MS_MAX, suspendAll())
    if (wasMember) await waitAtMost(LAST_COMMIT_MS_MAX, committer.commitLast())
  }

  function assign(member: Consumer, assignment: Record<string, number[]>): void {
    const before = held
    held = new Set(
      Object.entries(assignment).flatMap(([topic, numbers]) =>
        numbers.map((number) => partitionOf(member, topic, number)),
      ),
    )
    for (const partition of before) if (!held.has(partition)) partition.lose()
    for (const partition of held) partition.keep()
    poller.beginGeneration()
    isMember = true
    heartbeatAtMs = performance.now()
    // In kafkajs a pause of fetching outlasts a join.
    for (const partition of held) if (!partition.isFull()) resumeFetching(member, partition)
    if (!stopping.signal.aborted) for (const partition of held) partition.resume()
    joined.resolve()
  }

  function partitionOf(member: Consumer, topic: string, partition: number): KafkaPartition {
    const key = keyOf({ topic, partition })
    let found = known.get(key)
    if (!found) {
      found = createKafkaPartition({
        topic,
        partition,
        handle,
        logger: logger.child({ group }),
        onRoom: () => found && resumeFetching(member, found),
      })
      known.set(key, found)
    }
    return found
  }

  function receive(member: Consumer, { batch, commitOffsetsIfNecessary }: EachBatchPayload): void {
    committer.use(commitOffsetsIfNecessary)
    const partition = known.get(keyOf(batch))
    if (!partition || !held.has(partition) || stopping.signal.aborted) return
    const messages = batch.messages.map((message) => toMessage(batch.topic, batch.partition, message))
    const hasRoom = partition.add(messages, Number(batch.highWatermark))
    if (!hasRoom) member.pause([{ topic: batch.topic, partitions: [batch.partition] }])
  }

  function beat(): void {
    heartbeatAtMs = performance.now()
    if (isMember && !stopping.signal.aborted) for (const partition of held) partition.resume()
  }

  function crashed({ error, restart }: { error: Error; restart: boolean }): void {
    isMember = false
    committer.use(undefined)
    void suspendAll()
    const explained = explainKafkaError(error)
    if (stopping.signal.aborted) return
    if (restart) logger.warn({ err: explained, group }, 'consumer lost its group; rejoining')
    else onFatal(new Error(`The consumer of the group ${group} cannot go on. ${explained.message}`, { cause: error }))
  }

  async function suspendAll(): Promise<void> {
    await Promise.all([...held].map((partition) => partition.suspend()))
  }

  async function commitRegularly(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(COMMIT_EVERY_MS, stopping.signal)
      // The group may have given the partitions to other members by now.
      if (performance.now() - heartbeatAtMs > SESSION_MS) void suspendAll()
      if (!isMember) continue
      await committer
        .commit()
        .catch((error: unknown) => logger.debug({ err: error, group }, 'could not commit positions; retrying in 1 s'))
    }
  }

  const isUnavailable = (): boolean =>
    performance.now() - Math.max(poller.answeredAtMs(), heartbeatAtMs) > UNAVAILABLE_AFTER_MS

  const running = run()
  const loops = Promise.all([commitRegularly(), poller.running])

  return {
    joined: joined.promise,
    async stop(): Promise<void> {
      stopping.abort()
      joined.resolve()
      const beganAtMs = performance.now()
      const by = (ms: number, work: Promise<unknown>): Promise<void> =>
        waitAtMost(Math.min(beganAtMs + ms - performance.now(), isUnavailable() ? UNAVAILABLE_STEP_MS_MAX : ms), work)
      await waitAtMost(STOP_BY_MS.suspended, suspendAll())
      if (isMember) await by(STOP_BY_MS.committed, committer.commitLast())
      // Leaving hands the partitions over now, not after SESSION_MS. While the brokers are unavailable kafkajs never finishes it.
      await by(
        STOP_BY_MS.left,
        (consumer?.disconnect() ?? Promise.resolve()).then(() => running),
      )
      await by(
        STOP_BY_MS.ended,
        positions.close().then(() => loops),
      )
      isMember = false
      held.clear()
    },
    progress: () => (isUnavailable() ? [] : [...held].map((partition) => partition.progress())),
  }
}

class MissingTopics extends Error {
  constructor(topics: readonly string[]) {
    super(`The brokers do not have, or do not show to this user: ${topics.join(', ')}. Run paraph topics apply.`)
  }
}

function resumeFetching(member: Consumer, { topic, partition }: KafkaPartition): void {
  try {
    member.resume([{ topic, partitions: [partition] }])
  } catch {
    // Between a crash and the next start there is nothing to resume.
  }
}

function toMessage(topic: string, partition: number, message: KafkaMessage): ReceivedMessage {
  const headers = Object.entries(message.headers ?? {}).flatMap(([name, value]) => {
    const last = Array.isArray(value) ? value.at(-1) : value
    return last === undefined ? [] : [[name, last.toString()]]
  })
  return {
    topic,
    partition,
    offset: message.offset,
    key: message.key?.toString() ?? '',
    headers: Object.fromEntries(headers) as Record<string, string>,
    value: message.value?.toString() ?? null,
    publishedAt: new Date(Number(message.timestamp)),
  }
}
