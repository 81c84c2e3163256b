// I12: no shared window holds more admissions than its limit. [D27]
// Cannot see: windows in the memory of a gateway, and admissions while the shared store was unavailable. An account that moved to a
// smaller tier within the last minute may hold more; the excess leaves the window within a minute.
import type { TableCheck } from '../check.js'
import { listed, LISTED_MAX } from '../violations.js'

export const windowsAreNotOver: TableCheck = {
  invariants: ['I12'],
  compares: 'the admissions in each shared window with the limit of its account and environment',
  parts: [
    {
      reads: ['gateway'],
      async look({ gateway }) {
        const [counted] = await gateway.query<{ windows: number }>(
          'select count(*)::int as windows from account_window',
        )
        const rows = await gateway.query<{ name: string; all: number }>(
          `select name, count(*) over ()::int as all from (
             select w.name, greatest(0, cardinality(w.at_ms) - 1) * w.pack_size + w.newest_pack as used,
                    case split_part(w.name, ' ', 2) when 'production' then t.requests_per_minute else t.sandbox_requests_per_minute end as max
               from account_window w
               join account a on a.id = split_part(w.name, ' ', 1)
               join tier t on t.name = a.tier) each
            where used > max order by 1 limit ${LISTED_MAX}`,
        )
        return {
          looked: { 'shared windows': counted?.windows ?? 0 },
          ...listed(rows, ({ name: subject }) => ({
            invariant: 'I12',
            kind: 'broken',
            subject,
            fault: 'has more admissions in a minute than its limit',
          })),
        }
      },
    },
  ],
}
