// Passes a call on to the contract service and its answer back. [D17, D45]
// Bodies are small and read whole: cheaper than a stream, and a client that leaves early cannot end the process.
// Nothing is parsed here. Owns: which headers travel, the caller token, the mark of the single retry, and that calls whose answer may
// be held back have connections of their own, so that any number of them leaves ordinary calls theirs [D22]. Does not own: when to
// retry (single-retry).
import type { IncomingHttpHeaders } from 'node:http'
import { INTERNAL_HEADERS, type Principal } from '@paraph/protocol/caller'
import { DomainError } from '@paraph/protocol/errors'
import type { TokenSigner } from '@paraph/service/caller-token'
import { WAIT_SECONDS_MAX } from '@paraph/service/prefer'
import { requestText } from '@paraph/service/request-text'
import { createServicePool } from '@paraph/service/service-pool'
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
  'preference-applied',
] as const

const CONNECTIONS_MAX = 64
const ANSWER_MS_MAX = 15_000
/** The retry and the wait for a free connection included; stays below the life of a reservation (quota). */
const FORWARD_MS_MAX = 35_000
const ANSWER_BYTES_MAX = 4 * 1_048_576
/** Answers that may be held back, at a time; each has a connection. */
export const WAITS_MAX = 2_048
/** On top of the wait, for everything else. */
const BESIDE_THE_WAIT_MS_MAX = 10_000
/** Before a retry: thousands that wait must not knock together, many times a second, at a service that is just starting. */
const WAIT_PAUSE_MS = 1_000

export interface ForwardedCall {
  method: 'GET' | 'POST'
  /** Below the version, as the client sent it. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer | undefined
  key: CachedKey
  requestId: string
  /** Only what its Idempotency-Key made before may be answered; nothing may be made. [D17] */
  replayOnly: boolean
  /** For this long the contract service may hold the answer back; `signal` ends the call with its own reason. [D22] */
  wait?: Wait
  /** Shorter than usual, where the call has already taken its time. */
  msMax?: number
}

interface Wait {
  seconds: number
  signal: AbortSignal
}

export interface Answer {
  status: number
  headers: Record<string, string>
  /** JSON, or nothing. */
  body: string
}

/** @param url public port of the contract service */
export function createContractProxy({ url, signer }: { url: string; signer: TokenSigner }) {
  const limits = { bodyTimeout: ANSWER_MS_MAX, maxResponseSize: ANSWER_BYTES_MAX }
  const pool = createServicePool(url, { ...limits, connections: CONNECTIONS_MAX, headersTimeout: ANSWER_MS_MAX })
  const waitingPool = createServicePool(url, {
    ...limits,
    connections: WAITS_MAX,
    headersTimeout: WAIT_SECONDS_MAX * 1_000 + BESIDE_THE_WAIT_MS_MAX,
  })

  async function attempt(
    { method, path, body, wait }: ForwardedCall,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const request = { method, path, headers, body: body ?? null }
    const { statusCode, headers: received, text } = await requestText(wait ? waitingPool : pool, request, signal)
    const answered: Record<string, string> = {}
    for (const name of RESPONSE_HEADERS) {
      const value = received[name]
      if (typeof value === 'string') answered[name] = value
    }
    return { status: statusCode, headers: answered, body: text }
  }

  /** For POST the retry is marked: the contract service looks by the request id for what it has already done. */
  const ask = (call: ForwardedCall, headers: Record<string, string>, signal: AbortSignal): Promise<Answer> =>
    tryTwice((isRetry) => {
      const isMarked = isRetry && call.method === 'POST'
      return attempt(call, isMarked ? { ...headers, [INTERNAL_HEADERS.retry]: '1' } : headers, signal)
    }, signal)

  /** The retry waits for what is left of the wait. */
  async function askAndWait(
    call: ForwardedCall,
    headers: Record<string, string>,
    { seconds, signal }: Wait,
  ): Promise<Answer> {
    const endsAtMs = performance.now() + seconds * 1_000
    const answer = await tryTwice(
      () => attempt(call, { ...headers, ...waitFor(Math.ceil((endsAtMs - performance.now()) / 1_000)) }, signal),
      signal,
      WAIT_PAUSE_MS,
    )
    // What a retry had left to wait is between us and the contract service.
    if (answer.headers['preference-applied']) answer.headers['preference-applied'] = `wait=${seconds}`
    return answer
  }

  return {
    /**
     * The contract service's answer as it is. A connection that breaks is tried once more.
     * @throws DomainError `unavailable` when it cannot be reached; the reason with which a wait was ended
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
      const { wait } = call
      const late = new AbortController()
      const msMax = wait ? wait.seconds * 1_000 + BESIDE_THE_WAIT_MS_MAX : (call.msMax ?? FORWARD_MS_MAX)
      const timer = setTimeout(() => late.abort(), msMax)
      try {
        const answer = wait
          ? await askAndWait(call, headers, { ...wait, signal: AbortSignal.any([late.signal, wait.signal]) })
          : await ask(call, headers, late.signal)
        // Not the client's key: ours was refused, so this installation is not set up right.
        if (answer.status === 401) throw new Error('the contract service refused the caller token of the gateway')
        return answer
      } catch (error) {
        if (wait?.signal.aborted) throw wait.signal.reason
        throw new DomainError(
          'unavailable',
          'The contract service cannot answer at the moment. Try again in a few seconds; a POST with an Idempotency-Key is safe to repeat.',
          { cause: error },
        )
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => Promise.all([pool.close(), waitingPool.close()]),
  }
}

const waitFor = (seconds: number): Record<string, string> => (seconds > 0 ? { prefer: `wait=${seconds}` } : {})

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
