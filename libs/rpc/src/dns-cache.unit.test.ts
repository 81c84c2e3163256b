import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import type { LookupAddress } from 'node:dns'
import { createLookup } from './dns-cache.js'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const at = (address: string): LookupAddress[] => [{ address, family: 4 }]

/** A resolver that answers when it is told to, and what a lookup with it gives. */
function setUp() {
  const questions: { answer: (addresses: LookupAddress[]) => void; fail: () => void }[] = []
  const lookup = createLookup(
    () =>
      new Promise((resolve, reject) => {
        const away = Object.assign(new Error('away'), { code: 'EAI_AGAIN' })
        questions.push({ answer: resolve, fail: () => reject(away) })
      }),
  )
  const ask = (options: { all?: boolean } = { all: true }) =>
    new Promise<unknown>((resolve) =>
      lookup('sign-paraph-contract', options, (error, ...found) => resolve(error?.code ?? found)),
    )
  /** As `ask`, with the first question answered. */
  const known = async (): Promise<void> => {
    const first = ask()
    questions[0]!.answer(at('10.0.0.1'))
    await first
  }
  return { questions, ask, known }
}

describe('the address of a name', () => {
  it('is waited for the first time, and an error is passed on', async () => {
    const { questions, ask } = setUp()
    const first = ask()
    await jest.advanceTimersByTimeAsync(60_000)
    questions[0]!.fail()
    expect(await first).toBe('EAI_AGAIN')
    const second = ask()
    questions[1]!.answer(at('10.0.0.1'))
    expect(await second).toEqual([at('10.0.0.1')])
  })

  it('is given as a list or as one, as the caller asks', async () => {
    const { ask, known } = setUp()
    await known()
    expect(await ask()).toEqual([at('10.0.0.1')])
    expect(await ask({})).toEqual(['10.0.0.1', 4])
  })

  it('is asked for once by all who need it at a time, and not again for five seconds', async () => {
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

  it('is the last one known while the resolver is late, and the late answer counts from then on', async () => {
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

  it('is the last one known when the resolver is away', async () => {
    const { questions, ask, known } = setUp()
    await known()
    await jest.advanceTimersByTimeAsync(5_000)
    const asked = ask()
    questions[1]!.fail()
    expect(await asked).toEqual([at('10.0.0.1')])
  })
})
