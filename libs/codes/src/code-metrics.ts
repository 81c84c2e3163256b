// Gauges of one-time codes. They name no mailbox and no code. [D16, I14]
import type { Readings } from '@paraph/background/row-gauges'
import { sql, type Kysely } from 'kysely'

/** Codes that are not pushed yet. Strangers' rows count too: they leave the queue the same way. */
export const collectCodeGauges =
  <Tables>(database: Kysely<Tables>) =>
  async (): Promise<Readings> => {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from code_send where settled_at is null`.execute(database)
    return { 'paraph.code.waiting': rows[0]!.waiting }
  }
