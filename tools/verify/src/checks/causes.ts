// Checks I7: a rolled-back transaction has no effects. No mail, code, attempt or evidence belongs to a contract or party that does not
// exist, and no mail reports an end that did not happen. Reads the deliveries and the signing service before the contracts.
import { broken, type ContractCheck, type Violation } from '../check.js'
import type { ContractRow } from '../rows/contract-rows.js'

/** Tables of the signing service with rows of a contract, each with an index that begins with the id of the contract. */
const OF_A_CONTRACT = [
  { table: 'sign_attempt', contract: 'contract_id', party: 'party_index' },
  { table: 'one_time_code', contract: 'scope', party: 'null::integer' },
  { table: 'code_send', contract: 'scope', party: 'recipient::integer' },
  { table: 'evidence_chain', contract: 'contract_id', party: 'null::integer' },
] as const

interface Effect {
  contractId: string
  /** The kind of a mail, or the table of a row. */
  what: string
  partyIndex: number | null
  accountId?: string | null
}

export const effectsHaveCauses: ContractCheck = {
  invariants: ['I7'],
  compares: 'the contract and party of every mail, code, attempt and evidence chain with those that exist',
  async check({ sessions, range: { from, to }, contracts, deliveries }) {
    const mails = (await deliveries()).map((mail): Effect => ({ ...mail, what: mail.kind }))
    const others = await sessions.signing.query<Effect & Record<string, unknown>>(
      OF_A_CONTRACT.map(
        ({ table, contract, party }) =>
          `select distinct ${contract} as "contractId", '${table}' as what, ${party} as "partyIndex"
             from ${table} where ${contract} between $1 and $2`,
      ).join(' union all '),
      [from, to],
    )
    const known = await contracts()
    return {
      counts: { mails: mails.length, 'codes, attempts and chains': others.length },
      violations: [...mails, ...others].flatMap((effect) => effectViolations(effect, known.get(effect.contractId))),
    }
  },
}

function effectViolations(effect: Effect, contract: ContractRow | undefined): Violation[] {
  const { contractId, what, partyIndex, accountId } = effect
  const wrong = (fault: string) => [broken('I7', contractId, fault)]
  if (!contract) return wrong(`has a row of ${what} but no contract`)
  if (partyIndex !== null && partyIndex >= contract.partyCount)
    return wrong(`has a row of ${what} for a party that does not exist`)
  if (typeof accountId === 'string' && accountId !== contract.accountId)
    return wrong(`has a row of ${what} of another account`)
  if ((what === 'cancelled' || what === 'expired') && contract.status !== what)
    return wrong(`has a mail that says ${what}, but another status`)
  return []
}
