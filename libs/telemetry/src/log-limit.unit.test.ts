import { afterEach, beforeEach, expect, it, jest } from '@jest/globals'
import { createLogLimit } from './log-limit.js'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Writes lines through a limit of a second. @returns the written lines: the kind, or the count with its kind */
function start() {
  const limit = createLogLimit(1_000)
  const written: string[] = []
  const write = (kind: string): void => {
    const suppressed = limit.admit(kind, (count) => written.push(`${count} more of ${kind}`))
    if (suppressed !== undefined) written.push(suppressed === 0 ? kind : `${kind} after ${suppressed}`)
  }
  return { write, written, flush: limit.flush }
}

it('one line of a kind is written a second, and the next one has the number of those in between [F47]', () => {
  const { write, written } = start()
  for (let call = 0; call < 100; call += 1) write('no database')
  write('no broker')
  expect(written).toEqual(['no database', 'no broker'])
  jest.advanceTimersByTime(1_000)
  for (let call = 0; call < 50; call += 1) write('no database')
  jest.advanceTimersByTime(1_000)
  write('no database')
  expect(written.slice(2)).toEqual(['no database after 99', 'no database after 49'])
})

it('a flood that ends is counted by a line of its own within two seconds', () => {
  const { write, written } = start()
  for (let call = 0; call < 3; call += 1) write('no database')
  jest.advanceTimersByTime(2_000)
  expect(written).toEqual(['no database', '2 more of no database'])
  jest.advanceTimersByTime(60_000)
  write('no database')
  expect(written.at(-1)).toBe('no database')
  expect(jest.getTimerCount()).toBe(1)
})

it('lines that are rarer than one a second are all written, without a count', () => {
  const { write, written } = start()
  for (let call = 0; call < 3; call += 1) {
    write('no database')
    jest.advanceTimersByTime(1_001)
  }
  expect(written).toEqual(['no database', 'no database', 'no database'])
  expect(jest.getTimerCount()).toBe(0)
})

it('a process that ends reports what it has suppressed', () => {
  const { write, written, flush } = start()
  for (let call = 0; call < 3; call += 1) write('no database')
  write('no broker')
  flush()
  flush()
  expect(written).toEqual(['no database', 'no broker', '2 more of no database'])
})
