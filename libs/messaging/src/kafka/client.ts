// The only importer of kafkajs: connections to a Kafka cluster. [D50]
// Owns: the options of every client, and which log entries of kafkajs reach ours. Does not own: publishing, receiving, retrying.
// Every retry option is explicit, because kafkajs has other defaults where NODE_ENV is `test`.
import { createRequire } from 'node:module'
import {
  Kafka,
  logLevel,
  PartitionAssigners,
  Partitioners,
  type Admin,
  type Consumer,
  type LogEntry,
  type PartitionAssigner,
  type Producer,
  type SASLOptions,
} from 'kafkajs'
import type { Logger } from '@paraph/telemetry/logger'

export interface KafkaConnection {
  /** `host:port` of some brokers, from which the client learns the others. */
  brokers: string[]
  clientId: string
  /** Enables TLS. Without `caPem`, the client trusts Node's CAs; `certPem` and `keyPem` are the client certificate. */
  tls?: { caPem?: string | undefined; certPem?: string | undefined; keyPem?: string | undefined } | undefined
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | undefined
}

/**
 * Time without a heartbeat after which the group gives a member's partitions to others. kafkajs sends a heartbeat between two fetches
 * and waits for the answer: with five extra seconds per request, one arrives every ten seconds. [F2]
 */
export const SESSION_MS = 15_000
const REBALANCE_MS = 20_000
const HEARTBEAT_MS = 1_000
/** Longest wait of a fetch for a message, and so of a stop for the fetch. */
const FETCH_WAIT_MS = 200
/** Tolerates brokers that are five seconds late: a repeated request with a shorter limit would never succeed. [F2] */
const REQUEST_MS = 15_000

const BOUNDED = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, factor: 0.2, multiplier: 2 }
/** Consumers retry forever: one that gives up loses its member id, and the group then waits SESSION_MS for the old member. */
const FOREVER = { ...BOUNDED, retries: 1e6 }
/**
 * A send has one attempt. In a second one, kafkajs would skip every broker that answered the first one, and report the whole batch as
 * stored. But such a broker may now lead a partition that another broker refused. kafkajs refuses 0 for an idempotent producer; NaN has the
 * same effect. [F2]
 */
const NEVER = Number.NaN

/** Creates clients without connecting them. */
export function createKafkaClient(connection: KafkaConnection, logger: Logger) {
  patchKafkajs()
  const { brokers, clientId, tls, sasl } = connection
  const base = {
    brokers,
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: REQUEST_MS,
    enforceRequestTimeout: true,
    ...(tls ? { ssl: { ca: tls.caPem, cert: tls.certPem, key: tls.keyPem } } : {}),
    // kafkajs has one type for each mechanism.
    ...(sasl ? { sasl: sasl as SASLOptions } : {}),
    logLevel: logLevel.INFO,
    logCreator: () => (entry: LogEntry) => forwardLog(entry, logger),
  }
  const bounded = new Kafka({ ...base, retry: BOUNDED })

  return {
    /** An idempotent producer. Connect it before use. */
    producer: (): Producer =>
      bounded.producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        // Java's partitioner: a key has the same partition for every producer.
        createPartitioner: Partitioners.DefaultPartitioner,
        retry: { ...BOUNDED, retries: NEVER },
      }),
    admin: (): Admin => bounded.admin({ retry: BOUNDED }),
    /**
     * A member of `group` that survives any outage.
     * @param beforeJoin awaited before every join of the group, including the first. Must not reject
     */
    consumer({ group, beforeJoin }: { group: string; beforeJoin: () => Promise<void> }): Consumer {
      // A separate Kafka instance: some retries of a consumer are options of the instance, some of the consumer.
      return new Kafka({ ...base, retry: FOREVER }).consumer({
        groupId: group,
        sessionTimeout: SESSION_MS,
        rebalanceTimeout: REBALANCE_MS,
        heartbeatInterval: HEARTBEAT_MS,
        maxWaitTimeInMs: FETCH_WAIT_MS,
        maxBytesPerPartition: 262_144,
        allowAutoTopicCreation: false,
        partitionAssigners: [withBeforeJoin(beforeJoin)],
        retry: FOREVER,
      })
    },
  }
}

export type KafkaClient = ReturnType<typeof createKafkaClient>

/** kafkajs has no hook before a rejoin. But a join begins with findGroupCoordinator, a method of the cluster that an assigner receives. */
function withBeforeJoin(beforeJoin: () => Promise<void>): PartitionAssigner {
  return (config) => {
    const { cluster } = config
    const find = cluster.findGroupCoordinator.bind(cluster)
    cluster.findGroupCoordinator = async (group) => {
      await beforeJoin()
      return find(group)
    }
    return PartitionAssigners.roundRobin(config)
  }
}

/**
 * kafkajs logs every step of a reconnection as an error, hundreds in an outage of 20 s, and may pass whole error objects. The entries
 * become debug lines, except those that report skipped data. The bus itself logs what an operator must know.
 */
function forwardLog({ namespace, level, log }: LogEntry, logger: Logger): void {
  const { message, groupId, topic, partition, broker } = log
  const fields = { kafkajs: namespace, groupId, topic, partition, broker }
  const text = String(message)
  if (level === logLevel.ERROR && text.startsWith('Offset out of range')) logger.warn(fields, text)
  else logger.debug(fields, text)
}

const kafkajs = createRequire(import.meta.url)
let isPatched = false

/** Corrects two faults of kafkajs 2.2.4, once in a process. */
function patchKafkajs(): void {
  if (isPatched) return
  isPatched = true
  silenceIdleTimers()
  repeatFailedJoins()
}

/** kafkajs sets a timer with a negative delay every millisecond on each idle connection, and Node warns of it. Only waiting requests need it. */
function silenceIdleTimers(): void {
  const { prototype } = kafkajs('kafkajs/src/network/requestQueue/index.js') as {
    prototype: { pending: unknown[]; scheduleCheckPendingRequests: () => void }
  }
  const schedule = prototype.scheduleCheckPendingRequests
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this)
  }
}

/**
 * A rejoin fails if the coordinator still loads the group after a restart, or if its answer is lost. kafkajs then fetches on with its old
 * partitions for ever, because the group counts the member as present, or because a member without an id sends no heartbeat. With an
 * invalid generation, or an id that no group knows, the broker refuses the next heartbeat, and kafkajs joins again.
 */
function repeatFailedJoins(): void {
  const { prototype } = kafkajs('kafkajs/src/consumer/consumerGroup.js') as {
    prototype: { generationId: number; memberId: string | null; joinAndSync: () => Promise<void> }
  }
  const { joinAndSync } = prototype
  prototype.joinAndSync = async function () {
    try {
      await joinAndSync.call(this)
    } catch (error) {
      this.generationId = -1
      this.memberId ??= 'unknown'
      throw error
    }
  }
}
