// Access of calling services to procedures, and of accounts to their own data. [D10, D44, D45]
import type { Principal } from '@paraph/protocol/principal'
import type { Scope } from '@paraph/protocol/scope'
import type { Caller } from '@paraph/protocol/services'
import { DomainError } from '@paraph/protocol/errors'
import type { TokenVerifier, VerifiedCaller } from './service-token.js'

/**
 * The verified caller of an `authorization` header.
 * @throws DomainError `invalid_key` unless it is one of `callers`
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

/** Restricts one procedure further than its mount: `t.procedure.use(callersOnly('signing'))`. */
export const callersOnly =
  (...callers: readonly Caller[]) =>
  <Next>({ ctx, next }: { ctx: { caller: VerifiedCaller }; next: () => Next }): Next => {
    if (!callers.includes(ctx.caller.issuer)) throw refused()
    return next()
  }

/** The account on whose behalf the call is made. @throws DomainError `invalid_key` if the call names no account */
export function requirePrincipal({ principal }: VerifiedCaller): Principal {
  if (!principal) throw new DomainError('invalid_key', 'This call needs an account.')
  return principal
}

/** Restricts one procedure to principals with `scope`: a second wall behind the gateway's own check. [Scopes] */
export const scopeOnly =
  (scope: Scope) =>
  <Next>({ ctx, next }: { ctx: { caller: VerifiedCaller }; next: () => Next }): Next => {
    if (!requirePrincipal(ctx.caller).scopes.includes(scope))
      throw new DomainError('missing_scope', `This key lacks the scope ${scope}. Use a key that has it.`)
    return next()
  }

const NOT_FOUND = 'There is no such contract in this account and environment. Look for it in the list.'

/**
 * `found`, if it belongs to the principal's account and environment.
 * @param sentence of the error, the same for a missing row and for one of another account
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
