// Passes a call on to the contract service and its answer back. [D17, D45]
// Bodies are small and buffered: 44 µs of CPU against 72 for a stream, and a client that leaves early cannot end the process.
// Nothing is parsed here. Owns: which headers travel, the caller token, the mark of the single retry. Does not own: when to retry
// (single-retry).
import type { IncomingHttpHeaders } from 'node:http'
import { Pool } from 'undici'
import { INTERNAL_HEADERS, type Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { TokenSigner } from '@paraph/service/caller-token'
import type { CachedKey } from './key-cache.js'
import { tryTwice } from './single-retry.js'

/** All that the contract service needs of what a client sends. */
const REQUEST_HEADERS = ['content-type', 'content-encoding', 'idempotency-key', 'if-none-match'] as const
/** All that a client gets of what the contract service answers. */
const RESPONSE_HEADERS = [
  'content-type',
  'location',
  'idempotency-replayed',
  'etag',
  'last-modified',
  'cache-control',
  'retry-after',
] as const

const CONNECTIONS_MAX = 64
const ANSWER_MS_MAX = 15_000
/** The retry and the wait for a free connection included; stays below the life of a reservation (quota). */
const FORWARD_MS_MAX = 35_000
const ANSWER_BYTES_MAX = 4 * 1_048_576

interface ForwardedCall {
  method: 'GET' | 'POST'
  /** Below the version, as the client sent it. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer | undefined
  key: CachedKey
  requestId: string
  /** Only what its Idempotency-Key made before may be answered; nothing may be made. [D17] */
  replayOnly: boolean
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** @param url public port of the contract service */
export function createContractProxy({ url, signer }: { url: string; signer: TokenSigner }) {
  const pool = new Pool(url, {
    connections: CONNECTIONS_MAX,
    headersTimeout: ANSWER_MS_MAX,
    bodyTimeout: ANSWER_MS_MAX,
    connect: { timeout: 3_000 },
    maxResponseSize: ANSWER_BYTES_MAX,
  })

  async function attempt(
    { method, path, body }: ForwardedCall,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const response = await pool.request({ method, path, headers, body: body ?? null, signal })
    const answered: Record<string, string> = {}
    for (const name of RESPONSE_HEADERS) {
      const value = response.headers[name]
      if (typeof value === 'string') answered[name] = value
    }
    return {
      status: response.statusCode,
      headers: answered,
      body: Buffer.from(await response.body.arrayBuffer()),
    }
  }

  return {
    /**
     * The contract service's answer as it is. A connection that breaks is tried once more; for POST that retry is marked and
     * carries the same request id, by which the contract service knows what it has already done.
     * @throws DomainError `unavailable` when it cannot be reached
     */
    async forward(call: ForwardedCall): Promise<Answer> {
      const headers: Record<string, string> = {
        authorization: `Bearer ${await callerTokenOf(call.key, signer)}`,
        [INTERNAL_HEADERS.requestId]: call.requestId,
      }
      if (call.replayOnly) headers[INTERNAL_HEADERS.replayOnly] = '1'
      for (const name of REQUEST_HEADERS) {
        const value = call.headers[name]
        if (typeof value === 'string') headers[name] = value
      }
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(), FORWARD_MS_MAX)
      try {
        const answer = await tryTwice((isRetry) => {
          const isMarked = isRetry && call.method === 'POST'
          return attempt(call, isMarked ? { ...headers, [INTERNAL_HEADERS.retry]: '1' } : headers, late.signal)
        }, late.signal)
        // Not the client's key: ours was refused, so this installation is not set up right.
        if (answer.status === 401) throw new Error('the contract service refused the caller token of the gateway')
        return answer
      } catch (error) {
        throw new DomainError(
          'unavailable',
          'The contract service cannot answer at the moment. Try again in a few seconds; a POST with an Idempotency-Key is safe to repeat.',
          { cause: error },
        )
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => pool.close(),
  }
}

export type ContractProxy = ReturnType<typeof createContractProxy>

/** One token per cached key: it is at most as old as the cache entry (5 s) and dies with it. [D28] */
function callerTokenOf(key: CachedKey, signer: TokenSigner): Promise<string> {
  key.callerToken ??= signer.sign('contract', {
    accountId: key.account.id,
    environment: key.environment,
    scopes: [...key.scopes],
    account: key.account.facts,
  } satisfies Principal)
  return key.callerToken
}
