// Polls the notification service for whether mail is slow, once for all pages: a page that read the state of its own code's mail
// would distinguish a party from a stranger. [D16, D32]
import { createLoop } from '@paraph/background/loop'
import type { Logger } from '@paraph/telemetry/logger'
import type { NotificationClient } from '../clients/contract.js'

const POLL_MS = 2_000

/** The polling loop; `isDelayed` is the last answer, and true while the notification service does not answer. */
export function createMailHealth({ notification, logger }: { notification: NotificationClient; logger: Logger }) {
  let isMailDelayed = false
  const loop = createLoop({
    async work() {
      isMailDelayed = (await notification.code.isDelayed.query()).delayed
      return false
    },
    pauseMs: POLL_MS,
    trouble: 'could not read the mail state from the notification service; code pages say that mail is slow',
    logger,
  })
  return { ...loop, isDelayed: () => loop.isFailing() || isMailDelayed }
}

export type MailHealth = ReturnType<typeof createMailHealth>
