// What is told of one-time codes: never whose, and never which. [B.5, D16, I14]
import type { Readings } from '@paraph/service/row-gauges'
import { sql, type Kysely } from 'kysely'

/** Codes that nobody has taken yet; a stranger's row counts too, and goes the same way. */
export const lookAtCodes = <Tables>(database: Kysely<Tables>) =>
  async function look(): Promise<Readings> {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from code_send where settled_at is null`.execute(database)
    return { 'paraph.code.waiting': rows[0]!.waiting }
  }
