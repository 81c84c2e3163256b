// Lets only certain callers through, and to an account only what is its own. [D10, D44, D45]
import type { Caller, Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { TokenVerifier, VerifiedCaller } from './caller-token.js'

/**
 * The caller behind an `authorization` header, when it is one of `callers`.
 * @throws DomainError `invalid_key`
 */
export async function requireCaller(
  verify: TokenVerifier,
  authorization: string | undefined,
  callers: readonly Caller[],
): Promise<VerifiedCaller> {
  const caller = await verify(authorization)
  if (!callers.includes(caller.issuer)) throw refused()
  return caller
}

/** For a procedure that is stricter than its mount: `t.procedure.use(callersOnly('signing'))`. */
export const callersOnly =
  (...callers: readonly Caller[]) =>
  <Next>({ ctx, next }: { ctx: { caller: VerifiedCaller }; next: () => Next }): Next => {
    if (!callers.includes(ctx.caller.issuer)) throw refused()
    return next()
  }

/** On whose behalf the call is made. @throws DomainError `invalid_key` where it is nobody's */
export function requirePrincipal({ principal }: VerifiedCaller): Principal {
  if (!principal) throw new DomainError('invalid_key', 'This call needs an account.')
  return principal
}

const NOT_FOUND = 'There is no such contract in this account and environment. Look for it in the list.'

/**
 * `found`, when it is the principal's own, in the environment of the call.
 * @param sentence what to say where it is not, the same for what does not exist and for another's
 * @throws DomainError `not_found` [D10]
 */
export function requireOwn<Found extends { accountId: string; environment: string }>(
  { accountId, environment }: Principal,
  found: Found | null | undefined,
  sentence = NOT_FOUND,
): Found {
  if (found?.accountId === accountId && found.environment === environment) return found
  throw new DomainError('not_found', sentence)
}

const refused = () => new DomainError('invalid_key', 'This caller may not call this service.')
