// Posts one message to an endpoint and judges the answer. The only file that makes connections to endpoints. [D65]
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { Agent, request } from 'undici'
import { createGuardedLookup, ForbiddenAddress, isLoopback, isPublicAddress } from './public-address.js'

const ANSWER_MS_MAX = 10_000
const ANSWER_BYTES_MAX = 65_536
/** What is kept of an answer, for the console. */
const KEPT_CHARACTERS_MAX = 1_000

/** `status`: of the answer; undefined without one, and `failure` then says why. `answer`: its beginning, as text. */
export interface PostResult {
  isDelivered: boolean
  status: number | undefined
  failure: Failure | undefined
  answer: string
}

/** Why an attempt failed: the address is not public, no answer in time, no connection, or a status that is not 2xx. */
export type Failure = 'address' | 'time' | 'connection' | 'status'

interface PostOptions {
  /** For a machine of its own: endpoints at 127.0.0.1 and ::1, also without TLS. */
  allowsLoopback: boolean
  /** The rest is for tests. */
  answerMsMax?: number
  resolve?: typeof lookup
}

export function createPost({ allowsLoopback, answerMsMax = ANSWER_MS_MAX, resolve = lookup }: PostOptions) {
  const isAllowed = (address: string): boolean => isPublicAddress(address) || (allowsLoopback && isLoopback(address))
  const agent = new Agent({
    // A connection for each message: an endpoint that moves is found again.
    pipelining: 0,
    connect: { lookup: createGuardedLookup(isAllowed, resolve), timeout: answerMsMax },
    headersTimeout: answerMsMax,
    bodyTimeout: answerMsMax,
  })

  async function post(url: string, headers: Record<string, string>, body: string): Promise<PostResult> {
    const failed = (failure: Failure): PostResult => ({ isDelivered: false, status: undefined, failure, answer: '' })
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isAllowed(host)) return failed('address')
    const signal = AbortSignal.timeout(answerMsMax)
    try {
      // undici follows no redirect by itself.
      const answer = await request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Paraph-Webhooks' },
        body,
        dispatcher: agent,
        signal,
      })
      const { statusCode: status } = answer
      const isDelivered = status >= 200 && status < 300
      const text = await beginningOf(answer.body)
      return { isDelivered, status, failure: isDelivered ? undefined : 'status', answer: text }
    } catch (error) {
      if (signal.aborted) return failed('time')
      return failed(isForbidden(error) ? 'address' : 'connection')
    }
  }

  return { post, close: () => agent.destroy() }
}

export type Post = ReturnType<typeof createPost>['post']

/** The beginning of an answer. The status has decided already, so a broken or endless body is only cut. */
async function beginningOf(
  body: AsyncIterable<Buffer> & { destroy: () => unknown; on: (name: 'error', listener: () => void) => unknown },
) {
  const chunks: Buffer[] = []
  let size = 0
  body.on('error', () => undefined)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= ANSWER_BYTES_MAX) break
    }
  } catch {
    // The connection broke, the length was wrong, or the time is over.
  } finally {
    body.destroy()
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, KEPT_CHARACTERS_MAX).replaceAll('\0', '')
}

function isForbidden(error: unknown): boolean {
  for (let link = error; link instanceof Error; link = link.cause) if (link instanceof ForbiddenAddress) return true
  return false
}
