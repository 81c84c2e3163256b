// Calls another service's procedures with their types kept: a terminating tRPC link over an undici pool.
import { createTRPCClient, TRPCClientError, type TRPCClient, type TRPCLink } from '@trpc/client'
import type { AnyTRPCRouter } from '@trpc/server'
import { observable } from '@trpc/server/observable'
import { Pool } from 'undici'
import { INTERNAL_HEADERS } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import { isErrorCode } from './render-errors.js'

/**
 * A typed client of the procedures at `url`. Every call carries a caller token and ends within `timeoutMs`.
 * Calls reject with DomainError: the callee's own, or `unavailable` when it cannot be reached.
 * @param token gives the caller token for each call
 */
export function createRpcClient<Router extends AnyTRPCRouter>({
  url,
  token,
  timeoutMs = 10_000,
  connections = 16,
}: {
  url: string
  token: () => Promise<string>
  timeoutMs?: number
  connections?: number
}): { rpc: TRPCClient<Router>; close(): Promise<void> } {
  const pool = new Pool(url, {
    connections,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: 3_000 },
  })

  async function call(path: string, input: unknown, requestId: unknown): Promise<unknown> {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/rpc/${path}`,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await token()}`,
        ...(typeof requestId === 'string' ? { [INTERNAL_HEADERS.requestId]: requestId } : {}),
      },
      body: JSON.stringify({ input }),
    })
    const answer = (await body.json()) as { output?: unknown; error?: unknown; code?: unknown }
    if (statusCode === 200) return answer.output
    if (isErrorCode(answer.code))
      throw new DomainError(answer.code, typeof answer.error === 'string' ? answer.error : '')
    throw new Error(`the callee answered ${statusCode}`)
  }

  const link: TRPCLink<Router> = () => (operation) =>
    observable((observer) => {
      call(operation.op.path, operation.op.input, operation.op.context['requestId']).then(
        (data) => {
          observer.next({ result: { type: 'data', data } })
          observer.complete()
        },
        (error: unknown) => observer.error(TRPCClientError.from(error as Error)),
      )
    })

  return { rpc: createTRPCClient<Router>({ links: [link] }), close: () => pool.close() }
}

/** The callee's own error inside a failed call, or undefined when it could not be reached or answered nonsense. */
export function refusalOf(error: unknown): DomainError | undefined {
  const cause = error instanceof TRPCClientError ? error.cause : error
  return cause instanceof DomainError ? cause : undefined
}
