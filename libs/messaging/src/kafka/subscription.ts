// One member of a consumer group on Kafka. [D50, F1, H9]
// kafkajs fetches messages and maintains the membership. Handlers run concurrently, so that a slow, failing or hanging one delays neither
// heartbeats nor other partitions. Commits offsets once a second, and before partitions can move to another member.
import type { Consumer, EachBatchPayload } from 'kafkajs'
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/background/back-off'
import { waitAtMost } from '@paraph/protocol/deadline'
import { pause } from '@paraph/background/wake-up'
import type { SubscribeOptions, Subscription } from '../event-bus.js'
import { SESSION_MS, type KafkaClient } from './client.js'
import { createCommitter } from './committer.js'
import { explainKafkaError, isCoordinatorLost } from './errors.js'
import { createHeldPartitions } from './held-partitions.js'
import { createLogPoller } from './log-poller.js'
import { createKafkaPositions } from './positions.js'

const COMMIT_EVERY_MS = 1_000
/** Without an answer for this long the bus counts as unavailable. Longer than the time limit of one request. */
const UNAVAILABLE_AFTER_MS = 20_000
/**
 * The limit for a member that sends no heartbeat, or fetches nothing of a partition that has messages, although the brokers answer. After
 * an outage kafkajs may wait without an end for a promise of its own, or leave partitions out of its fetches. The limit is longer than any
 * join, because a broker keeps the members waiting for REBALANCE_MS.
 */
const SILENT_MS_MAX = 60_000
/** Brokers without an answer for this long do not count as answering. Longer than two polls. */
const ANSWERING_MS = 5_000
/** Time limit for messages in progress before partitions move to other members. Less than SESSION_MS: no heartbeat is sent meanwhile. */
const HANDOVER_MS_MAX = 5_000
const LAST_COMMIT_MS_MAX = 2_000
/** Deadlines of the steps of a stop, from its start. The bus and the pools close afterwards; a service has 10 s in total. */
const STOP_BY_MS = { suspended: 3_000, committed: 3_750, left: 4_500, ended: 5_000 }
/** Time for each step of a stop while the brokers are unavailable. */
const UNAVAILABLE_STEP_MS_MAX = 500

export interface KafkaSubscriptionDeps extends SubscribeOptions {
  client: KafkaClient
  logger: Logger
  /** Called when the consumer has ended permanently. */
  onFatal: (error: Error) => void
}

