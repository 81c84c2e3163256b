import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { LookupAddress } from 'node:dns'
import { createLookup } from './dns-cache.js'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const at = (address: string): LookupAddress[] => [{ address, family: 4 }]

/** A resolver that answers when the test calls `answer`, and a lookup that uses this resolver. */
function setUp() {
  const questions: { answer: (addresses: LookupAddress[]) => void; fail: () => void }[] = []
  const lookup = createLookup(
    () =>
      new Promise((resolve, reject) => {
        const away = Object.assign(new Error('unavailable'), { code: 'EAI_AGAIN' })
        questions.push({ answer: resolve, fail: () => reject(away) })
      }),
  )
  const ask = (options: { all?: boolean } = { all: true }) =>
    new Promise<unknown>((resolve) =>
      lookup('sign-paraph-contract', options, (error, ...found) => resolve(error?.code ?? found)),
    )
  /** Performs the first lookup and answers it. */
  const known = async (): Promise<void> => {
    const first = ask()
    questions[0]!.answer(at('10.0.0.1'))
    await first
  }
  return { questions, ask, known }
}

describe('a DNS look-up through the cache', () => {
  it('waits for the resolver the first time, and passes its error on', async () => {
    const { questions, ask } = setUp()
    const first = ask()
    await jest.advanceTimersByTimeAsync(60_000)
    questions[0]!.fail()
    expect(await first).toBe('EAI_AGAIN')
    const second = ask()
    questions[1]!.answer(at('10.0.0.1'))
    expect(await second).toEqual([at('10.0.0.1')])
  })

  it('returns a list or a single address, as the caller requests', async () => {
    const { ask, known } = setUp()
    await known()
    expect(await ask()).toEqual([at('10.0.0.1')])
    expect(await ask({})).toEqual(['10.0.0.1', 4])
  })

  it('is shared by concurrent callers, and not repeated for five seconds', async () => {
    const { questions, ask } = setUp()
    const both = [ask(), ask()]
    questions[0]!.answer(at('10.0.0.1'))
    await Promise.all(both)
    await jest.advanceTimersByTimeAsync(4_999)
    await ask()
    expect(questions).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(1)
    const again = ask()
    questions[1]!.answer(at('10.0.0.2'))
    expect(await again).toEqual([at('10.0.0.2')])
  })

  it('returns the last known address while the resolver is slow, and the late answer afterwards', async () => {
    const { questions, ask, known } = setUp()
    await known()
    await jest.advanceTimersByTimeAsync(5_000)
    const late = ask()
    await jest.advanceTimersByTimeAsync(250)
    expect(await late).toEqual([at('10.0.0.1')])
    questions[1]!.answer(at('10.0.0.2'))
    await jest.advanceTimersByTimeAsync(0)
    expect(await ask()).toEqual([at('10.0.0.2')])
  })

  it('returns the last known address while the resolver is unavailable', async () => {
    const { questions, ask, known } = setUp()
    await known()
    await jest.advanceTimersByTimeAsync(5_000)
    const asked = ask()
    questions[1]!.fail()
    expect(await asked).toEqual([at('10.0.0.1')])
  })
})
