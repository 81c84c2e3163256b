// The contract: what may happen to it and what follows. [States and transitions]
// PURE: no clock, no I/O. `TRANSITIONS` is the specification's table; `decide` and `evolve` only read it.
import type { ContractStatus } from '@paraph/protocol/contract'

export type Trigger = 'sign_not_last' | 'sign_last' | 'expire' | 'cancel'

/** From × trigger → to. What is not in the table cannot happen; `signed`, `expired` and `cancelled` are final. */
export const TRANSITIONS: readonly { from: ContractStatus; trigger: Trigger; to: ContractStatus }[] = [
  { from: 'pending_signature', trigger: 'sign_not_last', to: 'partially_signed' },
  { from: 'partially_signed', trigger: 'sign_not_last', to: 'partially_signed' },
  { from: 'partially_signed', trigger: 'sign_last', to: 'signed' },
  { from: 'pending_signature', trigger: 'expire', to: 'expired' },
  { from: 'partially_signed', trigger: 'expire', to: 'expired' },
  { from: 'pending_signature', trigger: 'cancel', to: 'cancelled' },
  { from: 'partially_signed', trigger: 'cancel', to: 'cancelled' },
]

/** What decisions are made on: no names, no text. */
export interface Contract {
  status: ContractStatus
  partyCount: number
  /** Signatures made so far, at most one per party. */
  signatures: readonly { partyIndex: number; attemptId: string; signedAt: Date }[]
  expiresAt: Date
  /** Whether its text, names and addresses are gone. [D43] */
  isErased: boolean
  /** Aggregate version: 1 after creation, one more per event. */
  version: number
}

export type Actor = 'owner' | 'operator'

export type Command =
  | { type: 'sign'; partyIndex: number; attemptId: string }
  | { type: 'cancel'; actor: Actor }
  | { type: 'expire' }
  | { type: 'erase' }

export type ContractEvent =
  | { type: 'party_signed'; partyIndex: number; attemptId: string; at: Date; signed: number; total: number }
  | { type: 'completed'; at: Date; total: number }
  | { type: 'expired'; at: Date }
  | { type: 'cancelled'; at: Date; actor: Actor }
  | { type: 'erased'; at: Date }

/** Why a command changes nothing. */
export type Refusal = 'signed' | 'expired' | 'cancelled' | 'already_signed' | 'unknown_party' | 'not_due' | 'not_final'

export type Decision = { events: ContractEvent[] } | { refusal: Refusal }

const FINAL = { signed: 'signed', expired: 'expired', cancelled: 'cancelled' } as const

/** The status at `now`: at or after `expiresAt` an open contract is expired, swept or not. [D20] */
export function statusAt(contract: Pick<Contract, 'status' | 'expiresAt'>, now: Date): ContractStatus {
  return isFinal(contract.status) || now < contract.expiresAt ? contract.status : 'expired'
}

/** True for the statuses that nothing leads out of. */
export function isFinal(status: ContractStatus): status is keyof typeof FINAL {
  return Object.hasOwn(FINAL, status)
}

/**
 * What `command` brings about at `now`, or why it does nothing.
 * Repeating a sign with the same attempt brings about nothing new and is not refused. [D41]
 */
export function decide(contract: Contract, command: Command, now: Date): Decision {
  switch (command.type) {
    case 'sign':
      return decideSign(contract, command, now)
    case 'cancel': {
      const status = statusAt(contract, now)
      if (isFinal(status)) return { refusal: FINAL[status] }
      return { events: [{ type: 'cancelled', at: now, actor: command.actor }] }
    }
    case 'expire':
      if (isFinal(contract.status)) return { refusal: FINAL[contract.status] }
      // The moment of expiry is expiresAt, however late the sweep comes by.
      return now < contract.expiresAt
        ? { refusal: 'not_due' }
        : { events: [{ type: 'expired', at: contract.expiresAt }] }
    case 'erase':
      // What is erased already stays so. An end by the clock alone is not stored yet: the sweep is there within a second.
      if (contract.isErased) return { events: [] }
      return isFinal(contract.status) ? { events: [{ type: 'erased', at: now }] } : { refusal: 'not_final' }
    default:
      return command satisfies never
  }
}

function decideSign(contract: Contract, { partyIndex, attemptId }: Command & { type: 'sign' }, now: Date): Decision {
  const earlier = contract.signatures.find((signature) => signature.partyIndex === partyIndex)
  // Before the state: a party whose signature completed the contract asks again and is told it stands.
  if (earlier) return earlier.attemptId === attemptId ? { events: [] } : { refusal: 'already_signed' }
  const status = statusAt(contract, now)
  if (isFinal(status)) return { refusal: FINAL[status] }
  if (partyIndex < 0 || partyIndex >= contract.partyCount) return { refusal: 'unknown_party' }
  const signed = contract.signatures.length + 1
  const total = contract.partyCount
  const events: ContractEvent[] = [{ type: 'party_signed', partyIndex, attemptId, at: now, signed, total }]
  if (signed === total) events.push({ type: 'completed', at: now, total })
  return { events }
}

/** The contract after `event`. @throws Error when the table has no such transition: the row was not locked */
export function evolve(contract: Contract, event: ContractEvent): Contract {
  const next = { ...contract, version: contract.version + 1 }
  switch (event.type) {
    case 'party_signed': {
      const { partyIndex, attemptId, at } = event
      const signatures = [...contract.signatures, { partyIndex, attemptId, signedAt: at }]
      // The last signature leaves the status to `completed`, which follows in the same transaction.
      const status = event.signed === event.total ? contract.status : move(contract.status, 'sign_not_last')
      return { ...next, signatures, status }
    }
    case 'completed':
      return { ...next, status: move(contract.status, 'sign_last') }
    case 'expired':
      return { ...next, status: move(contract.status, 'expire') }
    case 'cancelled':
      return { ...next, status: move(contract.status, 'cancel') }
    case 'erased':
      // No status of its own: what the contract came to stays true. [D43]
      return { ...next, isErased: true }
    default:
      return event satisfies never
  }
}

function move(from: ContractStatus, trigger: Trigger): ContractStatus {
  const transition = TRANSITIONS.find((row) => row.from === from && row.trigger === trigger)
  if (!transition) throw new Error(`no transition from ${from} by ${trigger}`)
  return transition.to
}

/** Signing progress for clients; percentage is rounded to two decimals. [SigningProgress, D13] */
export function progress(signed: number, total: number) {
  return { signed, total, pending: total - signed, percentage: Math.round((10_000 * signed) / total) / 100 }
}
