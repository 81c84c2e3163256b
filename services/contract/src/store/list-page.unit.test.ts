import { expect, it } from '@jest/globals'
import { candidatesOf, type Window } from './list-page.js'

/** A window of contracts that expire at these milliseconds, whose ids are these numbers. */
const window = (isFull: boolean, ...at: number[]): Window => ({
  found: at.map((ms) => ({ id: String(ms), expiresAt: new Date(ms) })),
  isFull,
})
const idsOf = (windows: readonly Window[], isOlder = true) => {
  const { candidates, ...rest } = candidatesOf(windows, isOlder)
  return { ids: candidates.map(({ id }) => Number(id)), ...rest }
}

it('complete windows alone decide, and nothing is left to check [D71]', () => {
  expect(idsOf([window(false, 9, 7, 5), window(false, 7, 5, 1)])).toEqual({
    ids: [7, 5],
    mayHaveMore: false,
    unchecked: [],
  })
})

it('a full window says nothing of contracts beyond it, so its source is checked [D71]', () => {
  expect(idsOf([window(true, 9, 8, 7), window(false, 5, 3)])).toEqual({
    ids: [5, 3],
    mayHaveMore: false,
    unchecked: [0],
  })
})

it('without a complete window, the one that reaches furthest has the candidates, and the list may go on [D71]', () => {
  const windows = [window(true, 9, 8, 7), window(true, 9, 5, 2), window(true, 9, 6, 4)]
  expect(idsOf(windows)).toEqual({ ids: [9, 5, 2], mayHaveMore: true, unchecked: [0, 2] })
  const newer = [window(true, 1, 2, 3), window(true, 1, 4, 8)]
  expect(idsOf(newer, false)).toEqual({ ids: [1, 4, 8], mayHaveMore: true, unchecked: [0] })
})

it('an empty window ends the list [D71]', () => {
  expect(idsOf([window(true, 9, 8, 7), window(false)])).toEqual({ ids: [], mayHaveMore: false, unchecked: [0] })
})
