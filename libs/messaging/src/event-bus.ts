// What every bus promises, and no more: order per key, at least once, replay. [D50]
// Owns: the interface. Does not own: envelopes, retries, dead letters, traces (consumer.ts, relay.ts, written once above it).

/** What is published. `headers` hold short ASCII values; `value` is UTF-8 text, or null where somebody else sent nothing. */
export interface BusMessage {
  topic: string
  /** Messages of one key keep their order. Contract id or account id, never a person's data. */
  key: string
  headers: Record<string, string>
  value: string | null
}

export interface ReceivedMessage extends BusMessage {
  partition: number
  /** Whole number in decimal digits; grows within a partition, may have gaps. */
  offset: string
  publishedAt: Date
}

/** One partition that this member works on. [H9] */
export interface PartitionProgress {
  topic: string
  partition: number
  /** True while the bus holds a message that this member has not finished. */
  behind: boolean
  /** Since the partition last finished a message or was last known to be caught up. */
  unmovedMs: number
}

/** What a group has before it in one partition, whichever process works on it. */
export interface Backlog {
  topic: string
  partition: number
  /** Messages; those that the bus no longer keeps are none. */
  waiting: number
}

export interface Subscription {
  /** Resolves once the group was joined for the first time; it may then still hold no partition. Never rejects. */
  joined: Promise<void>
  /** Finishes the message in hand of each partition, commits, leaves the group. */
  stop(): Promise<void>
  /** The partitions held now; empty while the bus is away, so that an outage of the bus is never a stall. */
  progress(): PartitionProgress[]
}

export interface SubscribeOptions {
  /** Members of one group share the partitions; each partition has one member at a time. A new group starts at the oldest message. */
  group: string
  topics: readonly string[]
  /**
   * Called with the next messages of one partition, at least one and at most 100, in order; one call of a partition at a time.
   * Resolved: all are done, the next ones follow. Rejected: after a pause it is called again from the same first message on,
   * perhaps with fewer or more behind it. `signal` aborts when the member stops or loses the partition.
   */
  handle(messages: readonly ReceivedMessage[], signal: AbortSignal): Promise<void>
}

export interface EventBus {
  /**
   * Resolves when all messages are durable. Those of one key are stored in the order of the array.
   * Rejected: some may be stored; publish the same array again.
   */
  publish(messages: readonly BusMessage[]): Promise<void>
  /** Returns at once; joins, and joins again after an outage, in the background with back-off. */
  subscribe(options: SubscribeOptions): Subscription
  /** Sets `group` back to the oldest message of `topic`. Only while no member of the group runs. */
  rewind(group: string, topic: string): Promise<void>
  /** Of every partition of `topics`, up to a second old. Rejected while the bus is away. */
  backlog(group: string, topics: readonly string[]): Promise<Backlog[]>
  /** Frees the connections of `publish`. Stop the subscriptions first. */
  close(): Promise<void>
}
