// Maps each event of a contract to its outbox row. Pure. [Topics and events of docs/architecture.md, D48]
import type { OutboxEvent } from '@paraph/messaging/outbox'
import type { Environment } from '@paraph/protocol/environment'
import type { ContractEvent } from './contract.js'

/** The contract and its owner, part of the data of every event. */
interface EventSource {
  contractId: string
  accountId: string
  environment: Environment
}

/** @param sequence the contract's version after the event */
export function outboxRowOf(event: ContractEvent, sequence: number, source: EventSource): OutboxEvent {
  const at = event.at.toISOString()
  const row = { topic: 'contract.events.v1', subject: source.contractId, sequence, time: event.at } as const
  switch (event.type) {
    case 'created': {
      const { expiresAt, partyCount } = event
      const data = { ...source, partyCount, createdAt: at, expiresAt: expiresAt.toISOString() }
      return { ...row, type: 'contract.created', data }
    }
    case 'party_signed': {
      const { partyIndex, attemptId, signed, total } = event
      const data = { ...source, partyIndex, attemptId, signedAt: at, signed, total }
      return { ...row, type: 'contract.party_signed', data }
    }
    case 'completed':
      return { ...row, type: 'contract.completed', data: { ...source, total: event.total, completedAt: at } }
    case 'expired':
      return { ...row, type: 'contract.expired', data: { ...source, at } }
    case 'cancelled':
      return { ...row, type: 'contract.cancelled', data: { ...source, at, actor: event.actor } }
    case 'erased':
      return { ...row, type: 'contract.erased', data: { ...source, at } }
    default:
      return event satisfies never
  }
}
