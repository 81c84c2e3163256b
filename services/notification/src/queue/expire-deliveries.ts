// Ends deliveries that were not sent in time: expired codes, and other mails after 48 hours. [D42, D49]
import { settleAll } from '@paraph/background/settle-all'
import type { Logger } from '@paraph/telemetry/logger'
import { isCode } from '../database.js'
import type { DeliveryClaims } from './claim-delivery.js'
import { NOT_IN_TIME, type FinishDelivery } from './finish-delivery.js'
import { countAttempt } from './send-delivery.js'

const EVERY_MS = 5_000
const EXPIRED_BATCH = 50
const HELD_BATCH = 1_000

export interface ExpireDeliveriesDeps {
  claims: Pick<DeliveryClaims, 'claimExpired' | 'prolongHeld'>
  finishDelivery: FinishDelivery
  logger: Logger
}

/** One call ends one batch; does nothing for 5 s after a call that found no full batch. Held mails are prolonged instead. */
export function createExpireDeliveries({ claims, finishDelivery, logger }: ExpireDeliveriesDeps) {
  let emptyAtMs = -Infinity

  return async function expireDeliveries(): Promise<void> {
    if (performance.now() - emptyAtMs < EVERY_MS) return
    const prolonged = await claims.prolongHeld(HELD_BATCH)
    const expired = await claims.claimExpired(EXPIRED_BATCH)
    const failed = expired.filter(({ kind }) => !isCode(kind)).length
    await settleAll(
      expired,
      async (delivery) => {
        const why = delivery.lastReason === null ? NOT_IN_TIME : `${NOT_IN_TIME}: ${delivery.lastReason}`
        const reason = isCode(delivery.kind) ? 'lapsed' : 'gave_up'
        await finishDelivery(delivery, { state: 'failed', reason, why })
        countAttempt(delivery, reason)
      },
      (error, { id }) =>
        logger.warn(
          { err: error, deliveryId: id },
          'could not end an expired mail; retrying when its claim expires in 50 s',
        ),
    )
    if (failed > 0) logger.error({ failed }, 'gave up on mails that were not sent within 48 hours')
    if (expired.length < EXPIRED_BATCH && prolonged < HELD_BATCH) emptyAtMs = performance.now()
  }
}
