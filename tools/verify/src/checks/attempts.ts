// I5: every accepted attempt has its signature, exactly one, and no refused attempt has any. [D41]
// Reads the attempts of the signing service before the signatures of the contract service: the second must hold every outcome that
// the first knows.
import type { ContractBatch, ContractCheck, Violation } from '../check.js'
import type { ContractRow } from '../rows/contract-rows.js'

interface AttemptRow {
  id: string
  contractId: string
  partyIndex: number
  state: 'submitted' | 'accepted' | 'refused'
  signedAt: Date | null
  submittedAt: Date
  now: Date
}

export const attemptsAgree: ContractCheck = {
  invariants: ['I5'],
  compares: 'each sign attempt with the signature of its id, each signature with the abandoned attempts',
  async look({ looks, range: { from, to }, contracts, scope: { withinSeconds } }: ContractBatch) {
    const attempts = await looks.signing.query<AttemptRow>(
      `select id, contract_id as "contractId", party_index as "partyIndex", state, signed_at as "signedAt",
              submitted_at as "submittedAt", clock_timestamp() as now
         from sign_attempt where contract_id between $1 and $2`,
      [from, to],
    )
    const known = await contracts()
    const ids = [...known.values()].flatMap(({ signatures }) => signatures.map(({ attemptId }) => attemptId))
    const givenUp = await looks.contract.query<{ contract_id: string }>(
      'select contract_id from sign_tombstone where attempt_id = any($1)',
      [ids],
    )
    return {
      looked: { attempts: attempts.length, signatures: ids.length },
      violations: [
        ...attempts.flatMap((attempt) => attemptViolations(attempt, known.get(attempt.contractId), withinSeconds)),
        ...givenUp.map(({ contract_id: subject }): Violation => ({
          invariant: 'I5',
          kind: 'broken',
          subject,
          fault: 'has a signature of an abandoned attempt',
        })),
      ],
    }
  },
}

/** How an attempt and the contract's signatures differ. Pure. */
export function attemptViolations(
  attempt: AttemptRow,
  contract: ContractRow | undefined,
  withinSeconds: number,
): Violation[] {
  const violation = (kind: Violation['kind'], fault: string): Violation[] => [
    { invariant: 'I5', kind, subject: attempt.contractId, fault },
  ]
  const signature = contract?.signatures.find(({ attemptId }) => attemptId === attempt.id)
  switch (attempt.state) {
    case 'accepted':
      if (!signature) return violation('broken', 'has an accepted attempt without a signature')
      return signature.partyIndex === attempt.partyIndex && signature.signedAt.getTime() === attempt.signedAt?.getTime()
        ? []
        : violation('broken', 'has an accepted attempt whose party or time differs from its signature')
    case 'refused':
      return signature ? violation('broken', 'has a signature of a refused attempt') : []
    case 'submitted':
      return attempt.submittedAt.getTime() + withinSeconds * 1_000 < attempt.now.getTime()
        ? violation('late', 'has an attempt without an outcome')
        : []
  }
}
