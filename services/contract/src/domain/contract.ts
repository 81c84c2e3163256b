// The contract as a state machine: `decide` turns a command into events, `evolve` applies an event. [States and transitions]
// Pure: no clock, no I/O. `TRANSITIONS` is the specification's table, which `evolve` enforces.
import { READDRESSES_MAX, type ContractStatus } from '@paraph/protocol/contract'
import type { Environment } from '@paraph/protocol/environment'

type Trigger = 'create' | 'sign_not_last' | 'sign_last' | 'expire' | 'cancel'

/**
 * From × trigger → to; `none` is the state before creation. `evolve` refuses every other transition. `signed`, `expired` and `cancelled`
 * are final.
 */
export const TRANSITIONS: readonly { from: ContractStatus | 'none'; trigger: Trigger; to: ContractStatus }[] = [
  { from: 'none', trigger: 'create', to: 'pending_signature' },
  { from: 'pending_signature', trigger: 'sign_not_last', to: 'partially_signed' },
  { from: 'partially_signed', trigger: 'sign_not_last', to: 'partially_signed' },
  { from: 'partially_signed', trigger: 'sign_last', to: 'signed' },
  { from: 'pending_signature', trigger: 'expire', to: 'expired' },
  { from: 'partially_signed', trigger: 'expire', to: 'expired' },
  { from: 'pending_signature', trigger: 'cancel', to: 'cancelled' },
  { from: 'partially_signed', trigger: 'cancel', to: 'cancelled' },
]

const HOUR_MS = 3_600_000

/** Time from creation to expiry, in milliseconds: 14 days, and one hour in the sandbox. [Environments, Limits] */
export const LIFETIME_MS: Readonly<Record<Environment, number>> = { production: 14 * 24 * HOUR_MS, sandbox: HOUR_MS }

/** The state that decisions need: no names, no text. */
export interface Contract {
  status: ContractStatus
  partyCount: number
  /** Signatures made so far, at most one per party. */
  signatures: readonly { partyIndex: number; attemptId: string; signedAt: Date }[]
  /** The parties that have declined at their present address, also those that have signed since. The contract stays open. [D57] */
  declined: readonly number[]
  /** The party of each corrected address, once for each correction. [D61] */
  readdressed: readonly number[]
  /** Whether a party that declines cancels the contract. Fixed at creation. [D57] */
  cancelsOnDecline: boolean
  expiresAt: Date
  /** Whether the text, names and addresses are erased. [D43] */
  isErased: boolean
  /** Whether an operator keeps the contract from every erasure. [P32] */
  isHeld: boolean
  /** When an owner's request erases the contract; null without a request. [P32] */
  eraseDueAt: Date | null
  /** The time of the last event. */
  changedAt: Date
  /** Aggregate version: 1 after creation, one more per event. */
  version: number
}

export type Actor = 'owner' | 'operator' | 'party'

/** Creates a contract, whose body has passed `createContractSchema`. */
interface CreateCommand {
  type: 'create'
  environment: Environment
  partyCount: number
  cancelsOnDecline: boolean
}

/**
 * A command about a party. `addressNumber`: the address of the party that the caller knows, 0 before the first correction, which is the
 * default. If it is not the current one, the command is refused: who proved the old mailbox may not sign for the new one. [D61]
 */
interface OfParty {
  partyIndex: number
  addressNumber?: number
}

/** Changes an existing contract. */
export type Command =
  | (OfParty & { type: 'sign'; attemptId: string })
  | (OfParty & { type: 'decline'; declineId: string })
  /** Corrects the address of a party that has not signed. */
  | (OfParty & { type: 'readdress' })
  | { type: 'cancel'; actor: Exclude<Actor, 'party'> }
  /** `isEarly`: an owner does not wait for `expiresAt`; for the sandbox alone, which the caller checks. [D63] */
  | { type: 'expire'; isEarly?: true }
  /** `isRequested`: carries out an owner's request, so it must be due. */
  | { type: 'erase'; isRequested?: true }

export interface ContractCreated {
  type: 'created'
  at: Date
  expiresAt: Date
  partyCount: number
  cancelsOnDecline: boolean
}

export type ContractEvent =
  | ContractCreated
  | { type: 'party_signed'; partyIndex: number; attemptId: string; at: Date; signed: number; total: number }
  | { type: 'completed'; at: Date; total: number }
  | { type: 'party_declined'; partyIndex: number; declineId: string; at: Date }
  /** `addressNumber`: 1 for the first correction. */
  | { type: 'party_readdressed'; partyIndex: number; addressNumber: number; at: Date }
  | { type: 'expired'; at: Date }
  | { type: 'cancelled'; at: Date; actor: Actor }
  | { type: 'erased'; at: Date; isRequested: boolean }

