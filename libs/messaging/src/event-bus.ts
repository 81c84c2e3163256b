// The guarantees of every bus: order per key, delivery at least once, replay. [D50]
// Owns: the interface. Does not own: envelopes, retries, dead letters, traces (consumer.ts and relay.ts, which work on any bus).

/** A message to publish. `headers` hold short ASCII values. `value` is UTF-8 text, or null in a foreign message without a value. */
export interface BusMessage {
  topic: string
  /** Messages of one key keep their order. Contract id or account id, never a person's data. */
  key: string
  headers: Record<string, string>
  value: string | null
}

/** A partition of a topic. */
export interface Place {
  topic: string
  partition: number
}

/** The key of a place in a map. */
export const keyOf = ({ topic, partition }: Place): string => `${topic}/${partition}`

export interface ReceivedMessage extends BusMessage, Place {
  /** A whole number in decimal digits. Offsets grow within a partition and may have gaps. */
  offset: string
  publishedAt: Date
}

/** The state of one partition that this member holds. [H9] */
export interface PartitionProgress extends Place {
  /** True while the bus holds messages that this member has not finished. */
  behind: boolean
  /** Time since the partition last finished a message or was last seen caught up. */
  unmovedMs: number
}

/** The backlog of a group in one partition, whichever process holds it. */
export interface Backlog extends Place {
  /** Number of messages, without those that the bus has already pruned. */
  waiting: number
}

export interface Subscription {
  /** Resolves when the member has joined the group for the first time; it may then hold no partition yet. Never rejects. */
  joined: Promise<void>
  /** Finishes the current messages of each partition, commits and leaves the group. */
  stop(): Promise<void>
  /** The partitions held now. Empty while the bus is unavailable, so that its outage never counts as a stall. */
  progress(): PartitionProgress[]
}

export interface SubscribeOptions {
  /** Members of one group share the partitions; each partition has one member at a time. A new group starts at the oldest message. */
  group: string
  topics: readonly string[]
  /**
   * Called with the next 1 to 100 messages of one partition, in order; one call per partition at a time.
   * When a call resolves, its messages are done. When a call rejects, another one follows after a pause, which begins with the same message
   * and may have fewer or more. `signal` aborts when the member stops or loses the partition.
   */
  handle(messages: readonly ReceivedMessage[], signal: AbortSignal): Promise<void>
}

export interface EventBus {
  /**
   * Resolves when all messages are durable. Those of one key are stored in the order of the array.
   * When the call rejects, some may be stored: publish the same array again.
   */
  publish(messages: readonly BusMessage[]): Promise<void>
  /** Returns immediately. Joins the group, and rejoins after an outage, in the background with back-off. */
  subscribe(options: SubscribeOptions): Subscription
  /** Resets `group` to the oldest message of `topic`. Only while no member of the group runs. */
  rewind(group: string, topic: string): Promise<void>
  /** The backlog in every partition of `topics`, at most a second old. Rejects while the bus is unavailable. */
  backlog(group: string, topics: readonly string[]): Promise<Backlog[]>
  /** Closes the connections of `publish`. Stop the subscriptions first. */
  close(): Promise<void>
}
