// The types of the checks of invariants and of their results. [I1-I14]
// A check compares rows of one moment per database. It never writes, and its result holds only ids and times, never text of a person.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { ServiceName } from '@paraph/protocol/services'
import type { ContractRow } from './rows/contract-rows.js'
import type { DeliveryRow } from './rows/delivery-rows.js'
import type { Range } from './rows/range.js'

export type Source = ServiceName | 'bus'

/** A read-only session per database. `bus` is undefined with Kafka, which has no rows. */
export type Looks = Record<ServiceName, ReadOnlySession> & { bus: ReadOnlySession | undefined }

export interface Scope {
  /** Only contracts, events and calls from here on. */
  since: Date | undefined
  /** Only this contract. */
  contractId: string | undefined
  /** How long work may be in progress before it counts as late. */
  withinSeconds: number
}

/** One range of contracts; rows that several checks share are read once. */
export interface ContractBatch {
  looks: Looks
  scope: Scope
  range: Range
  /** By contract id. */
  contracts: () => Promise<ReadonlyMap<string, ContractRow>>
  deliveries: () => Promise<readonly DeliveryRow[]>
}

export type Invariant = `I${1 | 2 | 3 | 4 | 5 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14}`

/** `broken`: wrong at any moment. `late`: legitimate while in progress, but for too long. */
export interface Violation {
  invariant: Invariant
  kind: 'broken' | 'late'
  /** The contract, account or row concerned. */
  subject: string
  /** What is wrong, in one clause without ids, so that equal ones can be counted. */
  fault: string
}

export interface Counted {
  invariant: Invariant
  kind: Violation['kind']
  count: number
}

export interface Found {
  /** What was checked → how many. */
  looked: Record<string, number>
  violations: Violation[]
  /** Violations that are not listed. */
  beyond?: Counted[]
}

/** A check that runs over the contracts, some hundred at a time. */
export interface ContractCheck {
  compares: string
  invariants: readonly Invariant[]
  look: (batch: ContractBatch) => Promise<Found>
}

/** A check of tables that are not in the order of contracts. */
export interface TableCheck {
  compares: string
  invariants: readonly Invariant[]
  parts: readonly TablePart[]
}

/** One part of a check, at one moment of each database that it reads. Others are left out, because a snapshot holds up vacuum. */
export interface TablePart {
  reads: readonly Source[]
  look: (looks: Looks, scope: Scope) => Promise<Found>
}
