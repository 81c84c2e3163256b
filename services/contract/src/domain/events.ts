// Maps each event of a contract to its outbox row. Pure. [Topics and events of docs/explanation/architecture.md, D48]
import type { OutboxEvent } from '@paraph/messaging/outbox'
import type { Principal } from '@paraph/protocol/principal'
import type { ContractEvent } from './contract.js'

/** The contract and its owner, part of the data of every event. */
type EventSource = { contractId: string } & Pick<Principal, 'accountId' | 'environment'>

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
    case 'party_declined': {
      const { partyIndex, declineId } = event
      return { ...row, type: 'contract.party_declined', data: { ...source, partyIndex, declineId, declinedAt: at } }
    }
    case 'party_readdressed': {
      const { partyIndex, addressNumber } = event
      const data = { ...source, partyIndex, addressNumber, readdressedAt: at }
      return { ...row, type: 'contract.party_readdressed', data }
    }
    case 'expired':
    case 'erased':
      return { ...row, type: `contract.${event.type}`, data: { ...source, at } }
    case 'cancelled':
      return { ...row, type: 'contract.cancelled', data: { ...source, at, actor: event.actor } }
    default:
      return event satisfies never
  }
}
