// I1: a created contract is complete: two or more parties in an order without gaps, and the original text.
// Cannot see: whether a 201 was sent. The clients of the fault tests record that.
import type { ContractBatch, ContractCheck, Violation } from '../check.js'

export const partiesStand: ContractCheck = {
  invariants: ['I1'],
  compares: 'the numbers of the parties of each contract with 0, 1, 2 …, its text with its hash',
  async look({ looks, range: { from, to } }: ContractBatch) {
    const rows = await looks.contract.query<{
      id: string
      parties: number
      inOrder: boolean
      sameText: boolean
      named: boolean
    }>(
      `select c.id, coalesce(p.parties, 0) as parties, coalesce(p.in_order, false) as "inOrder",
              c.erased_at is not null or c.content_sha256 = sha256(convert_to(c.content, 'UTF8')) as "sameText",
              c.erased_at is not null and p.named as "named"
         from contract c
         left join lateral (
           select count(*)::int as parties,
                  count(distinct party_index) = count(*) and min(party_index) = 0 and max(party_index) = count(*) - 1 as in_order,
                  bool_or(role <> 'erased' or legal_name <> 'erased' or email <> 'erased') as named
             from party where contract_id = c.id) p on true
        where c.id between $1 and $2`,
      [from, to],
    )
    const lost = await looks.contract.query<{ contract_id: string }>(
      `select distinct contract_id from party p
        where contract_id between $1 and $2 and not exists (select from contract c where c.id = p.contract_id)`,
      [from, to],
    )
    const broken = (subject: string, fault: string): Violation => ({ invariant: 'I1', kind: 'broken', subject, fault })
    return {
      looked: { contracts: rows.length, parties: rows.reduce((sum, { parties }) => sum + parties, 0) },
      violations: [
        ...rows.filter((row) => row.parties < 2).map(({ id }) => broken(id, 'has fewer than two parties')),
        ...rows
          .filter((row) => row.parties >= 2 && !row.inOrder)
          .map(({ id }) => broken(id, 'has a gap in the numbers of its parties')),
        ...rows.filter((row) => row.named).map(({ id }) => broken(id, 'was erased but still names a party')),
        ...rows.filter((row) => !row.sameText).map(({ id }) => broken(id, 'has a text that does not match its hash')),
        ...lost.map((row) => broken(row.contract_id, 'has parties but no contract')),
      ],
    }
  },
}
