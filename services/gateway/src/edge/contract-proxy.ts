// Forwards a call to the contract service and returns its answer, without parsing either. [D17, D45]
// Reads bodies whole, because they are small: this is cheaper than a stream, and a client that disconnects cannot crash the process.
// Owns: which headers are forwarded, the service token, the header that marks the retry, and a separate connection pool for long polls,
// which leaves the other pool to ordinary calls [D22]. Does not own: when to retry (retry-once).
import type { IncomingHttpHeaders } from 'node:http'
import { INTERNAL_HEADERS } from '@paraph/protocol/internal-headers'
import { DomainError } from '@paraph/protocol/errors'
import type { TokenSigner } from '@paraph/rpc/service-token'
import { isStrict, WAIT_SECONDS_MAX } from '@paraph/http/prefer'
import { requestText } from '@paraph/http/request-text'
import { createServicePool } from '@paraph/rpc/service-pool'
import type { CachedKey } from '../keys/key-cache.js'
import { retryOnce } from './retry-once.js'

/** Headers of the client that the contract service gets. */
const REQUEST_HEADERS = ['content-type', 'content-encoding', 'idempotency-key', 'if-none-match'] as const
/** Headers of the contract service that the client gets. */
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
/** Includes the retry and the wait for a free connection; must be shorter than a quota reservation lives (quota.ts). */
const FORWARD_MS_MAX = 35_000
const ANSWER_BYTES_MAX = 4 * 1_048_576
/** Maximum of open long polls; each uses one connection. */
export const LONG_POLLS_MAX = 2_048
/** Time limit of a long poll in addition to the requested wait. */
const BESIDE_THE_WAIT_MS_MAX = 10_000
/** Pause before a retry, so that waiting calls do not stampede a starting service. */
const WAIT_PAUSE_MS = 1_000

export interface ForwardedCall {
  method: 'GET' | 'POST'
  /** The path after the version, as the client sent it. */
  path: string
  headers: IncomingHttpHeaders
  body: Buffer | undefined
  key: CachedKey
  requestId: string
  /** The contract service may answer with a replay for the Idempotency-Key, but must not create a contract. [D17] */
  replayOnly: boolean
  /** How long the contract service may delay the answer; aborting `signal` ends the call with the reason of the signal. [D22] */
  wait?: { seconds: number; signal: AbortSignal }
  /** Replaces FORWARD_MS_MAX by a shorter time limit. */
  msMax?: number
}

type HeaderMap = Record<string, string>

export interface Answer {
  status: number
  headers: HeaderMap
  /** JSON or empty. */
  body: string
}

interface ContractProxyDeps {
  /** Public port of the contract service. */
  url: string
  signer: TokenSigner
  /** The page about the error codes. */
  errorsUrl: string
}

export function createContractProxy({ url, signer, errorsUrl }: ContractProxyDeps) {
  const limits = { bodyTimeout: ANSWER_MS_MAX, maxResponseSize: ANSWER_BYTES_MAX }
  const pool = createServicePool(url, { ...limits, connections: CONNECTIONS_MAX, headersTimeout: ANSWER_MS_MAX })
  const headersTimeout = WAIT_SECONDS_MAX * 1_000 + BESIDE_THE_WAIT_MS_MAX
  const longPollPool = createServicePool(url, { ...limits, connections: LONG_POLLS_MAX, headersTimeout })

  async function attempt(call: ForwardedCall, headers: HeaderMap, signal: AbortSignal): Promise<Answer> {
    const request = { method: call.method, path: call.path, headers, body: call.body ?? null }
    const answer = await requestText(call.wait ? longPollPool : pool, request, signal)
    return { status: answer.statusCode, headers: pickHeaders(answer.headers, RESPONSE_HEADERS), body: answer.text }
  }

  /** Marks the retry of a POST: the contract service then looks up, by the request id, the result of the first try. */
  const send = (call: ForwardedCall, headers: HeaderMap, signal: AbortSignal): Promise<Answer> =>
    retryOnce((isRetry) => {
      const isMarked = isRetry && call.method === 'POST'
      return attempt(call, isMarked ? { ...headers, [INTERNAL_HEADERS.retry]: '1' } : headers, signal)
    }, signal)

  /** A retry waits for the remaining time only. */
  async function sendLongPoll(call: ForwardedCall, headers: HeaderMap, signal: AbortSignal, seconds: number) {
    const endsAtMs = performance.now() + seconds * 1_000
    const answer = await retryOnce(
      () => attempt(call, { ...headers, ...preferWait(Math.ceil((endsAtMs - performance.now()) / 1_000)) }, signal),
      signal,
      WAIT_PAUSE_MS,
    )
    // Reports the whole requested wait, even after a retry with a shorter wait.
    if (answer.headers['preference-applied']) answer.headers['preference-applied'] = `wait=${seconds}`
    return answer
  }

  return {
    /**
     * Returns the contract service's answer. Retries once if the connection breaks.
     * @throws DomainError `unavailable` when the service cannot be reached; the reason of `wait.signal` once it is aborted
     */
    async forward(call: ForwardedCall): Promise<Answer> {
      const { wait } = call
      const headers = pickHeaders(call.headers, REQUEST_HEADERS)
      headers['authorization'] = `Bearer ${await serviceTokenOf(call.key, signer)}`
      headers[INTERNAL_HEADERS.requestId] = call.requestId
      headers[INTERNAL_HEADERS.errorsUrl] = errorsUrl
      if (call.method === 'POST' && isStrict(call.headers['prefer']?.toString())) headers['prefer'] = 'handling=strict'
      if (call.replayOnly) headers[INTERNAL_HEADERS.replayOnly] = '1'
      const timeout = new AbortController()
      const msMax = wait ? wait.seconds * 1_000 + BESIDE_THE_WAIT_MS_MAX : (call.msMax ?? FORWARD_MS_MAX)
      const timer = setTimeout(() => timeout.abort(), msMax)
      try {
        const answer = wait
          ? await sendLongPoll(call, headers, AbortSignal.any([timeout.signal, wait.signal]), wait.seconds)
          : await send(call, headers, timeout.signal)
        // The contract service refused the gateway's own token, not the client's key: the installation is misconfigured.
        if (answer.status === 401)
          throw new Error("the contract service refused the gateway's service token; check the keys")
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
    close: () => Promise.all([pool.close(), longPollPool.close()]),
  }
}

const preferWait = (seconds: number): HeaderMap => (seconds > 0 ? { prefer: `wait=${seconds}` } : {})

function pickHeaders(headers: IncomingHttpHeaders, names: readonly string[]): HeaderMap {
  const picked: HeaderMap = {}
  for (const name of names) {
    const value = headers[name]
    if (typeof value === 'string') picked[name] = value
  }
  return picked
}

export type ContractProxy = ReturnType<typeof createContractProxy>

/** The service token of a cached key, created once for each cache entry (5 s) and dropped together with the entry. [D28] */
function serviceTokenOf(key: CachedKey, signer: TokenSigner): Promise<string> {
  const { account, environment, scopes } = key
  key.serviceToken ??= signer.sign('contract', { accountId: account.id, environment, scopes, account: account.data })
  return key.serviceToken
}
