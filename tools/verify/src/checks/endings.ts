// I3 and I10: only the completing signature coincides with the end of a contract, and none follows it; nobody signs or cancels after
// expiresAt, and no expired contract stays open.
// Cannot see: what clients read (a status that went back), and the order of a signature and an end within one millisecond.
import type { ContractBatch, ContractCheck, Violation } from '../check.js'
import { FINAL_STATUSES, type ContractRow } from '../rows/contract-rows.js'

export const endsAreEnds: ContractCheck = {
  invariants: ['I3', 'I10'],
  compares: 'the time of each signature with the end of its contract and with expiresAt; open contracts with the clock',
  async look({ contracts, scope: { withinSeconds } }: ContractBatch) {
    const rows = [...(await contracts()).values()]
    return {
      looked: { contracts: rows.length, ends: rows.filter(({ status }) => FINAL_STATUSES.includes(status)).length },
      violations: rows.flatMap((row) => endViolations(row, withinSeconds)),
    }
  },
}

/** What happened to a contract after its end. Pure. */
export function endViolations(row: ContractRow, withinSeconds: number): Violation[] {
  const newestMs = Math.max(...row.signatures.map(({ signedAt }) => signedAt.getTime()))
  const { completedAt, cancelledAt, expiresAt } = row
  const isOpen = !FINAL_STATUSES.includes(row.status)
  const faults: [boolean, Pick<Violation, 'invariant' | 'kind' | 'fault'>][] = [
    [
      completedAt !== null && row.signatures.length > 0 && newestMs !== completedAt.getTime(),
      { invariant: 'I3', kind: 'broken', fault: 'has a completion time that differs from its last signature' },
    ],
    [
      cancelledAt !== null && newestMs > cancelledAt.getTime(),
      { invariant: 'I3', kind: 'broken', fault: 'has a signature after its cancellation' },
    ],
    [newestMs >= expiresAt.getTime(), { invariant: 'I10', kind: 'broken', fault: 'has a signature after its expiry' }],
    [
      cancelledAt !== null && cancelledAt >= expiresAt,
      { invariant: 'I10', kind: 'broken', fault: 'was cancelled after its expiry' },
    ],
    [
      isOpen && expiresAt.getTime() + withinSeconds * 1_000 < row.now.getTime(),
      { invariant: 'I10', kind: 'late', fault: 'is still open after its expiry' },
    ],
  ]
  return faults.filter(([isFault]) => isFault).map(([, fault]) => ({ ...fault, subject: row.id }))
}
