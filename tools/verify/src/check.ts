// What a check of an invariant is, and what it may say. [I1-I14]
// A check looks at rows of one moment per database and compares; it never writes, and what it says holds ids and times only,
// never what a person wrote.
import type { ReadOnlySession } from '@paraph/database/read-only-session'
import type { ServiceName } from '@paraph/protocol/caller'
import type { ContractRow } from './contract-rows.js'
import type { DeliveryRow } from './delivery-rows.js'

export type Source = ServiceName | 'bus'

/** An open look at every database. `bus` is missing where the bus is Kafka, which has no rows. */
export type Looks = Record<ServiceName, ReadOnlySession> & { bus: ReadOnlySession | undefined }

export interface Scope {
  /** Only contracts, events and calls from here on. */
  since: Date | undefined
  /** Only this contract. */
  contractId: string | undefined
  /** How long work may be under way before it counts as late. */
  withinSeconds: number
}

/** Contracts from one id to another, both included, in the order of the databases. */
export interface Range {
  from: string
  to: string
}

/** What several checks look at, read once. */
export interface ContractBatch {
  looks: Looks
  scope: Scope
  range: Range
  /** By contract id. */
  contracts: () => Promise<ReadonlyMap<string, ContractRow>>
  deliveries: () => Promise<readonly DeliveryRow[]>
}

export type Invariant = `I${1 | 2 | 3 | 4 | 5 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14}`

/** `broken`: never right, at whatever moment. `late`: right only while it is under way, and that for too long. */
export interface Violation {
  invariant: Invariant
  kind: 'broken' | 'late'
  /** What it is about: a contract, an account, a row. */
  subject: string
  /** What is wrong, in one clause without ids, so that it can be counted. */
  fault: string
}

export interface Counted {
  invariant: Invariant
  kind: Violation['kind']
  count: number
}

export interface Found {
  /** What was looked at → how many. */
  looked: Record<string, number>
  violations: Violation[]
  /** What was found besides and is not listed. */
  beyond?: Counted[]
}

/** One that goes over the contracts, some hundred at a time. */
export interface ContractCheck {
  compares: string
  invariants: readonly Invariant[]
  look: (batch: ContractBatch) => Promise<Found>
}

/** One that goes over tables which are not in the order of contracts. */
export interface TableCheck {
  compares: string
  invariants: readonly Invariant[]
  parts: readonly TablePart[]
}

/** What is looked at together, at one moment of each database that it reads and of no other: a look holds up vacuum there. */
export interface TablePart {
  reads: readonly Source[]
  look: (looks: Looks, scope: Scope) => Promise<Found>
}
