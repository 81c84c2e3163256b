// The one door to kafkajs: how this product connects to a Kafka cluster. [D50]
// Owns: the options of every client, and what of kafkajs's own log reaches ours. Does not own: what is sent, received or retried.
// Every retry option is named, because kafkajs has other defaults where NODE_ENV is `test`.
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
} from 'kafkajs'
import type { Logger } from '@paraph/telemetry/logger'

export interface KafkaConnection {
  /** `host:port` of some brokers; the rest is found through them. */
  brokers: string[]
  clientId: string
  /** Present: TLS. Without `caPem` the CAs that Node trusts; with `certPem` and `keyPem` we show who we are. */
  tls?: { caPem?: string | undefined; certPem?: string | undefined; keyPem?: string | undefined } | undefined
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | undefined
}

/**
 * Longest that a member may be silent before the group gives its partitions to others. kafkajs sends a heartbeat between two fetches and
 * waits for the answer: where each takes five seconds longer, one arrives in ten. [F2]
 */
export const SESSION_MS = 15_000
const REBALANCE_MS = 20_000
const HEARTBEAT_MS = 1_000
/** A fetch waits this long for a message; a stop waits for the fetch. */
const FETCH_WAIT_MS = 200
/** Patient enough for brokers that are five seconds late: a request that is given up and sent again never catches up with them. [F2] */
const REQUEST_MS = 15_000

const BOUNDED = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5, factor: 0.2, multiplier: 2 }
/** A consumer that gives up forgets who it was, and the group waits SESSION_MS for the one it forgot. */
const FOREVER = { ...BOUNDED, retries: 1e6 }
/**
 * A send has one try. In a second one kafkajs asks no broker that answered in the first, though that broker may since lead what another
 * refused, and calls the whole batch stored. To an idempotent producer it refuses 0; no count is less than this. [F2]
 */
const NEVER = Number.NaN

/** Makes clients; connects nothing by itself. */
export function createKafkaClient(connection: KafkaConnection, logger: Logger) {
  keepQueuesQuiet()
  const { brokers, clientId, tls, sasl } = connection
  const base = {
    ...{ brokers, clientId, connectionTimeout: 3_000, requestTimeout: REQUEST_MS, enforceRequestTimeout: true },
    ...(tls ? { ssl: { ca: tls.caPem, cert: tls.certPem, key: tls.keyPem } } : {}),
    ...(sasl ? { sasl: saslOptions(sasl) } : {}),
    logLevel: logLevel.INFO,
    logCreator: () => (entry: LogEntry) => passOn(entry, logger),
  }
  const bounded = new Kafka({ ...base, retry: BOUNDED })

  return {
    /** Acknowledged by all in-sync replicas, no message twice by its own retries. Connect before use. */
    producer: (): Producer =>
      bounded.producer({
        idempotent: true,
        maxInFlightRequests: 1,
        allowAutoTopicCreation: false,
        // Java's: the same key has the same partition whoever publishes it.
        createPartitioner: Partitioners.DefaultPartitioner,
        retry: { ...BOUNDED, retries: NEVER },
      }),
    admin: (): Admin => bounded.admin({ retry: BOUNDED }),
    /**
     * A member of `group` that outlives any outage.
     * @param beforeJoin is awaited before every join of the group, the first one too. Must not reject
     */
    consumer({ group, beforeJoin }: { group: string; beforeJoin: () => Promise<void> }): Consumer {
      // A Kafka of its own: some of a consumer's retries come from here, some from its own options.
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

/** kafkajs joins again without asking. An assigner is given the cluster, and the first step of each join is to look for the coordinator. */
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

function saslOptions({ mechanism, username, password }: NonNullable<KafkaConnection['sasl']>) {
  switch (mechanism) {
    case 'plain':
      return { mechanism, username, password }
    case 'scram-sha-256':
      return { mechanism, username, password }
    case 'scram-sha-512':
      return { mechanism, username, password }
  }
}

/**
 * kafkajs calls the steps of any reconnection errors, hundreds in an outage of 20 s, and may hand whole error objects over. Its words go
 * on at debug level, those that report data passed over as a warning; what an operator must know is said by the bus itself.
 */
function passOn({ namespace, level, log }: LogEntry, logger: Logger): void {
  const { message, groupId, topic, partition, broker } = log
  const fields = { kafkajs: namespace, groupId, topic, partition, broker }
  const text = String(message)
  if (level === logLevel.ERROR && text.startsWith('Offset out of range')) logger.warn(fields, text)
  else logger.debug(fields, text)
}

let quiet = false

/**
 * kafkajs 2.2.4 sets a timer each millisecond on every connection that has nothing to send, with a negative time (Node warns of it). Its
 * timer is needed only while requests wait.
 */
function keepQueuesQuiet(): void {
  if (quiet) return
  quiet = true
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as {
    prototype: { pending: unknown[]; scheduleCheckPendingRequests: () => void }
  }
  const schedule = prototype.scheduleCheckPendingRequests
  prototype.scheduleCheckPendingRequests = function () {
    if (this.pending.length > 0) schedule.call(this)
  }
}
