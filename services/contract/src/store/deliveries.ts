// Where the invitations of a contract stand, from the events of the notification service. [D52]
// A column of the contract, so that GET reads it without a join. Does not own: when an invitation counts as delayed or refused
// (notification), and the inbox (consumer.ts).
import { createConsumer } from '@paraph/messaging/consumer'
import type { EventBus } from '@paraph/messaging/event-bus'
import type { ReceivedEvent } from '@paraph/messaging/event-reader'
import type { Delivery } from '@paraph/protocol/contract'
import type { Logger } from '@paraph/telemetry/logger'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { ContractDatabase } from '../database.js'

const DELIVERY_OF = {
  'email.accepted': 'sent',
  'email.delayed': 'delayed',
  'email.failed': 'refused',
} as const satisfies Record<string, Delivery>

type MailEvent = Extract<ReceivedEvent, { type: keyof typeof DELIVERY_OF }>

/** True for an event about an invitation; the other mails say nothing about whether a party can sign. */
const isOfInvitation = (event: ReceivedEvent): event is MailEvent =>
  event.type in DELIVERY_OF && (event as MailEvent).data.kind === 'invitation'

const hasProblem = (deliveries: RawBuilder<unknown>) =>
  sql`(${deliveries}) @? '$.*[0] ? (@ == "delayed" || @ == "refused")'`

/** The invitation to a corrected address has not been sent. [D61] */
export async function forgetDelivery(
  trx: Transaction<ContractDatabase>,
  id: string,
  partyIndex: number,
): Promise<void> {
  const rest = sql`deliveries - ${String(partyIndex)}::text`
  await sql`update contract set deliveries = ${rest}, has_delivery_problem = ${hasProblem(rest)} where id = ${id}`.execute(
    trx,
  )
}

/**
 * Records the event of an invitation in the transaction of its inbox row. An event older than the recorded one of the same party changes
 * nothing: a dead letter may be handled later, and more partitions change the order.
 */
async function recordDelivery(
  trx: Transaction<ContractDatabase>,
  { type, data, sequence, time }: MailEvent,
): Promise<void> {
  const party = String(data.partyIndex)
  const recorded = sql`deliveries || jsonb_build_object(${party}::text, jsonb_build_array(${DELIVERY_OF[type]}::text, ${sequence}::bigint))`
  // The list filters by a column, not by `deliveries`: an index on that would be written with every event.
  await sql`
    update contract
       set deliveries = ${recorded},
           has_delivery_problem = ${hasProblem(recorded)},
           delivery_changes = delivery_changes + 1, delivery_at = greatest(delivery_at, ${time}::timestamptz)
     where id = ${data.contractId} and coalesce((deliveries -> ${party}::text ->> 1)::bigint, 0) < ${sequence}::bigint
       and exists (select from party where contract_id = ${data.contractId} and party_index = ${data.partyIndex})`.execute(
    trx,
  )
}

export interface DeliveriesConsumerDeps {
  bus: Pick<EventBus, 'subscribe' | 'backlog'>
  database: Kysely<ContractDatabase>
  /** Called after a commit, with the ids of the contracts that it changed. */
  onChanged: (ids: readonly string[]) => void
  logger: Logger
}

export const createDeliveriesConsumer = ({ bus, database, onChanged, logger }: DeliveriesConsumerDeps) =>
  createConsumer<ContractDatabase>({
    name: 'contract',
    topics: ['notification.events.v1'],
    bus,
    database,
    logger,
    handle: async (trx, event) => (isOfInvitation(event) ? recordDelivery(trx, event) : undefined),
    afterCommit: (events) => onChanged(events.filter(isOfInvitation).map(({ data }) => data.contractId)),
  })
