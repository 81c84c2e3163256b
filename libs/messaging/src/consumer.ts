// One consumer of a service, on any bus: its membership of the group, its progress and its backlog. [D49, H7, H9]
// Does not own: what happens to a message (handle-events.ts).
import type { Topic } from '@paraph/protocol/events'
import { withTimeout } from '@paraph/protocol/deadline'
import { keyOf, type Backlog, type EventBus, type PartitionProgress, type Subscription } from './event-bus.js'
import { createEventHandler, type EventHandlerDeps } from './handle-events.js'

/** Shorter than the timeout of an operator's call, which waits for the backlog. */
const BACKLOG_MS_MAX = 3_000

export interface ConsumerDeps<Tables> extends Omit<EventHandlerDeps<Tables>, 'onActivity'> {
  topics: readonly Topic[]
  bus: Pick<EventBus, 'subscribe' | 'backlog'>
}

/** Handles the events of `topics` as a member of the group `name`, from `start` to `stop`. */
export function createConsumer<Tables>({ topics, bus, ...deps }: ConsumerDeps<Tables>) {
  const { name } = deps
  /** Topic and partition → when work on it last began, by the process's monotonic clock. */
  const activeAtMs = new Map<string, number>()
  const joined = Promise.withResolvers<void>()
  let subscription: Subscription | undefined

  const { handleBatch, counts, redrive } = createEventHandler({
    ...deps,
    onActivity: (message) => void activeAtMs.set(keyOf(message), performance.now()),
  })

  return {
    name,
    start(): void {
      subscription ??= bus.subscribe({ group: name, topics, handle: handleBatch })
      void subscription.joined.then(joined.resolve)
    },
    /** Resolves when the consumer has joined its group for the first time. */
    joined: joined.promise,
    async stop(): Promise<void> {
      await subscription?.stop()
    },
    counts,
    redrive,
    /** The progress that the bus reports; waiting for the service's own database or for the next attempt is not a stall. [H7, H9] */
    progress(): PartitionProgress[] {
      const nowMs = performance.now()
      return (subscription?.progress() ?? []).map((entry) => {
        const activeMs = activeAtMs.get(keyOf(entry))
        return activeMs === undefined
          ? entry
          : { ...entry, unmovedMs: Math.min(entry.unmovedMs, Math.round(nowMs - activeMs)) }
      })
    },
    /** The backlog of the whole group, not only of this process. Undefined when the bus does not answer in time. */
    backlog: (): Promise<Backlog[] | undefined> =>
      withTimeout(BACKLOG_MS_MAX, bus.backlog(name, topics)).catch(() => undefined),
  }
}

export type Consumer = ReturnType<typeof createConsumer>

/** True when a partition has had work but no progress for `limitMs`: the only reason to end the process. [H9] */
export function isStalled(progress: readonly PartitionProgress[], limitMs: number): boolean {
  return progress.some((entry) => entry.behind && entry.unmovedMs > limitMs)
}
