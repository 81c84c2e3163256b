// One member of a consumer group on Kafka. [D50, F1, H9]
// kafkajs fetches and keeps the membership; handlers run beside it, so that neither a slow nor a failing nor a frozen one holds up
// heartbeats or another partition. Positions are committed once a second, and before the partitions can go to somebody else.
import type { Consumer, EachBatchPayload, KafkaMessage } from 'kafkajs'
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/service/back-off'
import { waitAtMost } from '@paraph/service/deadline'
import { createWakeUp, pause } from '@paraph/service/wake-up'
import type { ReceivedMessage, SubscribeOptions, Subscription } from './event-bus.js'
import { SESSION_MS, type KafkaClient } from './kafka-client.js'
import { explainKafkaFault } from './kafka-fault.js'
import { createKafkaPartition, type KafkaPartition } from './kafka-partition.js'
import { createKafkaPositions } from './kafka-positions.js'

const COMMIT_EVERY_MS = 1_000
const LOOK_EVERY_MS = 2_000
/** One look may miss a broker that changes; more in a row are worth a line in the log. */
const LOOKS_MISSED_TOLD = 2
/** Without an answer for so long the bus is away. Longer than one request that gets none takes. */
const AWAY_AFTER_MS = 20_000
/** What is in hand may take so long to end before its partition can be given to another member. Less than SESSION_MS, for nobody sends heartbeats meanwhile. */
const HANDOVER_MS_MAX = 5_000
const LAST_COMMIT_MS_MAX = 2_000
/** A stop may have taken so long when each of its steps ends. The bus and the pools are closed after it, and a service has 10 s for all. */
const STOP_BY_MS = { held: 3_000, committed: 3_750, left: 4_500, ended: 5_000 }
/** What a broker that is away is given to come back during a stop. */
const AWAY_MS_MAX = 500

