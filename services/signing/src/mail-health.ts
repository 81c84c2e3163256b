// Whether mail is slow now. Asked on a beat of its own, for everybody: a page that knew it from its own code's row would tell
// strangers from parties. [D16, D32]
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { NotificationClient } from './notification-client.js'

const ASK_EVERY_MS = 2_000

/** The loop that asks; `isDelayed` is its last answer, and true while there is none. */
export function createMailHealth({ notification, logger }: { notification: NotificationClient; logger: Logger }) {
  let isRelayAway = false
  const loop = createLoop({
    async work() {
      isRelayAway = (await notification.code.isDelayed.query()).delayed
      return false
    },
    pauseMs: ASK_EVERY_MS,
    trouble: 'notification does not answer; codes wait',
    logger,
  })
  return { ...loop, isDelayed: () => loop.isInTrouble() || isRelayAway }
}

export type MailHealth = ReturnType<typeof createMailHealth>
