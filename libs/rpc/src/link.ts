// Calls another service's procedures with their types kept, over an undici pool.
import { TRPCClientError, type TRPCClient } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import type { Principal } from '@paraph/protocol/principal'
import { withSignal } from '@paraph/protocol/deadline'
import { DomainError, type Issue } from '@paraph/protocol/errors'
import { isErrorCode } from '@paraph/http/render-errors'
import { requestText } from '@paraph/http/request-text'
import { withUrlTemplate } from '@paraph/telemetry/tracing-facade'
import { createServicePool } from './service-pool.js'

interface RpcClientDeps {
  url: string
  /** Signs the service token of a call, for `principal` if there is one. */
  token: (principal?: Principal) => Promise<string>
  timeoutMs?: number
  connections?: number
}

/**
 * A typed client of the procedures at `url`. Every call carries a service token and ends within `timeoutMs`.
 * Calls reject with a TRPCClientError around a DomainError: the callee's refusal, or `unavailable` when the callee cannot be reached or
 * answers too late. `refusalOf` extracts the DomainError; libs/http renders the error body from it.
 * `rpc` calls without a principal, `rpcFor` on behalf of an account; both use the same connections.
 */
export function createRpcClient<Router extends AnyTRPCRouter>(deps: RpcClientDeps) {
  const { url, token, timeoutMs = 10_000, connections = 16 } = deps
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

  /** @throws DomainError `unavailable` for any failure on the way, including the wait for a connection */
  async function send(path: string, authorization: string, body: string) {
    try {
      const headers = { 'content-type': 'application/json', authorization }
      const options = { method: 'POST', path: `/rpc/${path}`, headers, body } as const
      const { statusCode, text } = await withUrlTemplate(options.path, () =>
        withSignal(timeoutMs, (signal) => requestText(pool, options, signal)),
      )
      const answer = JSON.parse(text) as { output?: unknown; error?: unknown; code?: unknown; issues?: Issue[] }
      return { status: statusCode, answer }
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** Creates only a proxy object: all clients share connections and tokens. */
  const clientFor = (principal?: Principal): TRPCClient<Router> =>
    procedures((path, input) =>
      call(path, input, principal).catch((error: unknown) => {
        throw TRPCClientError.from(error as Error)
      }),
    ) as TRPCClient<Router>

  return { rpc: clientFor(), rpcFor: (principal: Principal) => clientFor(principal), close: () => pool.close() }
}

/**
 * The object whose `a.b.query(input)` is `call('a.b', input)`. The client of the library does the same with an observable and an abort
 * controller for each call, which costs as much CPU as the call over the connection.
 */
const procedures = (call: (path: string, input: unknown) => Promise<unknown>, names: string[] = []): unknown =>
  new Proxy(() => undefined, {
    // An object with a `then` would be taken for a promise.
    get: (_, name) => (name === 'then' ? undefined : procedures(call, [...names, String(name)])),
    apply: (_, __, [input]) => call(names.slice(0, -1).join('.'), input),
  })

const unavailable = (cause: unknown) =>
  new DomainError('unavailable', 'A service behind this one cannot answer at the moment. Try again in a few seconds.', {
    cause,
  })

/** The DomainError of a failed call, or undefined when the failure is local. */
export function refusalOf(error: unknown): DomainError | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : error
  return cause instanceof DomainError ? cause : undefined
}
