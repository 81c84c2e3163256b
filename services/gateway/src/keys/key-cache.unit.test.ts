import { describe, expect, it, vi } from 'vitest'
import { createKeyCache } from './key-cache.js'
import type { ApiKey } from './key-store.js'

const good = { id: 'key_1' } as ApiKey

/** A store whose answers the test gives one by one. */
function heldStore() {
  const asked: { fingerprint: string; answer: (key: ApiKey | undefined) => void; fail: (error: Error) => void }[] = []
  const load = (fingerprint: string) =>
    new Promise<ApiKey | undefined>((answer, fail) => void asked.push({ fingerprint, answer, fail }))
  return { asked, load }
}

function cacheOver(load: (fingerprint: string) => Promise<ApiKey | undefined>) {
  const clock = { ms: 0 }
  return { clock, cache: createKeyCache({ load, nowMs: () => clock.ms }) }
}

describe('what is known of keys [D28]', () => {
  it('believes an answer for 5 s from when it was asked for, and not longer', async () => {
    const load = vi.fn(() => Promise.resolve<ApiKey | undefined>(good))
    const { cache, clock } = cacheOver(load)
    await cache.find('a')
    clock.ms = 4_999
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(1)
    clock.ms = 5_000
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('believes no key longer than the key itself lives, counted from when it was asked for', async () => {
    const { asked, load } = heldStore()
    const { cache, clock } = cacheOver(load)
    const first = cache.find('a')
    clock.ms = 400
    const dying = { ...good, expiresInMs: 1_000 }
    asked[0]?.answer(dying)
    await first
    clock.ms = 999
    expect(await cache.find('a')).toBe(dying)
    expect(cache.recall('a')).toBe(dying)
    clock.ms = 1_000
    expect(cache.recall('a')).toBeUndefined()
    const second = cache.find('a')
    expect(asked).toHaveLength(2)
    asked[1]?.answer(undefined)
    expect(await second).toBeUndefined()
  })

  it('forgets the caller token together with the entry', async () => {
    const { cache, clock } = cacheOver(() => Promise.resolve({ ...good }))
    const first = await cache.find('a')
    first!.callerToken = Promise.resolve('token')
    clock.ms = 4_999
    expect((await cache.find('a'))?.callerToken).toBe(first!.callerToken)
    cache.expireAll()
    const second = await cache.find('a')
    expect(second).not.toBe(first)
    expect(second?.callerToken).toBeUndefined()
  })

  it('asks again at once after word of a change, also when the word came during the look-up', async () => {
    const { asked, load } = heldStore()
    const { cache } = cacheOver(load)
    const first = cache.find('a')
    cache.expireAll()
    asked[0]?.answer(good)
    await first
    const second = cache.find('a')
    expect(asked).toHaveLength(2)
    asked[1]?.answer(undefined)
    expect(await second).toBeUndefined()
    expect(cache.recall('a')).toBeUndefined()
  })

  it('makes one look-up of many for the same key', async () => {
    const { asked, load } = heldStore()
    const { cache } = cacheOver(load)
    const all = Promise.all([cache.find('a'), cache.find('a'), cache.find('a')])
    expect(asked).toHaveLength(1)
    asked[0]?.answer(good)
    expect(await all).toEqual([good, good, good])
  })

  it('remembers that a key is unknown for 5 s', async () => {
    const load = vi.fn(() => Promise.resolve(undefined))
    const { cache, clock } = cacheOver(load)
    await cache.find('a')
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(1)
    clock.ms = 5_001
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('keeps a good key through a flood of unknown ones', async () => {
    const load = vi.fn((fingerprint: string) => Promise.resolve(fingerprint === 'good' ? good : undefined))
    const { cache } = cacheOver(load)
    await cache.find('good')
    for (let at = 0; at < 12_000; at += 1) await cache.find(`guess ${at}`)
    load.mockClear()
    expect(await cache.find('good')).toBe(good)
    expect(load).not.toHaveBeenCalled()
  })

  it('has at most 4 look-ups of unknown keys under way; who waits longer than 1 s gets unavailable, not invalid', async () => {
    vi.useFakeTimers()
    try {
      const { asked, load } = heldStore()
      const { cache } = cacheOver(load)
      const guesses = ['a', 'b', 'c', 'd', 'e', 'f'].map((guess) =>
        Promise.resolve(cache.find(guess)).catch((error: unknown) => error),
      )
      expect(asked).toHaveLength(4)
      asked[0]?.answer(undefined)
      await vi.advanceTimersByTimeAsync(500)
      expect(asked.map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b', 'c', 'd', 'e'])
      await vi.advanceTimersByTimeAsync(501)
      expect(await guesses[5]).toMatchObject({ code: 'unavailable' })
      for (const { answer } of asked.slice(1)) answer(undefined)
      await vi.runAllTimersAsync()
      const later = cache.find('g')
      asked.at(-1)?.answer(good)
      expect(await later).toBe(good)
    } finally {
      vi.useRealTimers()
    }
  })

  it('asks for a key that was good a moment ago past the queue of unknown ones', async () => {
    const { asked, load } = heldStore()
    const { cache, clock } = cacheOver(load)
    const first = cache.find('good')
    asked[0]?.answer(good)
    await first
    for (const guess of ['a', 'b', 'c', 'd', 'e']) Promise.resolve(cache.find(guess)).catch(() => undefined)
    clock.ms = 6_000
    const again = cache.find('good')
    expect(asked.at(-1)?.fingerprint).toBe('good')
    asked.at(-1)?.answer(good)
    expect(await again).toBe(good)
    for (const { answer } of asked) answer(undefined)
  })

  it('recalls a good key for 5 minutes while the store fails, and forgets the failure [D40]', async () => {
    const { asked, load } = heldStore()
    const { cache, clock } = cacheOver(load)
    const first = cache.find('a')
    asked[0]?.answer(good)
    await first
    clock.ms = 6_000
    const second = cache.find('a')
    asked[1]?.fail(new Error('away'))
    await expect(second).rejects.toThrow('away')
    expect(cache.recall('a')).toBe(good)
    Promise.resolve(cache.find('a')).catch(() => undefined)
    expect(asked).toHaveLength(3)
    clock.ms = 5 * 60_000
    expect(cache.recall('a')).toBeUndefined()
  })
})
