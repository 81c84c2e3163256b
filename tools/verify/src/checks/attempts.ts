// Checks I5: every accepted attempt has exactly one signature, and no refused attempt has a signature. [D41]
// Reads the attempts of the signing service before the signatures of the contract service, which must contain every outcome that the
// signing service knows.
import { broken, violationsOf, type ContractCheck, type Violation } from '../check.js'
import type { ContractRow } from '../rows/contract-rows.js'

interface AttemptRow {
  id: string
  contractId: string
  partyIndex: number
  state: 'submitted' | 'accepted' | 'refused'
  signedAt: Date | null
  /** True if it was submitted more than `withinSeconds` ago. */
  isOld: boolean
}

export const attemptsMatchSignatures: ContractCheck = {
  invariants: ['I5'],
  compares: 'each sign attempt with the signature of its id, each signature with the abandoned attempts',
  async check({ sessions, range: { from, to }, contracts, scope: { withinSeconds } }) {
    const attempts = await sessions.signing.query<AttemptRow & Record<string, unknown>>(
      `select id, contract_id as "contractId", party_index as "partyIndex", state, signed_at as "signedAt",
              submitted_at < clock_timestamp() - make_interval(secs => $3) as "isOld"
         from sign_attempt where contract_id between $1 and $2`,
      [from, to, withinSeconds],
    )
    const known = await contracts()
    const ids = [...known.values()].flatMap(({ signatures }) => signatures.map(({ attemptId }) => attemptId))
    const abandoned = await sessions.contract.query<{ subject: string }>(
      'select contract_id as subject from sign_tombstone where attempt_id = any($1)',
      [ids],
    )
    return {
      counts: { attempts: attempts.length, signatures: ids.length },
      violations: [
        ...attempts.flatMap((attempt) => attemptViolations(attempt, known.get(attempt.contractId))),
        ...abandoned.map(({ subject }) => broken('I5', subject, 'has a signature of an abandoned attempt')),
      ],
    }
  },
}

/** Differences between an attempt and the contract's signatures. */
function attemptViolations(attempt: AttemptRow, contract: ContractRow | undefined): Violation[] {
  const { id, contractId, state, partyIndex, signedAt, isOld } = attempt
  const signature = contract?.signatures.find(({ attemptId }) => attemptId === id)
  const isSame = signature?.partyIndex === partyIndex && signature.signedAt.getTime() === signedAt?.getTime()
  const isAccepted = state === 'accepted'
  const differs = 'has an accepted attempt whose party or time differs from its signature'
  return violationsOf(contractId, [
    [isAccepted && !signature, 'I5', 'broken', 'has an accepted attempt without a signature'],
    [isAccepted && signature !== undefined && !isSame, 'I5', 'broken', differs],
    [state === 'refused' && signature !== undefined, 'I5', 'broken', 'has a signature of a refused attempt'],
    [state === 'submitted' && isOld, 'I5', 'late', 'has an attempt without an outcome'],
  ])
}
