// Tells and hears that "keys have changed". [D28, D48]
// Without it a revoked key lives on for at most 5 s (key-cache); with it, for as long as a notification takes.
import { sql } from 'kysely'
import { createChannelListener } from '@paraph/service/channel-listener'
import type { Logger } from '@paraph/telemetry/logger'

/** NOTIFY channel: something that a cached key says may have changed. No payload. */
const KEY_CHANNEL = 'gateway_key'

/** In the transaction of the change: once it commits, every cached key is looked up anew. */
export const announceKeyChange = sql`select pg_notify(${KEY_CHANNEL}, '')`

/**
 * @param url of a connection that no pooler shares
 * @param onChange called for each notification, and whenever one may have been missed
 */
export const createKeyChanges = ({ url, logger, onChange }: { url: string; logger: Logger; onChange: () => void }) =>
  createChannelListener({
    ...{ url, logger, name: 'paraph key changes', channel: KEY_CHANNEL },
    away: 'word of changed keys is away; a revoked key may live for 5 seconds',
    onWord: onChange,
    onMissed: onChange,
  })
