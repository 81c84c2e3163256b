import { expect, it, vi } from 'vitest'
import { allAtOnce } from './at-once.js'

const failOn = (bad: readonly number[]) => async (row: number) => {
  if (bad.includes(row)) throw new Error(`row ${row}`)
}

it('does the others when one fails, and says which', async () => {
  const note = vi.fn()
  expect(await allAtOnce([1, 2, 3], failOn([2]), note)).toBe(2)
  expect(note.mock.calls.map(([error, row]) => [(error as Error).message, row as number])).toEqual([['row 2', 2]])
})

it('throws when not one could be done, and not when there was nothing to do', async () => {
  const note = vi.fn()
  await expect(allAtOnce([1, 2], failOn([1, 2]), note)).rejects.toThrow('row 1')
  expect(await allAtOnce([], failOn([]), note)).toBe(0)
  expect(note).not.toHaveBeenCalled()
})