/** The reason why a command changes nothing. */
export type Refusal =
  | 'signed'
  | 'expired'
  | 'cancelled'
  | 'already_signed'
  | 'unknown_party'
  | 'readdressed'
  | 'readdressed_too_often'
  | 'not_due'
  | 'not_final'
  | 'held'

export type Decision = { events: ContractEvent[] } | { refusal: Refusal }

const FINAL = { signed: 'signed', expired: 'expired', cancelled: 'cancelled' } as const

/** The status at `now`: from `expiresAt` on, an open contract counts as expired, even before the expiry sweep stores that. [D20] */
export function statusAt(contract: Pick<Contract, 'status' | 'expiresAt'>, now: Date): ContractStatus {
  return isFinal(contract.status) || now < contract.expiresAt ? contract.status : 'expired'
}

/** True for a status that no transition leaves. */
export function isFinal(status: ContractStatus): status is keyof typeof FINAL {
  return Object.hasOwn(FINAL, status)
}

/**
 * The events that `command` causes at `now`, or the reason why it changes nothing. Before creation, `contract` is undefined.
 * A new contract expires after the lifetime of its environment, to the millisecond. [POST /contracts, D20]
 * A repeated `sign` with the same attempt causes no event and is not refused. [D41]
 */
export function decide(contract: undefined, command: CreateCommand, now: Date): { events: [ContractCreated] }
export function decide(contract: Contract, command: Command, now: Date): Decision
export function decide(contract: Contract | undefined, command: CreateCommand | Command, now: Date): Decision {
  if (command.type === 'create') {
    const { environment, partyCount, cancelsOnDecline } = command
    const expiresAt = new Date(now.getTime() + LIFETIME_MS[environment])
    return { events: [{ type: 'created', at: now, expiresAt, partyCount, cancelsOnDecline }] }
  }
  if (!contract) throw new Error(`${command.type}: there is no contract yet`)
  switch (command.type) {
    case 'sign':
      return decideSign(contract, command, now)
    case 'decline':
      return decideDecline(contract, command, now)
    case 'readdress':
      return decideReaddress(contract, command, now)
    case 'cancel': {
      const status = statusAt(contract, now)
      if (isFinal(status)) return { refusal: FINAL[status] }
      return { events: [{ type: 'cancelled', at: timeAfter(contract, now), actor: command.actor }] }
    }
    case 'expire':
      if (isFinal(contract.status)) return { refusal: FINAL[contract.status] }
      if (command.isEarly && now < contract.expiresAt)
        return { events: [{ type: 'expired', at: timeAfter(contract, now) }] }
      // A contract expires at expiresAt, however late the sweep runs.
      return now < contract.expiresAt
        ? { refusal: 'not_due' }
        : { events: [{ type: 'expired', at: contract.expiresAt }] }
    case 'erase':
      // From `expiresAt` on, a contract is not final until the expiry sweep stores the status, within a second.
      if (contract.isErased) return { events: [] }
      if (!isFinal(contract.status)) return { refusal: 'not_final' }
      if (contract.isHeld) return { refusal: 'held' }
      if (command.isRequested && !(contract.eraseDueAt && contract.eraseDueAt <= now)) return { refusal: 'not_due' }
      return { events: [{ type: 'erased', at: timeAfter(contract, now), isRequested: command.isRequested ?? false }] }
    default:
      return command satisfies never
  }
}

function decideSign(contract: Contract, command: Command & { type: 'sign' }, now: Date): Decision {
  const { partyIndex, attemptId } = command
  const earlier = contract.signatures.find((signature) => signature.partyIndex === partyIndex)
  // Checked before the status: a party that repeats the completing signature gets the recorded result.
  if (earlier) return earlier.attemptId === attemptId ? { events: [] } : { refusal: 'already_signed' }
  const refusal = refusalOfParty(contract, command, now)
  if (refusal) return { refusal }
  const signed = contract.signatures.length + 1
  const total = contract.partyCount
  const at = timeAfter(contract, now)
  const events: ContractEvent[] = [{ type: 'party_signed', partyIndex, attemptId, at, signed, total }]
  if (signed === total) events.push({ type: 'completed', at, total })
  return { events }
}

