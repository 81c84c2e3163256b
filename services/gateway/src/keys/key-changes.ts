// Listens to notifications that keys have changed. [D28, D48]
// A gateway refuses a revoked key as soon as the NOTIFY arrives; without notifications, after up to 5 s (key-cache).
import { createChannelListener } from '@paraph/background/channel-listener'
import type { Logger } from '@paraph/telemetry/logger'
import { KEY_CHANNEL } from '../accounts/account-change.js'

interface KeyChangesDeps {
  /** URL of a direct connection, without a pooler. */
  url: string
  logger: Logger
  /** Called for each notification, and whenever a notification may have been lost. */
  onChange: () => void
}

export const createKeyChanges = ({ url, logger, onChange }: KeyChangesDeps) =>
  createChannelListener({
    url,
    logger,
    name: 'paraph key changes',
    channel: KEY_CHANNEL,
    consequence: 'a revoked key may stay valid for up to 5 s',
    onNotification: onChange,
    onPossibleLoss: onChange,
  })
