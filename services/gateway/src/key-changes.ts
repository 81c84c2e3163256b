// Tells and hears that "keys have changed". Listens on a connection of its own, for as long as the service runs. [D28, D48]
// Without it a revoked key lives on for at most 5 s (key-cache); with it, for as long as a notification takes.
import { sql } from 'kysely'
import { backOffMs } from '@paraph/service/back-off'
import { openDirectConnection } from '@paraph/database/direct-connection'
import { pause } from '@paraph/service/wake-up'
import type { Logger } from '@paraph/telemetry/logger'

/** NOTIFY channel: something that a cached key says may have changed. No payload. */
const KEY_CHANNEL = 'gateway_key'

/** In the transaction of the change: once it commits, every cached key is looked up anew. */
export const announceKeyChange = sql`select pg_notify(${KEY_CHANNEL}, '')`

/**
 * @param url of a connection that no pooler shares
 * @param onChange called for each notification, and whenever one may have been missed
 */
export function createKeyChanges({ url, logger, onChange }: { url: string; logger: Logger; onChange: () => void }) {
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function listen(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      try {
        const connection = await openDirectConnection(url, 'gateway keys', onChange)
        try {
          await connection.query(`listen ${KEY_CHANNEL}`)
          failures = 0
          onChange()
          await aborted(AbortSignal.any([connection.gone, stopping.signal]))
        } finally {
          await connection.close()
        }
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'notifications of changed keys are away')
      }
      failures += 1
      await pause(backOffMs(failures, 200, 5_000, Math.random()), stopping.signal)
    }
  }

  return {
    /** Returns at once; connects, and connects again, in the background. */
    start(): void {
      running = listen()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
