// I1: an Idempotency-Key stands for one contract of the account and environment that sent it. [D17]
import type { TableCheck } from '../check.js'
import { listed, LISTED_MAX } from '../violations.js'

export const keysMadeOneContract: TableCheck = {
  invariants: ['I1'],
  compares: 'each stored Idempotency-Key with the contract that it created',
  parts: [
    {
      reads: ['contract'],
      async look({ contract }) {
        const [counted] = await contract.query<{ keys: number }>('select count(*)::int as keys from idempotency')
        const rows = await contract.query<{ contract_id: string; all: number }>(
          `select i.contract_id, count(*) over ()::int as all from idempotency i left join contract c on c.id = i.contract_id
            where c.id is null or (c.account_id, c.environment) is distinct from (i.account_id, i.environment)
            order by 1 limit ${LISTED_MAX}`,
        )
        return {
          looked: { keys: counted?.keys ?? 0 },
          ...listed(rows, ({ contract_id: subject }) => ({
            invariant: 'I1',
            kind: 'broken',
            subject,
            fault: 'is stored for an Idempotency-Key of another account or environment',
          })),
        }
      },
    },
  ],
}
