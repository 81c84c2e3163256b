// Adds the messages to the endpoints of an account, in the transaction of the event that causes them. [D65]
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import type { EventData, EventType } from '@paraph/protocol/events'
import { sql, type Transaction } from 'kysely'

type Trx = Transaction<unknown>
type OwnedContract = Pick<EventData<'contract.created'>, 'contractId' | 'accountId' | 'environment'>

/** What an endpoint hears of. */
export const WEBHOOK_TYPES = [
  'contract.partially_signed',
  'contract.signed',
  'contract.expired',
  'contract.cancelled',
  'party.declined',
  'party.delivery_refused',
] as const
export type WebhookType = (typeof WEBHOOK_TYPES)[number]

interface Cause {
  /** Makes the message idempotent. */
  eventId: string
  type: WebhookType
  at: string
  contractId: string
  accountId: string
  environment: string
}

/** Adds one message for each active endpoint, once for each cause. */
const addMessages = (trx: Trx, { eventId, type, at, contractId, accountId, environment }: Cause) =>
  sql`
    insert into webhook_message (id, endpoint_id, contract_id, event_id, type, happened_at)
    select 'msg_' || gen_random_uuid(), id, ${contractId}, ${eventId}, ${type}, ${at}::timestamptz
      from webhook_endpoint
     where account_id = ${accountId} and environment = ${environment} and disabled_at is null
    on conflict on constraint webhook_message_once do nothing`.execute(trx)

const CAUSES: ReadonlySet<string> = new Set<EventType>([
  'contract.party_signed',
  'contract.party_declined',
  'contract.completed',
  'contract.expired',
  'contract.cancelled',
])

/** Whether `addContractMessages` may add messages about this event. */
export const causesMessages = ({ type }: ReceivedEvent): boolean => CAUSES.has(type)

/** Adds the messages about an event of the contract service. An event that clients do not hear of adds none. */
export async function addContractMessages(
  trx: Trx,
  { id: eventId, type, data, time: at }: ReceivedEvent,
): Promise<void> {
  const cause = (webhookType: WebhookType, { contractId, accountId, environment }: OwnedContract) =>
    addMessages(trx, { eventId, type: webhookType, at, contractId, accountId, environment })
  switch (type) {
    case 'contract.party_signed':
      // The last signature is heard of as the completion.
      if (data.signed < data.total) await cause('contract.partially_signed', data)
      return
    case 'contract.party_declined':
      await cause('party.declined', data)
      return
    case 'contract.completed':
      await cause('contract.signed', data)
      return
    case 'contract.expired':
    case 'contract.cancelled':
      await cause(type, data)
      return
    default:
      return
  }
}

/** Adds the messages about an invitation that was given up. */
export const addRefusalMessages = (
  trx: Trx,
  { contractId, accountId, environment, partyIndex, sendNumber, failedAt }: EventData<'email.failed'>,
) =>
  addMessages(trx, {
    eventId: `invitation ${contractId} ${partyIndex} ${sendNumber}`,
    type: 'party.delivery_refused',
    at: failedAt,
    contractId,
    accountId,
    environment,
  })
