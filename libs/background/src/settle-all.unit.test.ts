import { expect, it, jest } from '@jest/globals'
import { settleAll } from './settle-all.js'

const failOn = (bad: readonly number[]) => async (row: number) => {
  if (bad.includes(row)) throw new Error(`row ${row}`)
}

it('settleAll completes the other tasks when one fails, and reports the failed one', async () => {
  const note = jest.fn()
  expect(await settleAll([1, 2, 3], failOn([2]), note)).toBe(2)
  expect(note.mock.calls.map(([error, row]) => [(error as Error).message, row as number])).toEqual([['row 2', 2]])
})

it('settleAll throws if every task fails, and does not throw if there are no tasks', async () => {
  const note = jest.fn()
  await expect(settleAll([1, 2], failOn([1, 2]), note)).rejects.toThrow('row 1')
  expect(await settleAll([], failOn([]), note)).toBe(0)
  expect(note).not.toHaveBeenCalled()
})
