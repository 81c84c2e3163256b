import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { wasNotSent, retryOnce } from './retry-once.js'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const broken = (code: string) => Object.assign(new Error(code), { code })
const [reset, refused] = [broken('ECONNRESET'), broken('ECONNREFUSED')]

/** Runs attempts with these outcomes; the last outcome repeats. @returns the result, the attempts and the duration */
async function run(outcomes: (Error | 'answer')[], { firstTakesMs = 0, signal = new AbortController().signal } = {}) {
  const marks: boolean[] = []
  const attempt = async (isRetry: boolean) => {
    marks.push(isRetry)
    const outcome = outcomes[Math.min(marks.length, outcomes.length) - 1]!
    if (marks.length === 1) await new Promise((resolve) => setTimeout(resolve, firstTakesMs))
    if (outcome instanceof Error) throw outcome
    return outcome
  }
  const startedAtMs = performance.now()
  let tookMs = 0
  const result = retryOnce(attempt, signal)
    .catch((error: unknown) => error)
    .finally(() => (tookMs = performance.now() - startedAtMs - firstTakesMs))
  await jest.advanceTimersByTimeAsync(firstTakesMs + 20_000)
  return { result: await result, marks, tookMs }
}

describe('a call whose connection breaks [D17]', () => {
  it('reaches the service at most twice, the second time marked as a retry', async () => {
    expect(await run([reset, 'answer'])).toMatchObject({ result: 'answer', marks: [false, true] })
    expect(await run([reset, broken('EPIPE'), 'answer'])).toMatchObject({ marks: [false, true] })
    expect((await run([reset, broken('UND_ERR_SOCKET'), 'answer'])).result).toMatchObject({ code: 'UND_ERR_SOCKET' })
  })

  it('is retried for up to 5 s if the service may have processed it, however long the first try took', async () => {
    const waiting = Array.from({ length: 40 }, () => refused)
    const found = await run([reset, ...waiting, 'answer'], { firstTakesMs: 14_000 })
    expect(found.result).toBe('answer')
    expect(found.tookMs).toBeLessThan(5_000)
    const lost = await run([reset, refused])
    expect(lost.result).toBe(refused)
    expect(lost.tookMs).toBe(5_000)
    // A refused connection in between does not use up the retry, because it reached no process.
    expect((await run([reset, refused, reset])).marks).toHaveLength(3)
  })

  it('is retried for 1 s if the service was unreachable from the start', async () => {
    expect((await run([refused, refused, 'answer'])).result).toBe('answer')
    const lost = await run([refused])
    expect([lost.result, lost.tookMs]).toEqual([refused, 1_000])
  })

  it.each(['UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN', 'ENOTFOUND'])(
    'is retried if no connection was established: %s',
    async (code) => {
      expect((await run([broken(code), 'answer'], { firstTakesMs: 3_000 })).result).toBe('answer')
      // Nothing was sent, so the retry is still available for a connection that breaks.
      expect((await run([broken(code), reset, 'answer'])).result).toBe('answer')
    },
  )

  it.each(['read', 'write'])(
    'may have reached the service if the failing system call is %s, even with EHOSTUNREACH',
    async (syscall) => {
      const lost = Object.assign(broken('EHOSTUNREACH'), { syscall })
      expect(wasNotSent(lost)).toBe(false)
      expect(wasNotSent(Object.assign(broken('EHOSTUNREACH'), { syscall: 'connect' }))).toBe(true)
      expect(await run([lost, 'answer'])).toMatchObject({ result: lost, marks: [false] })
    },
  )

  it('is not retried if the answer was only slow, or the time limit of the call has passed', async () => {
    const slow = broken('UND_ERR_HEADERS_TIMEOUT')
    expect(await run([slow, 'answer'])).toMatchObject({ result: slow, marks: [false], tookMs: 0 })
    const late = AbortSignal.abort()
    expect(await run([reset, 'answer'], { signal: late })).toMatchObject({ result: reset, marks: [false] })
  })
})
