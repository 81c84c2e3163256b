// Reads and expires the leases of a killed mail worker, so that a test need not wait 57 s for the end of a lease and of its grace.
import { UNRECORDED } from '@paraph/notification/queue/claim-delivery'
import type { BaseStack } from './base-stack.js'
import { currentLeases } from './soundness-of-mail.js'

/** The leases of a worker that was just killed. Call this before its successor runs, because no row names the owner of a lease. */
export async function readDeadLeases({ query }: Pick<BaseStack, 'query'>): Promise<string[]> {
  const rows = await query<{ claim: string }>('notification', 'select claim from delivery where claim is not null')
  return rows.map(({ claim }) => claim)
}

/** Expires only these leases, with their grace, because the successor of the worker may already have leases of its own. */
export async function expireLeases({ query }: Pick<BaseStack, 'query'>, leases: readonly string[]): Promise<void> {
  await query(
    'notification',
    'update delivery set claimed_until = clock_timestamp(), outcome = $2 where claim = any($1::uuid[])',
    [leases, UNRECORDED],
  )
}

/**
 * Kills some of several mail workers and expires their leases. @returns the names of the mails that the killed workers had in progress
 * @param kill kills the workers, calls its argument when their processes have ended, and resolves when they are replaced
 */
export async function mailsOfDeadWorkers(
  stack: Pick<BaseStack, 'query'>,
  kill: (readLeases: () => Promise<Map<string, string>>) => Promise<Map<string, string>>,
): Promise<string[]> {
  const atDeath = await kill(() => currentLeases(stack))
  // A lease does not name its owner. By now, the live workers have finished their leases of that moment and taken other ones.
  const now = await currentLeases(stack)
  const dead = [...atDeath].filter(([lease]) => now.has(lease))
  await expireLeases(
    stack,
    dead.map(([lease]) => lease),
  )
  return dead.map(([, name]) => name)
}
