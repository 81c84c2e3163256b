// What a mail worker that was killed leaves claimed. A claim lasts most of a minute; a test need not wait for its end.
import type { House } from './ground.js'
import { claimsInHand } from './soundness-of-mail.js'

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

/**
 * Where several workers run and some are killed: what these had in hand, each mail by its name. Their claims end.
 * @param kill gives what it is given to look with, asked when they are dead; resolves when others have taken their place
 */
export async function mailsOfTheDead(
  house: Pick<House, 'query'>,
  kill: (look: () => Promise<Map<string, string>>) => Promise<Map<string, string>>,
): Promise<string[]> {
  const atDeath = await kill(() => claimsInHand(house))
  // A claim does not say whose it is; those of the living have ended, for others have started meanwhile.
  const now = await claimsInHand(house)
  const dead = [...atDeath].filter(([claim]) => now.has(claim))
  await endClaims(
    house,
    dead.map(([claim]) => claim),
  )
  return dead.map(([, name]) => name)
}
