// Hands messages to the handler of a subscription until it resolves; the same on every bus. [D50]
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from '@paraph/background/back-off'
import { pause } from '@paraph/background/wake-up'
import type { ReceivedMessage, SubscribeOptions } from './event-bus.js'

export interface HandlingDeps extends Pick<SubscribeOptions, 'group' | 'handle'> {
  logger: Logger
}

/** Repeats `handle` with back-off. @returns false when `signal` aborts first: the member stops or loses the partition */
export async function handleUntilDone(
  { handle, logger, group }: HandlingDeps,
  messages: readonly ReceivedMessage[],
  signal: AbortSignal,
): Promise<boolean> {
  for (let tries = 1; !signal.aborted; tries++) {
    try {
      await handle(messages, signal)
      return true
    } catch (error) {
      if (signal.aborted) return false
      const { topic, partition, offset } = messages[0] ?? {}
      logger.warn(
        { err: error, group, topic, partition, offset },
        'could not handle messages; the consumer retries them with back-off',
      )
      await pause(backOffMs(tries, 100, 5_000, Math.random()), signal)
    }
  }
  return false
}
