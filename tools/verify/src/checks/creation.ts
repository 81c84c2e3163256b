// Checks I1: a created contract has two or more parties, numbered without gaps, and the original text. An Idempotency-Key belongs to one
// contract of the account and environment that sent the key. [D17]
// Cannot detect: whether a client received the 201. The clients of the fault tests record their answers.
import { broken, listBroken, violationsOf, type ContractCheck, type TableCheck } from '../check.js'

export const contractsAreComplete: ContractCheck = {
  invariants: ['I1'],
  compares: 'the numbers of the parties of each contract with 0, 1, 2 …, its text with its hash',
  async check({ sessions, range: { from, to } }) {
    const rows = await sessions.contract.query<{
      id: string
      parties: number
      inOrder: boolean
      sameText: boolean
      named: boolean
      found: boolean
    }>(
      `select c.id, coalesce(p.parties, 0) as parties, coalesce(p.in_order, false) as "inOrder",
              c.erased_at is not null or c.fits_hash as "sameText",
              c.erased_at is not null and p.named as "named",
              c.erased_at is not null and exists (
                select from contract_word w where w.contract_id = c.id and not w.is_of_number) as "found"
         from contract c
         left join lateral (
           select count(*)::int as parties,
                  count(distinct party_index) = count(*) and min(party_index) = 0 and max(party_index) = count(*) - 1 as in_order,
                  bool_or(is_named) as named
             from party where contract_id = c.id) p on true
        where c.id between $1 and $2`,
      [from, to],
    )
    const lost = await sessions.contract.query<{ contract_id: string }>(
      `select distinct contract_id from party p
        where contract_id between $1 and $2 and not exists (select from contract c where c.id = p.contract_id)`,
      [from, to],
    )
    return {
      counts: { contracts: rows.length, parties: rows.reduce((sum, { parties }) => sum + parties, 0) },
      violations: [
        ...rows.flatMap(({ id, parties, inOrder, sameText, named, found }) =>
          violationsOf(id, [
            [parties < 2, 'I1', 'broken', 'has fewer than two parties'],
            [parties >= 2 && !inOrder, 'I1', 'broken', 'has a gap in the numbers of its parties'],
            [named, 'I1', 'broken', 'was erased but still names a party'],
            [found, 'I1', 'broken', 'was erased but is still found by more than its number'],
            [!sameText, 'I1', 'broken', 'has a text that does not match its hash'],
          ]),
        ),
        ...lost.map((row) => broken('I1', row.contract_id, 'has parties but no contract')),
      ],
    }
  },
}

export const keysNameOneContract: TableCheck = {
  invariants: ['I1'],
  compares: 'each stored Idempotency-Key with the contract that it created',
  parts: [
    {
      reads: ['contract'],
      async check({ contract }) {
        const [counted] = await contract.query<{ keys: number }>('select count(*)::int as keys from idempotency')
        const fault = 'is stored for an Idempotency-Key of another account or environment'
        const wrong = await listBroken(
          contract,
          'I1',
          fault,
          `select i.contract_id as subject from idempotency i left join contract c on c.id = i.contract_id
            where c.id is null or (c.account_id, c.environment) is distinct from (i.account_id, i.environment)`,
        )
        return { counts: { keys: counted?.keys ?? 0 }, ...wrong }
      },
    },
  ],
}
