// Lets only certain callers through. [D44, D45]
import type { Caller } from '@paraph/protocol/caller'
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

const refused = () => new DomainError('invalid_key', 'This caller may not call this service.')
