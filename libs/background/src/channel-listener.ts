// Listens to one NOTIFY channel of Postgres for as long as the service runs. [D28, D48]
// Owns: a dedicated connection, reconnecting, and reporting when a notification may have been lost. Does not own: the payloads, and what a
// user of the listener does during an outage.
import { openDirectConnection } from '@paraph/database/direct-connection'
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from './back-off.js'
import { pause } from './wake-up.js'

/** A query at this interval detects a connection that died silently. */
const PROBE_EVERY_MS = 10_000

export interface ChannelListenerDeps {
  /** URL of a direct connection, without a pooler. */
  url: string
  /** Shown in pg_stat_activity. */
  name: string
  channel: string
  /** The log line, once per outage, when no notification can arrive. */
  unavailableMessage: string
  logger: Pick<Logger, 'info' | 'warn'>
  /** Called with the payload of each notification. */
  onNotification: (payload: string) => void
  /** Called whenever a notification may have been lost: each time that listening begins. */
  onPossibleLoss: () => void
}

/** Calls `onNotification` for each notification from `start` to `stop`, and reconnects with back-off. */
export function createChannelListener(deps: ChannelListenerDeps) {
  const { url, name, channel, logger } = deps
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
        if (failures === 1) logger.warn({ err: error }, deps.unavailableMessage)
        await pause(backOffMs(failures, 200, 5_000, Math.random()), stopping.signal)
      }
    }
  }

  /** Listens until the service stops. @throws Error when the connection cannot be opened, or is lost */
  async function listen(): Promise<void> {
    const connection = await openDirectConnection(url, name, deps.onNotification)
    const ended = AbortSignal.any([connection.closed, stopping.signal])
    ended.addEventListener('abort', () => (isListening = false), { once: true })
    try {
      await connection.query(`listen ${channel}`)
      if (failures > 0) logger.info({ failures, channel }, 'listening for notifications again')
      failures = 0
      isListening = !ended.aborted
      deps.onPossibleLoss()
      while (!ended.aborted) {
        await pause(PROBE_EVERY_MS, ended)
        if (!ended.aborted) await connection.query('select 1')
      }
    } finally {
      isListening = false
      await connection.close()
    }
    if (!stopping.signal.aborted) throw new Error(`The connection that listens on ${channel} was lost.`)
  }

  return {
    /** Returns immediately; connects and reconnects in the background. */
    start: (): void => void (running ??= run()),
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
    /** False while notifications may be lost. */
    isListening: () => isListening,
  }
}