/** A party that declines again, with whatever id, changes nothing. [D57] */
function decideDecline(contract: Contract, command: Command & { type: 'decline' }, now: Date): Decision {
  const { partyIndex, declineId } = command
  const refusal = refusalOfParty(contract, command, now)
  if (refusal) return { refusal }
  if (contract.declined.includes(partyIndex)) return { events: [] }
  const at = timeAfter(contract, now)
  const events: ContractEvent[] = [{ type: 'party_declined', partyIndex, declineId, at }]
  if (contract.cancelsOnDecline) events.push({ type: 'cancelled', at, actor: 'party' })
  return { events }
}

/** Also of a party that has declined, which can have been the wrong person. [D61] */
function decideReaddress(contract: Contract, command: Command & { type: 'readdress' }, now: Date): Decision {
  const { partyIndex } = command
  const refusal = refusalOfParty(contract, command, now)
  if (refusal) return { refusal }
  const addressNumber = addressNumberOf(contract, partyIndex) + 1
  if (addressNumber > READDRESSES_MAX) return { refusal: 'readdressed_too_often' }
  return { events: [{ type: 'party_readdressed', partyIndex, addressNumber, at: timeAfter(contract, now) }] }
}

/** Why a party that has not signed can do nothing, or nothing can be done for it. */
function refusalOfParty(
  contract: Contract,
  { partyIndex, addressNumber = 0 }: OfParty,
  now: Date,
): Refusal | undefined {
  const status = statusAt(contract, now)
  if (isFinal(status)) return FINAL[status]
  if (partyIndex < 0 || partyIndex >= contract.partyCount) return 'unknown_party'
  if (contract.signatures.some((signature) => signature.partyIndex === partyIndex)) return 'already_signed'
  return addressNumber === addressNumberOf(contract, partyIndex) ? undefined : 'readdressed'
}

/** How often the address of a party was corrected. */
export const addressNumberOf = ({ readdressed }: Pick<Contract, 'readdressed'>, partyIndex: number): number =>
  readdressed.filter((party) => party === partyIndex).length

/** Whether a party has declined and not signed since, which takes the decline back. [D57] */
export const hasDecline = ({ declined, signatures }: Contract): boolean =>
  declined.some((party) => !signatures.some(({ partyIndex }) => partyIndex === party))

/** `now`, or the time of the last event if the clock was set back since: events are never dated before earlier ones. [I3, F32] */
const timeAfter = ({ changedAt }: Contract, now: Date): Date => (now < changedAt ? changedAt : now)

/** The contract after `event`. @throws Error if `TRANSITIONS` has no such transition, which means that the row was not locked */
export function evolve(contract: Contract | undefined, event: ContractEvent): Contract {
  if (event.type === 'created') {
    const { expiresAt, partyCount, cancelsOnDecline } = event
    const status = move(contract?.status ?? 'none', 'create')
    return {
      status,
      partyCount,
      signatures: [],
      declined: [],
      readdressed: [],
      cancelsOnDecline,
      expiresAt,
      isErased: false,
      isHeld: false,
      eraseDueAt: null,
      changedAt: event.at,
      version: 1,
    }
  }
  if (!contract) throw new Error(`${event.type}: there is no contract yet`)
  const next = { ...contract, version: contract.version + 1, changedAt: event.at }
  switch (event.type) {
    case 'party_signed': {
      const { partyIndex, attemptId, at } = event
      const signatures = [...contract.signatures, { partyIndex, attemptId, signedAt: at }]
      // The last signature does not change the status; the event `completed`, which follows in the same transaction, does.
      const status = event.signed === event.total ? contract.status : move(contract.status, 'sign_not_last')
      return { ...next, signatures, status }
    }
    case 'completed':
      return { ...next, status: move(contract.status, 'sign_last') }
    case 'party_declined':
      // Not a transition: the party can still sign. [D57]
      return { ...next, declined: [...contract.declined, event.partyIndex] }
    case 'party_readdressed': {
      // The decline came from the old address, whose reader may be somebody else.
      const declined = contract.declined.filter((party) => party !== event.partyIndex)
      return { ...next, declined, readdressed: [...contract.readdressed, event.partyIndex] }
    }
    case 'expired':
      return { ...next, status: move(contract.status, 'expire'), expiresAt: event.at }
    case 'cancelled':
      return { ...next, status: move(contract.status, 'cancel') }
    case 'erased':
      // Erasure has no status of its own: the contract stays signed, expired or cancelled. [D43]
      return { ...next, isErased: true }
    default:
      return event satisfies never
  }
}

function move(from: ContractStatus | 'none', trigger: Trigger): ContractStatus {
  const transition = TRANSITIONS.find((row) => row.from === from && row.trigger === trigger)
  if (!transition) throw new Error(`no transition from ${from} by ${trigger}`)
  return transition.to
}
