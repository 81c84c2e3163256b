// Listens to notifications that keys have changed. [D28, D48]
// They end a revoked key as fast as NOTIFY travels; without them it stays valid for up to 5 s (key-cache).
import { createChannelListener } from '@paraph/background/channel-listener'
import type { Logger } from '@paraph/telemetry/logger'
import { KEY_CHANNEL } from '../accounts/account-change.js'

interface KeyChangesDeps {
  /** URL of a direct connection, without a pooler. */
  url: string
  logger: Logger
  /** Called for each notification, and whenever one may have been missed. */
  onChange: () => void
}

export const createKeyChanges = ({ url, logger, onChange }: KeyChangesDeps) =>
  createChannelListener({
    url,
    logger,
    name: 'paraph key changes',
    channel: KEY_CHANNEL,
    unavailableMessage: 'key change notifications unavailable; a revoked key may stay valid for up to 5 s',
    onNotification: onChange,
    onPossibleLoss: onChange,
  })
