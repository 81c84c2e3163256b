// Calls another service's procedures with their types kept: a terminating tRPC link over an undici pool.
import { createTRPCClient, TRPCClientError, type TRPCClient, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import type { Principal } from '@paraph/protocol/caller'
import { DomainError, type Issue } from '@paraph/protocol/errors'
import { isErrorCode } from './render-errors.js'
import { requestText } from './request-text.js'
import { createServicePool } from './service-pool.js'

/**
 * A typed client of the procedures at `url`. Every call carries a caller token and ends within `timeoutMs`.
 * Calls reject with a TRPCClientError around a DomainError: the callee's own refusal, or `unavailable` when the callee cannot
 * be reached or answers too late. `refusalOf` takes it out; the error body takes it out by itself.
 * `rpc` calls for nobody, `rpcFor` on behalf of an account; both over the same connections.
 * @param token gives the caller token for each call, with that principal where there is one
 */
export function createRpcClient<Router extends AnyTRPCRouter>({
  url,
  token,
  timeoutMs = 10_000,
  connections = 16,
}: {
  url: string
  token: (principal?: Principal) => Promise<string>
  timeoutMs?: number
  connections?: number
}): { rpc: TRPCClient<Router>; rpcFor(principal: Principal): TRPCClient<Router>; close(): Promise<void> } {
  const pool = createServicePool(url, { connections, connectMsMax: Math.min(timeoutMs, 3_000) })

  async function call(path: string, input: unknown, principal: Principal | undefined): Promise<unknown> {
    const authorization = `Bearer ${await token(principal)}`
    const { status, answer } = await send(path, authorization, JSON.stringify({ input }))
    if (status === 200) return answer.output
    if (isErrorCode(answer.code)) {
      const { error, issues } = answer
      throw new DomainError(answer.code, typeof error === 'string' ? error : '', issues ? { issues } : {})
    }
    throw unavailable(new Error(`the callee answered ${status}`))
  }

  /** Whatever goes wrong on the way, connecting and waiting for a free connection included, is "away". */
  async function send(path: string, authorization: string, body: string) {
    try {
      const headers = { 'content-type': 'application/json', authorization }
      const options = { method: 'POST', path: `/rpc/${path}`, headers, body } as const
      const { statusCode, text } = await requestText(pool, options, AbortSignal.timeout(timeoutMs))
      const answer = JSON.parse(text) as { output?: unknown; error?: unknown; code?: unknown; issues?: Issue[] }
      return { status: statusCode, answer }
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** Costs a proxy: neither connections nor tokens are a client's own. */
  function clientFor(principal?: Principal): TRPCClient<Router> {
    const link: TRPCLink<Router> =
      () =>
      ({ op }) =>
        observable((observer) => {
          call(op.path, op.input, principal).then(
            (data) => {
              observer.next({ result: { type: 'data', data } })
              observer.complete()
            },
            (error: unknown) => observer.error(TRPCClientError.from(error as Error)),
          )
        })
    return createTRPCClient<Router>({ links: [link] })
  }

  return { rpc: clientFor(), rpcFor: clientFor, close: () => pool.close() }
}

const unavailable = (cause: unknown) =>
  new DomainError('unavailable', 'A service behind this one cannot answer at the moment. Try again in a few seconds.', {
    cause,
  })

/** The DomainError inside a failed call, or undefined when it failed on this side. */
export function refusalOf(error: unknown): DomainError | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : error
  return cause instanceof DomainError ? cause : undefined
}