/** Joins immediately and rejoins until `stop`; event-bus.ts states the guarantees. */
export function createKafkaSubscription(deps: KafkaSubscriptionDeps): Subscription {
  const { client, logger, onFatal, group, topics } = deps
  const stopping = new AbortController()
  const joined = Promise.withResolvers<void>()
  const positions = createKafkaPositions(client)
  const partitions = createHeldPartitions(deps)
  let consumer: Consumer | undefined
  let isMember = false
  let heartbeatAtMs = performance.now()
  /** The last time at which silence was no reason to replace the member. */
  let excusedAtMs = performance.now()
  /** The number of the current member: a replaced one has no effect any more. */
  let current = 0
  const { held } = partitions
  const committer = createCommitter(held)
  const poller = createLogPoller({ positions, group, topics, held, logger, signal: stopping.signal })

  /** Joins with a new member, and again with another one when that fails. */
  async function run(): Promise<void> {
    const mine = ++current
    for (let failures = 1; !stopping.signal.aborted && mine === current; failures++) {
      try {
        const missing = await positions.missing(topics)
        if (missing.length > 0) throw new MissingTopics(missing)
        return await join(mine)
      } catch (error) {
        if (mine !== current) return
        await consumer?.disconnect().catch(() => undefined)
        const explained = error instanceof MissingTopics ? error : explainKafkaError(error)
        // The first failure, then about once a minute.
        if (failures % 12 === 1)
          logger.warn({ err: explained, group }, 'consumer could not join its group; retrying with back-off')
      }
      await pause(backOffMs(failures, 100, 5_000, Math.random()), stopping.signal)
    }
  }

  async function join(mine: number): Promise<void> {
    const isCurrent = (): boolean => mine === current
    const member = (consumer = client.consumer({
      group,
      beforeJoin: async () => (isCurrent() ? handOver() : undefined),
    }))
    const { GROUP_JOIN, HEARTBEAT, CRASH, END_BATCH_PROCESS } = member.events
    member.on(GROUP_JOIN, ({ payload }) => isCurrent() && assign(member, payload.memberAssignment))
    member.on(HEARTBEAT, () => isCurrent() && beat())
    member.on(CRASH, ({ payload }) => isCurrent() && crashed(payload))
    member.on(END_BATCH_PROCESS, ({ payload }) => {
      if (payload.batchSize === 0 && isCurrent()) partitions.find(payload)?.skipTo(Number(payload.lastOffset) + 1)
    })
    await member.connect()
    await member.subscribe({ topics: [...topics], fromBeginning: true })
    if (stopping.signal.aborted || !isCurrent()) return member.disconnect()
    await member.run({
      autoCommit: false,
      eachBatch: async (payload) => (isCurrent() ? receive(member, payload) : undefined),
    })
  }

  /** Joins with a new member, without waiting for the old one: what keeps it silent may hold up its disconnect too. It fetches nothing more. */
  function replace(why: string): void {
    const old = consumer
    consumer = undefined
    isMember = false
    committer.use(undefined)
    void partitions.suspend()
    void old?.disconnect().catch(() => undefined)
    excusedAtMs = performance.now()
    logger.warn({ group }, why)
    running = run()
  }

  /** Runs before each join, because other members may hold the partitions afterwards. */
  async function handOver(): Promise<void> {
    const wasMember = isMember
    isMember = false
    await waitAtMost(HANDOVER_MS_MAX, partitions.suspend())
    if (wasMember) await waitAtMost(LAST_COMMIT_MS_MAX, committer.commitLast())
  }

  function assign(member: Consumer, assignment: Record<string, number[]>): void {
    partitions.assign(member, assignment)
    poller.beginGeneration()
    isMember = true
    beat()
    joined.resolve()
  }

  function receive(member: Consumer, { batch, commitOffsetsIfNecessary }: EachBatchPayload): void {
    committer.use(commitOffsetsIfNecessary)
    if (!stopping.signal.aborted) partitions.receive(member, batch)
  }

  function beat(): void {
    heartbeatAtMs = performance.now()
    if (isMember && !stopping.signal.aborted) partitions.resume()
  }

  function crashed({ error, restart }: { error: Error; restart: boolean }): void {
    isMember = false
    committer.use(undefined)
    void partitions.suspend()
    const explained = explainKafkaError(error)
    if (stopping.signal.aborted) return
    if (restart) logger.warn({ err: explained, group }, 'the Kafka consumer crashed; it restarts and rejoins its group')
    else if (isCoordinatorLost(error)) replace('the group had no coordinator for a while; a new member joins it')
    else onFatal(new Error(`The consumer of the group ${group} cannot go on. ${explained.message}`, { cause: error }))
  }

  async function commitRegularly(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause(COMMIT_EVERY_MS, stopping.signal)
      const nowMs = performance.now()
      // The group may have given the partitions to other members by now.
      if (nowMs - heartbeatAtMs > SESSION_MS) void partitions.suspend()
      if (nowMs - poller.answeredAtMs() > ANSWERING_MS) excusedAtMs = nowMs
      if (nowMs - excusedAtMs > SILENT_MS_MAX && nowMs - heartbeatAtMs > SILENT_MS_MAX)
        replace('the member of the group is silent although the brokers answer; a new one joins the group')
      else if (nowMs - excusedAtMs > SILENT_MS_MAX && [...held()].some((each) => each.isStarved(SILENT_MS_MAX)))
        replace('the member of the group fetches nothing of a partition that has messages; a new one joins the group')
      if (!isMember) continue
      await committer
        .commit()
        .catch((error: unknown) => logger.debug({ err: error, group }, 'could not commit offsets; retrying in 1 s'))
    }
  }

  const isUnavailable = (): boolean =>
    performance.now() - Math.max(poller.answeredAtMs(), heartbeatAtMs) > UNAVAILABLE_AFTER_MS

  let running = run()
  const loops = Promise.all([commitRegularly(), poller.running])

  return {
    joined: joined.promise,
    async stop(): Promise<void> {
      stopping.abort()
      joined.resolve()
      const beganAtMs = performance.now()
      const by = (ms: number, work: Promise<unknown>): Promise<void> =>
        waitAtMost(Math.min(beganAtMs + ms - performance.now(), isUnavailable() ? UNAVAILABLE_STEP_MS_MAX : ms), work)
      await waitAtMost(STOP_BY_MS.suspended, partitions.suspend())
      if (isMember) await by(STOP_BY_MS.committed, committer.commitLast())
      // Leaves the group, so that its partitions move now, not after SESSION_MS. kafkajs never finishes that while no broker answers.
      await by(STOP_BY_MS.left, Promise.all([consumer?.disconnect(), running]))
      await by(STOP_BY_MS.ended, Promise.all([positions.close(), loops]))
      isMember = false
      partitions.clear()
    },
    progress: () => (isUnavailable() ? [] : [...held()].map((partition) => partition.progress())),
  }
}

class MissingTopics extends Error {
  constructor(topics: readonly string[]) {
    super(`The brokers do not have, or do not show to this user: ${topics.join(', ')}. Run paraph topics apply.`)
  }
}
