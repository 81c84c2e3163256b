// Checks the rows of a running stack against the invariants, like `paraph verify invariants`. [I1-I15]
// Runs when a stack closes, and after each fault of a fault scenario.
import { findDatabases } from '@paraph/paraph/invariants/find-databases'
import { verifyInvariants as verify } from '@paraph/verify/verify-invariants'
import type { Invariant, Violation } from '@paraph/verify/check'

interface Options {
  /** Invariants that the test itself violated by writing rows. */
  planted?: readonly Invariant[]
  /** How long work may be pending before the check reports it as late. 0: all work must have finished. */
  withinSeconds?: number
  /** Repeats the check for this time while it finds only late work. */
  untilMs?: number
}

/**
 * Checks every row of the stack of `folder`. Takes about 100 ms for a small, correct stack.
 * @throws Error with one line per violation
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
      throw new Error(['The stack violates invariants:', ...unexpected.map(lineOf)].join('\n'))
  }
}

const lineOf = ({ invariant, kind, subject, fault }: Violation): string => `- ${invariant} ${kind}: ${subject} ${fault}`
