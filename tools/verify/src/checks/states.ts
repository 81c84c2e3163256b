// I2 and I4: the status, the progress and the version of a contract follow from its signatures and its end, and from nothing else.
// `stateViolations` follows the specification's table and does not use contract.ts, whose rows it checks.
import type { ContractBatch, ContractCheck, Invariant } from '../check.js'
import { FINAL_STATUSES, type ContractRow } from '../rows/contract-rows.js'

export const statesFollow: ContractCheck = {
  invariants: ['I2', 'I4'],
  compares: 'status, version and end of each contract with its signatures; its signatures with its parties',
  async look({ contracts }: ContractBatch) {
    const rows = [...(await contracts()).values()]
    return {
      looked: { contracts: rows.length, signatures: rows.reduce((sum, row) => sum + row.signatures.length, 0) },
      violations: rows.flatMap((row) =>
        stateViolations(row).map(([invariant, fault]) => ({ invariant, kind: 'broken', subject: row.id, fault })),
      ),
    }
  },
}

type Fault = [Invariant, string]

/** The contradictions in a contract. Pure. */
export function stateViolations(row: ContractRow): Fault[] {
  const { status, signatures, partyCount } = row
  const signed = signatures.length
  const signers = new Set(signatures.map(({ partyIndex }) => partyIndex))
  const isFinal = FINAL_STATUSES.includes(status)
  const faults: [boolean, Fault][] = [
    [signers.size < signed, ['I2', 'has two signatures of one party']],
    [
      [...signers].some((index) => index < 0 || index >= partyCount),
      ['I2', 'has a signature of a party that does not exist'],
    ],
    [
      (status === 'signed') !== (signed === partyCount),
      ['I4', 'is signed without all signatures, or not signed with all'],
    ],
    [status === 'pending_signature' && signed > 0, ['I4', 'is pending with a signature']],
    [status === 'partially_signed' && signed === 0, ['I4', 'is partially signed without a signature']],
    [(status === 'signed') !== (row.completedAt !== null), ['I4', 'has a completion time that contradicts its status']],
    [
      (status === 'cancelled') !== (row.cancelledAt !== null),
      ['I4', 'has a cancellation time that contradicts its status'],
    ],
    [status === 'expired' && row.expiresAt > row.now, ['I4', 'is expired before expiresAt']],
    // One event for the creation, one for each signature, one for the end, one for the erasure.
    [
      row.version !== 1 + signed + (isFinal ? 1 : 0) + (row.erasedAt === null ? 0 : 1),
      ['I4', 'has a version that differs from the number of its events'],
    ],
  ]
  return faults.filter(([isFault]) => isFault).map(([, fault]) => fault)
}
