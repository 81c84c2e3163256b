// Consumes events: adds deliveries, and pauses or releases the deliveries of an account, and records its brand. [D24, D37, D49, D59]
import { recordBrand } from '@paraph/messaging/account-brand'
import { recordSuspension } from '@paraph/messaging/account-suspension'
import { createConsumer } from '@paraph/messaging/consumer'
import type { EventBus } from '@paraph/messaging/event-bus'
import type { Logger } from '@paraph/telemetry/logger'
import type { Kysely } from 'kysely'
import { addCompletions, addInvitations, addOutcomes } from './queue/add-delivery.js'
import { pauseDelivery, releasePaused } from './queue/claim-delivery.js'
import { readdressParty } from './queue/readdress.js'
import { addNotice } from './notices/notices.js'
import { addContractMessages, causesMessages } from './webhooks/messages.js'

export interface EventsConsumerDeps {
  bus: EventBus
  database: Kysely<unknown>
  /** Called after a commit that may have added mails. */
  triggerWorker: () => void
  /** Called after a commit that may have added webhooks. */
  triggerWebhooks: () => void
  /** Whether parties who had signed get a mail when the contract is cancelled or expires. */
  outcomeMails: boolean
  /** Whether all parties get the sealed PDF. */
  completionMails: boolean
  logger: Logger
}

export function createEventsConsumer(deps: EventsConsumerDeps) {
  const { bus, database, triggerWorker, triggerWebhooks, outcomeMails, completionMails, logger } = deps
  return createConsumer({
    name: 'notification',
    topics: ['contract.events.v1', 'signing.events.v1', 'account.events.v1'],
    bus,
    database,
    logger,
    afterCommit(events) {
      triggerWorker()
      if (events.some(causesMessages)) triggerWebhooks()
    },
    async handle(trx, event) {
      const { type, data } = event
      await addContractMessages(trx, event)
      switch (type) {
        case 'contract.created':
          return addInvitations(trx, data)
        case 'contract.cancelled':
          return outcomeMails ? addOutcomes(trx, data.contractId, 'cancelled') : undefined
        case 'contract.party_declined':
          return addNotice(trx, { ...data, kind: 'party_declined' })
        case 'contract.party_readdressed':
          return readdressParty(trx, data)
        case 'contract.completed':
          return addNotice(trx, { ...data, kind: 'contract_completed' })
        case 'contract.expired':
          await addNotice(trx, { ...data, kind: 'contract_expired' })
          return outcomeMails ? addOutcomes(trx, data.contractId, 'expired') : undefined
        case 'signing.evidence_sealed':
          return completionMails ? addCompletions(trx, data) : undefined
        case 'account.suspended':
          await recordSuspension(trx, event)
          return pauseDelivery(trx, data.accountId)
        case 'account.resumed':
          await recordSuspension(trx, event)
          return releasePaused(trx, data.accountId)
        case 'account.brand_changed':
          await recordBrand(trx, event)
          return undefined
        default:
          return undefined
      }
    },
  })
}
