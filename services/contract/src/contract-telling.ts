// How a contract's change is told: the outbox row of each of its events. Pure. [Topics and events of docs/architecture.md, D48]
import type { OutboxEvent } from '@paraph/messaging/outbox'
import type { Environment } from '@paraph/protocol/caller'
import type { ContractEvent } from './contract.js'

/** Whose contract it is, as every event of it says. */
export interface EventFacts {
  contractId: string
  accountId: string
  environment: Environment
}

/** @param sequence the contract's version after the event */
export function outboxRowOf(event: ContractEvent, sequence: number, facts: EventFacts): OutboxEvent {
  const at = event.at.toISOString()
  const row = {
    topic: 'contract.events.v1',
    subject: facts.contractId,
    sequence,
    time: event.at,
  } as const
  switch (event.type) {
    case 'party_signed': {
      const { partyIndex, attemptId, signed, total } = event
      const data = { ...facts, partyIndex, attemptId, signedAt: at, signed, total }
      return { ...row, type: 'contract.party_signed', data }
    }
    case 'completed':
      return { ...row, type: 'contract.completed', data: { ...facts, total: event.total, completedAt: at } }
    case 'expired':
      return { ...row, type: 'contract.expired', data: { ...facts, at } }
    case 'cancelled':
      return { ...row, type: 'contract.cancelled', data: { ...facts, at, actor: event.actor } }
    case 'erased':
      return { ...row, type: 'contract.erased', data: { ...facts, at } }
    default:
      return event satisfies never
  }
}
