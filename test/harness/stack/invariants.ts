// Checks the rows of a running stack against the invariants, like `paraph verify invariants`. [I1-I14]
// Runs at the end of a test, and after each fault.
import { findDatabases } from '@paraph/paraph/invariants/find-databases'
import { verifyInvariants as verify } from '@paraph/verify/verify-invariants'
import type { Invariant, Violation } from '@paraph/verify/check'

interface Options {
  /** Violations that the test caused itself, by writing rows. */
  planted?: readonly Invariant[]
  /** How long work may be pending. 0 with `untilMs`: all work must have finished. */
  withinSeconds?: number
  /** Repeats the check for this time while work is only late. */
  untilMs?: number
}

/**
 * Checks every row of the stack on `folder`. Takes some 100 ms on a small correct one.
 * @throws Error with a line for each violation
 */
export async function verifyInvariants(
  { folder }: { folder: string },
  { planted = [], withinSeconds = 60, untilMs = 0 }: Options = {},
): Promise<void> {
  const urls = await findDatabases({ dataFolder: folder, verifyUrls: {} })
  const scope = { since: undefined, contractId: undefined, withinSeconds }
  const deadline = Date.now() + untilMs
  for (;;) {
    const { violations } = await verify(urls, scope)
    const unexpected = violations.filter(({ invariant }) => !planted.includes(invariant))
    if (unexpected.length === 0) return
    const isOnlyLate = unexpected.every(({ kind }) => kind === 'late')
    if (!isOnlyLate || Date.now() > deadline)
      throw new Error(['What must always be so is not:', ...unexpected.map(lineOf)].join('\n'))
  }
}

const lineOf = ({ invariant, kind, subject, fault }: Violation): string => `- ${invariant} ${kind}: ${subject} ${fault}`
