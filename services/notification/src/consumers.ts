// What the notification service does on events: it adds deliveries, nothing else. [D24, D49]
import { createConsumer } from '@paraph/messaging/consumer'
import type { EventBus } from '@paraph/messaging/event-bus'
import type { Logger } from '@paraph/telemetry/logger'
import type { Kysely } from 'kysely'
import type { NotificationDatabase } from './database.js'
import { addInvitations, addOutcomes } from './deliveries.js'

/** @param wakeWorker called after deliveries were committed; @param outcomeMails whether those who signed hear of a bad end */
export function createContractEventsConsumer({
  bus,
  database,
  wakeWorker,
  outcomeMails,
  logger,
}: {
  bus: EventBus
  database: Kysely<NotificationDatabase>
  wakeWorker: () => void
  outcomeMails: boolean
  logger: Logger
}) {
  return createConsumer({
    name: 'notification',
    topics: ['contract.events.v1'],
    bus,
    database,
    logger,
    afterCommit: wakeWorker,
    async handle(trx, { type, data }) {
      switch (type) {
        case 'contract.created':
          return addInvitations(trx, data.contractId, data.partyCount)
        case 'contract.cancelled':
          return outcomeMails ? addOutcomes(trx, data.contractId, 'cancelled') : undefined
        case 'contract.expired':
          return outcomeMails ? addOutcomes(trx, data.contractId, 'expired') : undefined
        default:
          return undefined
      }
    },
  })
}
