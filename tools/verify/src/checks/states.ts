// Checks I2, I3, I4 and I10. Signatures, the end and the erasure of a contract determine its status and version. No signature is later
// than the end, and a completion has the time of the last signature. Nobody signs or cancels from expiresAt on, and no contract stays open
// then. The rules come from the specification's table, not from contract.ts, which wrote the checked rows. Cannot detect: a status that
// clients saw going back, and a wrong order of a signature and an end within one millisecond.
import { violationsOf, type ContractCheck, type Violation } from '../check.js'
import { FINAL_STATUSES, type ContractRow } from '../rows/contract-rows.js'

export const statesFollowSignatures: ContractCheck = {
  invariants: ['I2', 'I4'],
  compares: 'status, version and end of each contract with its signatures; its signatures with its parties',
  async check({ contracts }) {
    const rows = [...(await contracts()).values()]
    return {
      counts: { contracts: rows.length, signatures: rows.reduce((sum, row) => sum + row.signatures.length, 0) },
      violations: rows.flatMap(stateViolations),
    }
  },
}

export const endsAreFinal: ContractCheck = {
  invariants: ['I3', 'I10'],
  compares: 'the time of each signature with the end of its contract and with expiresAt; open contracts with the clock',
  async check({ contracts, scope: { withinSeconds } }) {
    const rows = [...(await contracts()).values()]
    return {
      counts: { contracts: rows.length, ends: rows.filter(isFinal).length },
      violations: rows.flatMap((row) => endViolations(row, withinSeconds)),
    }
  },
}

const isFinal = ({ status }: ContractRow): boolean => FINAL_STATUSES.includes(status)

/** The contradictions in a contract. Pure. */
export function stateViolations(row: ContractRow): Violation[] {
  const { status, signatures, declines, readdresses, partyCount } = row
  const signed = signatures.length
  const signers = new Set(signatures.map(({ partyIndex }) => partyIndex))
  const isOfNoParty = [...signers].some((index) => index < 0 || index >= partyCount)
  const isReaddressedSigner = readdresses.some(({ partyIndex, readdressedAt }) =>
    signatures.some(
      (signature) => signature.partyIndex === partyIndex && signature.signedAt.toISOString() < readdressedAt,
    ),
  )
  const isSigned = status === 'signed'
  const isCancelled = status === 'cancelled'
  // One event for the creation, one for each signature, decline and corrected address, one for the end, one for the erasure.
  const events =
    1 + signed + declines.length + readdresses.length + (isFinal(row) ? 1 : 0) + (row.erasedAt === null ? 0 : 1)
  return violationsOf(row.id, [
    [signers.size < signed, 'I2', 'broken', 'has two signatures of one party'],
    [isOfNoParty, 'I2', 'broken', 'has a signature of a party that does not exist'],
    [isReaddressedSigner, 'I2', 'broken', 'has a party whose address was corrected after it signed'],
    [isSigned !== (signed === partyCount), 'I4', 'broken', 'is signed without all signatures, or not signed with all'],
    [status === 'pending_signature' && signed > 0, 'I4', 'broken', 'is pending with a signature'],
    [status === 'partially_signed' && signed === 0, 'I4', 'broken', 'is partially signed without a signature'],
    [isSigned !== (row.completedAt !== null), 'I4', 'broken', 'has a completion time that contradicts its status'],
    [isCancelled !== (row.cancelledAt !== null), 'I4', 'broken', 'has a cancellation time that contradicts its status'],
    [status === 'expired' && row.expiresAt > row.now, 'I4', 'broken', 'is expired before expiresAt'],
    [row.version !== events, 'I4', 'broken', 'has a version that differs from the number of its events'],
  ])
}

/** Violations at or after the end of a contract. Pure. */
export function endViolations(row: ContractRow, withinSeconds: number): Violation[] {
  const { signatures, completedAt, cancelledAt, expiresAt } = row
  const newestMs = Math.max(...signatures.map(({ signedAt }) => signedAt.getTime()))
  const isUneven = signatures.length > 0 && completedAt !== null && newestMs !== completedAt.getTime()
  const isAfterCancel = cancelledAt !== null && newestMs > cancelledAt.getTime()
  const isOverdue = !isFinal(row) && expiresAt.getTime() + withinSeconds * 1_000 < row.now.getTime()
  return violationsOf(row.id, [
    [isUneven, 'I3', 'broken', 'has a completion time that differs from its last signature'],
    [isAfterCancel, 'I3', 'broken', 'has a signature after its cancellation'],
    [newestMs >= expiresAt.getTime(), 'I10', 'broken', 'has a signature after its expiry'],
    [cancelledAt !== null && cancelledAt >= expiresAt, 'I10', 'broken', 'was cancelled after its expiry'],
    [isOverdue, 'I10', 'late', 'is still open after its expiry'],
  ])
}