/** Joins at once and goes on joining until `stop`; what it promises is in event-bus.ts. */
export function createKafkaSubscription({
  client,
  logger,
  onFatal,
  group,
  topics,
  handle,
}: SubscribeOptions & { client: KafkaClient; logger: Logger; onFatal: (error: Error) => void }): Subscription {
  const stopping = new AbortController()
  const joined = Promise.withResolvers<void>()
  const positions = createKafkaPositions(client)
  /** Every partition that was ever held here, so that no second holding begins while the first has something in hand. */
  const known = new Map<string, KafkaPartition>()
  let held = new Set<KafkaPartition>()
  let consumer: Consumer | undefined
  let isMember = false
  let heartbeatAtMs = performance.now()
  let answeredAtMs = -Infinity
  let committing: Promise<void> | undefined
  /** One try to commit, under the generation of the call. `consumer.commitOffsets` goes on trying under the next ones. */
  let commitNow: EachBatchPayload['commitOffsetsIfNecessary'] | undefined
  /** Counts joins; what was asked in one is not true in the next. */
  let generation = 0
  let placedIn = generation
  const lookSoon = createWakeUp()

  async function run(): Promise<void> {
    for (let failures = 1; !stopping.signal.aborted; failures++) {
      try {
        const missing = await positions.missing(topics)
        if (missing.length > 0) throw new MissingTopics(missing)
        return await join()
      } catch (error) {
        await consumer?.disconnect().catch(() => undefined)
        const explained = error instanceof MissingTopics ? error : explainKafkaFault(error)
        // Once, and then about each minute: an outage is not told line by line.
        if (failures % 12 === 1) logger.warn({ err: explained, group }, 'the consumer cannot join; it tries again')
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

  /** Before each join: the partitions may belong to somebody else after it. */
  async function handOver(): Promise<void> {
    const wasMember = isMember
    isMember = false
    await waitAtMost(HANDOVER_MS_MAX, holdAll())
    if (wasMember) await waitAtMost(LAST_COMMIT_MS_MAX, commitLast())
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
    generation += 1
    lookSoon.wake()
    isMember = true
    heartbeatAtMs = performance.now()
    // A pause outlives a join in kafkajs.
    for (const partition of held) if (!partition.isFull()) resume(member, partition)
    if (!stopping.signal.aborted) for (const partition of held) partition.goOn()
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
        onRoom: () => found && resume(member, found),
      })
      known.set(key, found)
    }
    return found
  }

  function receive(member: Consumer, { batch, commitOffsetsIfNecessary }: EachBatchPayload): void {
    commitNow = commitOffsetsIfNecessary
    const partition = known.get(keyOf(batch))
    if (!partition || !held.has(partition) || stopping.signal.aborted) return
    const messages = batch.messages.map((message) => toMessage(batch.topic, batch.partition, message))
    const hasRoom = partition.take(messages, Number(batch.highWatermark))
    if (!hasRoom) member.pause([{ topic: batch.topic, partitions: [batch.partition] }])
  }

  function beat(): void {
    heartbeatAtMs = performance.now()
    if (isMember && !stopping.signal.aborted) for (const partition of held) partition.goOn()
  }

  function crashed({ error, restart }: { error: Error; restart: boolean }): void {
    isMember = false
    commitNow = undefined
    void holdAll()
    const explained = explainKafkaFault(error)
    if (stopping.signal.aborted) return
    if (restart) logger.warn({ err: explained, group }, 'the consumer lost its group; it joins again')
    else onFatal(new Error(`The consumer of the group ${group} cannot go on. ${explained.message}`, { cause: error }))
  }

  async function holdAll(): Promise<void> {
    await Promise.all([...held].map((partition) => partition.hold()))
  }

  async function commit(): Promise<void> {
    await (committing ??= commitOnce().finally(() => (committing = undefined)))
  }

  /** A commit under way may have begun before the last message was handled. */
  async function commitLast(): Promise<void> {
    await committing?.catch(() => undefined)
    await commit()
  }

  async function commitOnce(): Promise<void> {
    const moved = [...held].flatMap((partition) => {
      const offset = partition.uncommitted()
      return offset === undefined ? [] : [{ partition, offset }]
    })
    // Nothing has moved before the first batch.
    if (moved.length === 0 || !commitNow) return
    const byTopic = Map.groupBy(moved, ({ partition }) => partition.topic)
    await commitNow({
      topics: [...byTopic].map(([topic, ofTopic]) => ({
        topic,
        partitions: ofTopic.map(({ partition: { partition }, offset }) => ({ partition, offset: String(offset) })),
      })),
    })
    for (const { partition, offset } of moved) partition.committed(offset)
  }

  async function commitRegularly(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(COMMIT_EVERY_MS, stopping.signal)
      // By now the group may have given its partitions to others.
      if (performance.now() - heartbeatAtMs > SESSION_MS) void holdAll()
      if (!isMember) continue
      await commit().catch((error: unknown) => logger.debug({ err: error, group }, 'positions were not committed'))
    }
  }

  /** The ends are asked over another connection: a consumer that is given nothing any more must not look caught up. [H9] */
  async function lookRegularly(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      await lookSoon.wait(LOOK_EVERY_MS, stopping.signal)
      if (stopping.signal.aborted || held.size === 0) continue
      try {
        await look()
        answeredAtMs = performance.now()
        if (failures >= LOOKS_MISSED_TOLD) logger.info({ group }, 'the brokers answer again')
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === LOOKS_MISSED_TOLD)
          logger.warn({ err: explainKafkaFault(error), group }, 'the consumer waits for the brokers')
      }
    }
  }

  async function look(): Promise<void> {
    const mine = generation
    const asked = [...held].map((partition) => ({ partition, mark: partition.mark() }))
    if (placedIn !== mine) {
      const stored = await positions.stored(group, topics)
      if (mine !== generation) return
      for (const { partition, mark } of asked) partition.place(stored.get(keyOf(partition)), mark)
      placedIn = mine
    }
    const ends = new Map((await positions.ends(topics)).map((each) => [keyOf(each), each]))
    if (mine !== generation) return
    for (const { partition, mark } of asked) {
      const found = ends.get(keyOf(partition))
      if (found) partition.look(found, mark)
    }
  }

  const isAway = (): boolean => performance.now() - Math.max(answeredAtMs, heartbeatAtMs) > AWAY_AFTER_MS

  const running = run()
  const loops = Promise.all([commitRegularly(), lookRegularly()])

  return {
    joined: joined.promise,
    async stop(): Promise<void> {
      stopping.abort()
      joined.resolve()
      const beganAtMs = performance.now()
      const by = (ms: number, work: Promise<unknown>): Promise<void> =>
        waitAtMost(Math.min(beganAtMs + ms - performance.now(), isAway() ? AWAY_MS_MAX : ms), work)
      await waitAtMost(STOP_BY_MS.held, holdAll())
      if (isMember) await by(STOP_BY_MS.committed, commitLast())
      // Leaves the group: the others get the partitions now, not after SESSION_MS. While Kafka is away kafkajs never ends that.
      const left = (consumer?.disconnect() ?? Promise.resolve()).then(() => running)
      await by(STOP_BY_MS.left, left)
      const closed = positions.close().then(() => loops)
      await by(STOP_BY_MS.ended, closed)
      isMember = false
      held.clear()
    },
    progress: () => (isAway() ? [] : [...held].map((partition) => partition.progress())),
  }
}

const keyOf = ({ topic, partition }: { topic: string; partition: number }): string => `${topic}/${partition}`

class MissingTopics extends Error {
  constructor(topics: readonly string[]) {
    super(`The brokers do not have, or do not show to this user: ${topics.join(', ')}. Run paraph topics apply.`)
  }
}

function resume(member: Consumer, { topic, partition }: KafkaPartition): void {
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
