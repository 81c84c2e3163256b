import { describe, expect, it } from '@jest/globals'
import { BoundedMap } from './bounded-map.js'

const filled = (sizeMax: number, names: string): BoundedMap<string, number> => {
  const map = new BoundedMap<string, number>(sizeMax)
  for (const [at, name] of [...names].entries()) map.set(name, at)
  return map
}

const keysOf = (map: BoundedMap<string, number>): string => [...map].map(([key]) => key).join('')

describe('BoundedMap', () => {
  it('evicts the entry that was set longest ago', () => {
    const map = filled(3, 'abcd')
    expect([...map]).toEqual([
      ['b', 1],
      ['c', 2],
      ['d', 3],
    ])
    expect([map.get('a'), map.get('d')]).toEqual([undefined, 3])
  })

  it('counts a second set of a key as a refresh, which evicts nothing', () => {
    const map = filled(3, 'abca')
    expect([keysOf(map), map.get('a'), map.size]).toEqual(['bca', 3, 3])
    map.set('d', 4)
    expect(keysOf(map)).toBe('cad')
  })

  it('does not refresh an entry that is only read', () => {
    const map = filled(2, 'ab')
    expect(map.get('a')).toBe(0)
    map.set('c', 2)
    expect(keysOf(map)).toBe('bc')
  })

  it('deletes an entry at either end and in the middle, even during an iteration', () => {
    const map = filled(5, 'abcde')
    for (const key of 'aec') map.delete(key)
    map.delete('unknown')
    expect([keysOf(map), map.size]).toEqual(['bd', 2])
    for (const [key] of map) map.delete(key)
    expect([keysOf(map), map.size]).toEqual(['', 0])
    map.set('f', 6)
    expect(keysOf(map)).toBe('f')
  })

  it('never holds more than its limit, and equals a plain list of the newest entries', () => {
    const map = new BoundedMap<number, number>(10)
    let model: [number, number][] = []
    for (let at = 0; at < 2_000; at += 1) {
      const key = (at * at) % 37
      model = model.filter(([known]) => known !== key)
      if (at % 5 === 0) map.delete(key)
      else {
        map.set(key, at)
        model = [...model, [key, at] as [number, number]].slice(-10)
      }
      expect([...map]).toEqual(model)
      expect(map.size).toBe(model.length)
    }
  })

  it('evicts from a full map of 100,000 entries without a scan', () => {
    /** Milliseconds of CPU time, which excludes other processes. */
    const evict = (sizeMax: number): number => {
      const map = new BoundedMap<number, number>(sizeMax)
      for (let at = 0; at < sizeMax; at += 1) map.set(at, at)
      const before = process.cpuUsage()
      for (let at = 0; at < 20_000; at += 1) map.set(sizeMax + at, at)
      return process.cpuUsage(before).user / 1_000
    }
    evict(100)
    // A plain Map would take 100 times as long as for 100 entries. Misses in the processor's caches may cost a small factor.
    expect(Math.min(evict(100_000), evict(100_000))).toBeLessThan(30 * evict(100) + 20)
  })
})
