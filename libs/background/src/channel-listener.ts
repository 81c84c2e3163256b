// Hears what is told on one NOTIFY channel of Postgres, by whichever process, for as long as the service runs. [D28, D48]
// Owns: a connection of its own, connecting again, and saying when word may have been missed. Does not own: what is told and by
// whom, and what its user does meanwhile.
import { openDirectConnection } from '@paraph/database/direct-connection'
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from './back-off.js'
import { pause } from './wake-up.js'

/** A connection that died without a word is noticed by asking. */
const ASK_EVERY_MS = 10_000

/**
 * @param url of a connection that no pooler shares
 * @param name shown in pg_stat_activity
 * @param away what the log says, once, when nothing can be heard
 * @param onWord called with the payload of each notification
 * @param onMissed called whenever one may have been missed: as soon as it listens, each time anew
 */
export function createChannelListener({
  url,
  name,
  channel,
  away,
  logger,
  onWord,
  onMissed,
}: {
  url: string
  name: string
  channel: string
  away: string
  logger: Pick<Logger, 'info' | 'warn'>
  onWord: (payload: string) => void
  onMissed: () => void
}) {
  const stopping = new AbortController()
  let failures = 0
  let isListening = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listen()
      } catch (error) {
        failures += 1
        if (failures === 1) logger.warn({ err: error }, away)
        await pause(backOffMs(failures, 200, 5_000, Math.random()), stopping.signal)
      }
    }
  }

  /** Until the service stops. @throws when the connection cannot be made, or is gone */
  async function listen(): Promise<void> {
    const connection = await openDirectConnection(url, name, onWord)
    const ended = AbortSignal.any([connection.gone, stopping.signal])
    ended.addEventListener('abort', () => (isListening = false), { once: true })
    try {
      await connection.query(`listen ${channel}`)
      if (failures > 0) logger.info({ failures, was: away }, 'notifications arrive again')
      failures = 0
      isListening = !ended.aborted
      onMissed()
      while (!ended.aborted) {
        await pause(ASK_EVERY_MS, ended)
        if (!ended.aborted) await connection.query('select 1')
      }
    } finally {
      isListening = false
      await connection.close()
    }
    if (!stopping.signal.aborted) throw new Error('the connection that listens is gone')
  }

  return {
    /** Returns at once; connects, and connects again, in the background. */
    start: (): void => void (running ??= run()),
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
    /** False while word may be missed. */
    isListening: () => isListening,
  }
}
