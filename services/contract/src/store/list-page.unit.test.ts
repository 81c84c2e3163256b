import { expect, it } from '@jest/globals'
import { candidatesOf, type Window } from './list-page.js'

/** A window of contracts that expire at these milliseconds, whose ids are these numbers. */
const window = (isFull: boolean, ...at: number[]): Window => ({
  found: at.map((ms) => ({ id: String(ms), expiresAt: new Date(ms) })),
  isFull,
})
const candidates = (windows: readonly Window[], isOlder = true) => {
  const { candidates: found, rest, unchecked } = candidatesOf(windows, isOlder)
  const ids = found.map(({ position: { id }, isSure }) => (isSure ? id : `${id}?`)).join(' ')
  return { ids, rest: rest?.id, unchecked }
}

it('complete windows decide on every contract [D71]', () => {
  const windows = [window(false, 9, 7, 5), window(false, 7, 5, 1)]
  expect(candidates(windows)).toEqual({ ids: '7 5', rest: undefined, unchecked: [] })
})

it('a full window decides up to its end, and leaves in doubt what is beyond, also within the same millisecond [D71]', () => {
  const windows = [window(true, 9, 8, 6), window(false, 9, 7, 6.5, 5, 3)]
  expect(candidates(windows)).toEqual({ ids: '9 6.5? 5? 3?', rest: undefined, unchecked: [0] })
})

it('without a complete window, the one that reaches furthest has the candidates, and the list may go on [D71]', () => {
  const windows = [window(true, 9, 8, 7), window(true, 9, 5, 2), window(true, 9, 6, 4)]
  expect(candidates(windows)).toEqual({ ids: '9 2?', rest: '2', unchecked: [0, 2] })
  const newer = [window(true, 1, 2, 3), window(true, 1, 4, 8)]
  expect(candidates(newer, false)).toEqual({ ids: '1 4? 8?', rest: '8', unchecked: [0] })
})

it('an empty window ends the list [D71]', () => {
  expect(candidates([window(true, 9, 8, 7), window(false)])).toEqual({ ids: '', rest: undefined, unchecked: [0] })
})
