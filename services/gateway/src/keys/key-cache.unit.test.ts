import { describe, expect, it, jest } from '@jest/globals'
import { createKeyCache } from './key-cache.js'
import type { ApiKey } from './key-store.js'

const good = { id: 'key_1' } as ApiKey

/** A store whose answers the test gives one by one. */
function manualStore() {
  const lookups: { fingerprint: string; answer: (key: ApiKey | undefined) => void; fail: (error: Error) => void }[] = []
  const load = (fingerprint: string) =>
    new Promise<ApiKey | undefined>((answer, fail) => void lookups.push({ fingerprint, answer, fail }))
  return { lookups, load }
}

function cacheOver(load: (fingerprint: string) => Promise<ApiKey | undefined>) {
  const clock = { ms: 0 }
  return { clock, cache: createKeyCache({ load, nowMs: () => clock.ms }) }
}

describe('the key cache [D28]', () => {
  it('uses an entry for 5 s from the start of its look-up, and not longer', async () => {
    const load = jest.fn(() => Promise.resolve<ApiKey | undefined>(good))
    const { cache, clock } = cacheOver(load)
    await cache.find('a')
    clock.ms = 4_999
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(1)
    clock.ms = 5_000
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(2)
  })

  it("uses no entry longer than the key's own life, counted from the start of the look-up", async () => {
    const { lookups, load } = manualStore()
    const { cache, clock } = cacheOver(load)
    const first = cache.find('a')
    clock.ms = 400
    const dying = { ...good, expiresInMs: 1_000 }
    lookups[0]?.answer(dying)
    await first
    clock.ms = 999
    expect(await cache.find('a')).toBe(dying)
    expect(cache.recall('a')).toBe(dying)
    clock.ms = 1_000
    expect(cache.recall('a')).toBeUndefined()
    const second = cache.find('a')
    expect(lookups).toHaveLength(2)
    lookups[1]?.answer(undefined)
    expect(await second).toBeUndefined()
  })

  it('drops the service token together with the entry', async () => {
    const { cache, clock } = cacheOver(() => Promise.resolve({ ...good }))
    const first = await cache.find('a')
    first!.serviceToken = Promise.resolve('token')
    clock.ms = 4_999
    expect((await cache.find('a'))?.serviceToken).toBe(first!.serviceToken)
    cache.expireAll()
    const second = await cache.find('a')
    expect(second).not.toBe(first)
    expect(second?.serviceToken).toBeUndefined()
  })

  it('looks up again after a change notification, even one during the look-up', async () => {
    const { lookups, load } = manualStore()
    const { cache } = cacheOver(load)
    const first = cache.find('a')
    cache.expireAll()
    lookups[0]?.answer(good)
    await first
    const second = cache.find('a')
    expect(lookups).toHaveLength(2)
    lookups[1]?.answer(undefined)
    expect(await second).toBeUndefined()
    expect(cache.recall('a')).toBeUndefined()
  })

  it('shares one look-up between concurrent calls of a key', async () => {
    const { lookups, load } = manualStore()
    const { cache } = cacheOver(load)
    const all = Promise.all([cache.find('a'), cache.find('a'), cache.find('a')])
    expect(lookups).toHaveLength(1)
    lookups[0]?.answer(good)
    expect(await all).toEqual([good, good, good])
  })

  it('remembers for 5 s that a key is unknown', async () => {
    const load = jest.fn(() => Promise.resolve(undefined))
    const { cache, clock } = cacheOver(load)
    await cache.find('a')
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(1)
    clock.ms = 5_001
    await cache.find('a')
    expect(load).toHaveBeenCalledTimes(2)
  })

  it('keeps a valid key during a flood of unknown keys', async () => {
    const load = jest.fn((fingerprint: string) => Promise.resolve(fingerprint === 'good' ? good : undefined))
    const { cache } = cacheOver(load)
    await cache.find('good')
    for (let at = 0; at < 12_000; at += 1) await cache.find(`guess ${at}`)
    load.mockClear()
    expect(await cache.find('good')).toBe(good)
    expect(load).not.toHaveBeenCalled()
  })

  it('runs at most 4 look-ups of unknown keys at a time; a wait of more than 1 s ends with `unavailable`, not `invalid_key`', async () => {
    jest.useFakeTimers()
    try {
      const { lookups, load } = manualStore()
      const { cache } = cacheOver(load)
      const guesses = ['a', 'b', 'c', 'd', 'e', 'f'].map((guess) =>
        Promise.resolve(cache.find(guess)).catch((error: unknown) => error),
      )
      expect(lookups).toHaveLength(4)
      lookups[0]?.answer(undefined)
      await jest.advanceTimersByTimeAsync(500)
      expect(lookups.map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b', 'c', 'd', 'e'])
      await jest.advanceTimersByTimeAsync(501)
      expect(await guesses[5]).toMatchObject({ code: 'unavailable' })
      for (const { answer } of lookups.slice(1)) answer(undefined)
      await jest.runAllTimersAsync()
      const later = cache.find('g')
      lookups.at(-1)?.answer(good)
      expect(await later).toBe(good)
    } finally {
      jest.useRealTimers()
    }
  })

  it('looks up a recently valid key without waiting in the queue of unknown keys', async () => {
    const { lookups, load } = manualStore()
    const { cache, clock } = cacheOver(load)
    const first = cache.find('good')
    lookups[0]?.answer(good)
    await first
    for (const guess of ['a', 'b', 'c', 'd', 'e']) Promise.resolve(cache.find(guess)).catch(() => undefined)
    clock.ms = 6_000
    const again = cache.find('good')
    expect(lookups.at(-1)?.fingerprint).toBe('good')
    lookups.at(-1)?.answer(good)
    expect(await again).toBe(good)
    for (const { answer } of lookups) answer(undefined)
  })

  it('recalls a valid key for 5 minutes while the store fails, and caches no failure [D40]', async () => {
    const { lookups, load } = manualStore()
    const { cache, clock } = cacheOver(load)
    const first = cache.find('a')
    lookups[0]?.answer(good)
    await first
    clock.ms = 6_000
    const second = cache.find('a')
    lookups[1]?.fail(new Error('away'))
    await expect(second).rejects.toThrow('away')
    expect(cache.recall('a')).toBe(good)
    Promise.resolve(cache.find('a')).catch(() => undefined)
    expect(lookups).toHaveLength(3)
    clock.ms = 5 * 60_000
    expect(cache.recall('a')).toBeUndefined()
  })
})
