// What the notification service does on events: it adds deliveries, and holds or releases an account's. [D24, D37, D49]
import { noteAccountHold } from '@paraph/messaging/account-hold'
import { createConsumer } from '@paraph/messaging/consumer'
import type { EventBus } from '@paraph/messaging/event-bus'
import type { Logger } from '@paraph/telemetry/logger'
import type { Kysely } from 'kysely'
import type { NotificationDatabase } from './database.js'
import { addCompletions, addInvitations, addOutcomes, holdBack, releaseHeld } from './deliveries.js'

/** @param wakeWorker called after deliveries were committed; @param outcomeMails whether those who signed hear of a bad end; @param completionMails whether everybody gets the sealed PDF */
export function createEventsConsumer({
  bus,
  database,
  wakeWorker,
  outcomeMails,
  completionMails,
  logger,
}: {
  bus: EventBus
  database: Kysely<NotificationDatabase>
  wakeWorker: () => void
  outcomeMails: boolean
  completionMails: boolean
  logger: Logger
}) {
  return createConsumer({
    name: 'notification',
    topics: ['contract.events.v1', 'signing.events.v1', 'account.events.v1'],
    bus,
    database,
    logger,
    afterCommit: wakeWorker,
    async handle(trx, event) {
      const { type, data } = event
      switch (type) {
        case 'contract.created':
          return addInvitations(trx, data)
        case 'contract.cancelled':
          return outcomeMails ? addOutcomes(trx, data.contractId, 'cancelled') : undefined
        case 'contract.expired':
          return outcomeMails ? addOutcomes(trx, data.contractId, 'expired') : undefined
        case 'signing.evidence_sealed':
          return completionMails ? addCompletions(trx, data) : undefined
        case 'account.suspended':
          await noteAccountHold(trx, event)
          return holdBack(trx, data.accountId)
        case 'account.resumed':
          await noteAccountHold(trx, event)
          return releaseHeld(trx, data.accountId)
        default:
          return undefined
      }
    },
  })
}
