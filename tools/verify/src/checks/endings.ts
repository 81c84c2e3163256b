// I3 and I10: no signature from the end of a contract on, but the one that completed it; nobody signs or cancels when its time is
// over, and nothing stays open.
// Cannot see: what clients read (a status that went back). Signature and end within one millisecond are in an order that no row tells.
import type { ContractBatch, ContractCheck, Violation } from './check.js'
import { FINAL_STATUSES, type ContractRow } from './contract-rows.js'

export const endsAreEnds: ContractCheck = {
  invariants: ['I3', 'I10'],
  compares: 'the time of each signature with the end of its contract and with expiresAt; open contracts with the clock',
  async look({ contracts, scope: { withinSeconds } }: ContractBatch) {
    const rows = [...(await contracts()).values()]
    return {
      looked: { contracts: rows.length, ends: rows.filter(({ status }) => FINAL_STATUSES.includes(status)).length },
      violations: rows.flatMap((row) => faultsOfEnd(row, withinSeconds)),
    }
  },
}

/** What of a contract goes on after its end. Pure. */
export function faultsOfEnd(row: ContractRow, withinSeconds: number): Violation[] {
  const newestMs = Math.max(...row.signatures.map(({ signedAt }) => signedAt.getTime()))
  const { completedAt, cancelledAt, expiresAt } = row
  const isOpen = !FINAL_STATUSES.includes(row.status)
  const faults: [boolean, Pick<Violation, 'invariant' | 'kind' | 'fault'>][] = [
    [
      completedAt !== null && row.signatures.length > 0 && newestMs !== completedAt.getTime(),
      { invariant: 'I3', kind: 'broken', fault: 'was completed at another time than its last signature' },
    ],
    [
      cancelledAt !== null && newestMs > cancelledAt.getTime(),
      { invariant: 'I3', kind: 'broken', fault: 'has a signature from after its cancellation' },
    ],
    [
      newestMs >= expiresAt.getTime(),
      { invariant: 'I10', kind: 'broken', fault: 'has a signature from when its time was over' },
    ],
    [
      cancelledAt !== null && cancelledAt >= expiresAt,
      { invariant: 'I10', kind: 'broken', fault: 'was cancelled when its time was over' },
    ],
    [
      isOpen && expiresAt.getTime() + withinSeconds * 1_000 < row.now.getTime(),
      { invariant: 'I10', kind: 'late', fault: 'is still open though its time is over' },
    ],
  ]
  return faults.filter(([isFault]) => isFault).map(([, fault]) => ({ ...fault, subject: row.id }))
}
