import { expect, it } from '@jest/globals'
import { median, slowerShare, slowerShareWith } from './timing-pairs.js'

const pairs = [
  { one: 5, other: 4 },
  { one: 9.5, other: 10 },
  { one: 7, other: 7 },
  { one: 3, other: 20 },
]

it('the share of pairs in which the first sample was slower counts a tie as half', () => {
  expect(slowerShare(pairs)).toBe(0.375)
  expect(slowerShareWith(pairs, 1)).toBe(0.75)
  expect(median([3, 1, 2])).toBe(2)
})
