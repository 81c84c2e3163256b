// What a mail worker that was killed leaves claimed. A claim lasts most of a minute; a test need not wait for its end.
import type { House } from './ground.js'

/** The claims of a worker that was killed a moment ago. Ask before its successor runs: whose a claim is, no row says. */
export async function readDeadClaims({ query }: Pick<House, 'query'>): Promise<string[]> {
  const rows = await query<{ claim: string }>('notification', 'select claim from delivery where claim is not null')
  return rows.map(({ claim }) => claim)
}

/** As if these claims had run out; never one of the successor, which may be sending already. */
export async function endClaims({ query }: Pick<House, 'query'>, claims: readonly string[]): Promise<void> {
  await query('notification', 'update delivery set claimed_until = clock_timestamp() where claim = any($1::uuid[])', [
    claims,
  ])
}
