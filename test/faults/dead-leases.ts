// The leases of a killed mail worker. A lease lasts most of a minute, and a test need not wait for its end.
import type { BaseStack } from './base-stack.js'
import { currentLeases } from './soundness-of-mail.js'

/** The leases of a worker that was just killed. Call before its successor runs, because no row names the owner of a lease. */
export async function readDeadLeases({ query }: Pick<BaseStack, 'query'>): Promise<string[]> {
  const rows = await query<{ claim: string }>('notification', 'select claim from delivery where claim is not null')
  return rows.map(({ claim }) => claim)
}

/** Expires these leases, and never one of the successor, which may be sending already. */
export async function expireLeases({ query }: Pick<BaseStack, 'query'>, leases: readonly string[]): Promise<void> {
  await query('notification', 'update delivery set claimed_until = clock_timestamp() where claim = any($1::uuid[])', [
    leases,
  ])
}

/**
 * When several workers run and some are killed: the mails in progress, by their names. Their leases are expired.
 * @param kill calls its argument while they are dead, and resolves when others have replaced them
 */
export async function mailsOfDeadWorkers(
  stack: Pick<BaseStack, 'query'>,
  kill: (readLeases: () => Promise<Map<string, string>>) => Promise<Map<string, string>>,
): Promise<string[]> {
  const atDeath = await kill(() => currentLeases(stack))
  // A lease does not name its owner; those of the live workers have ended, because other leases have started meanwhile.
  const now = await currentLeases(stack)
  const dead = [...atDeath].filter(([lease]) => now.has(lease))
  await expireLeases(
    stack,
    dead.map(([lease]) => lease),
  )
  return dead.map(([, name]) => name)
}
