// Listens to one NOTIFY channel of Postgres for as long as the service runs, and sends on it. [D28, D48]
// Owns: a dedicated connection, reconnecting, and reporting when a notification may have been lost. Does not own: the payloads, and what a
// user of the listener does during an outage.
// A NOTIFY takes a lock of the whole Postgres cluster from just before its commit until the commit is durable, on the standby too. In a
// transaction that writes rows, all such commits of the cluster queue one behind the other. The statement here writes nothing that must be
// durable, so it holds the lock for microseconds (`npm run bench -- notify`).
import { once } from 'node:events'
import { openDirectConnection, type DirectConnection } from '@paraph/database/direct-connection'
import type { Logger } from '@paraph/telemetry/logger'
import { backOffMs } from './back-off.js'
import { pause } from './wake-up.js'

/** Payloads kept while the connection is down. Further ones are dropped, because their receivers poll too. */
const UNSENT_MAX = 1_000

export interface ChannelListenerDeps {
  /** URL of a direct connection, without a pooler. */
  url: string
  /** Shown in pg_stat_activity. */
  name: string
  channel: string
  /** What follows while no notification can arrive, for the log line of an outage. */
  consequence: string
  logger: Pick<Logger, 'info' | 'warn'>
  /** Called with the payload of each notification that another session sent. */
  onNotification: (payload: string) => void
  /** Called whenever a notification may have been lost: each time that listening begins. */
  onPossibleLoss: () => void
}

/** Calls `onNotification` for each notification from `start` to `stop`, and reconnects with back-off. */
export function createChannelListener(deps: ChannelListenerDeps) {
  const { url, name, channel, logger } = deps
  const stopping = new AbortController()
  let failures = 0
  /** The connection while it listens. */
  let listening: DirectConnection | undefined
  let unsent = new Set<string>()
  let isSending = false
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listen()
      } catch (error) {
        failures += 1
        if (failures === 1) logger.warn({ err: error }, `LISTEN connection lost (${channel}); ${deps.consequence}`)
        await pause(backOffMs(failures, 200, 5_000, Math.random()), stopping.signal)
      }
    }
  }

  /** Listens until the service stops. @throws Error when the connection cannot be opened, or is lost */
  async function listen(): Promise<void> {
    const connection = await openDirectConnection(url, name, deps.onNotification)
    const ended = AbortSignal.any([connection.closed, stopping.signal])
    ended.addEventListener('abort', () => (listening = undefined), { once: true })
    try {
      await connection.query(`listen ${channel}`)
      if (failures > 0) logger.info({ failures, channel }, 'LISTEN connection restored')
      failures = 0
      if (!ended.aborted) listening = connection
      deps.onPossibleLoss()
      void send()
      if (!ended.aborted) await once(ended, 'abort')
    } finally {
      listening = undefined
      await connection.close()
    }
    if (!stopping.signal.aborted) throw new Error(`The connection that listens on ${channel} was lost.`)
  }

  /** Payloads that gather while a statement is on its way share the next one. */
  async function send(): Promise<void> {
    if (isSending) return
    isSending = true
    while (listening && unsent.size > 0) {
      const payloads = unsent
      unsent = new Set()
      try {
        await listening.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', [
          channel,
          [...payloads],
        ])
      } catch {
        // The connection is closed; `listen` reports it, and these wait for the next one, if it does not listen already.
        unsent = new Set([...payloads, ...unsent])
      }
    }
    isSending = false
  }

  return {
    /** Returns immediately; connects and reconnects in the background. */
    start: (): void => void (running ??= run()),
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
    /**
     * Notifies the other sessions that listen. Call after the commit of what `payload` is about. Returns immediately; costs the commit
     * nothing. The notification may be lost with this process.
     */
    notify(payload: string): void {
      if (unsent.size < UNSENT_MAX) unsent.add(payload)
      void send()
    },
    /** False while notifications may be lost. */
    isListening: () => listening !== undefined,
  }
}
