// Hears that a contract has changed, in whichever process it was. [D48]
// Listens on a connection of its own, for as long as the service runs. Does not own: who tells (the outbox, at commit), who waits.
import { openDirectConnection } from '@paraph/database/direct-connection'
import { CHANGES_CHANNEL } from '@paraph/messaging/outbox'
import { backOffMs } from '@paraph/service/back-off'
import { pause } from '@paraph/service/wake-up'
import type { Logger } from '@paraph/telemetry/logger'

/** A connection that died without a word is noticed by asking. */
const ASK_EVERY_MS = 10_000

/**
 * @param url of a connection that no pooler shares
 * @param onChange called with the id of a contract that has changed @param onMissed called whenever word may have been missed
 */
export function createContractChanges({
  url,
  logger,
  onChange,
  onMissed,
}: {
  url: string
  logger: Logger
  onChange: (id: string) => void
  onMissed: () => void
}) {
  const stopping = new AbortController()
  let isListening = false
  let running: Promise<void> = Promise.resolve()

  async function listen(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted;) {
      try {
        const connection = await openDirectConnection(url, 'paraph contract changes', onChange)
        const ended = AbortSignal.any([connection.gone, stopping.signal])
        const onEnd = () => (isListening = false)
        ended.addEventListener('abort', onEnd, { once: true })
        try {
          await connection.query(`listen ${CHANGES_CHANNEL}`)
          if (failures > 0) logger.info({ failures }, 'word of changed contracts arrives again')
          isListening = true
          failures = 0
          onMissed()
          while (!ended.aborted) {
            await pause(ASK_EVERY_MS, ended)
            if (!ended.aborted) await connection.query('select 1')
          }
        } finally {
          isListening = false
          await connection.close()
        }
      } catch (error) {
        if (failures === 0) logger.warn({ err: error }, 'word of changed contracts is away; waits ask each second')
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
    isListening: () => isListening,
  }
}
