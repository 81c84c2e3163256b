import { expect, it } from '@jest/globals'
import { takeRecords } from './kept-records.mjs'

const row = (scenario: string, more: object = {}) => ({
  scenario,
  bus: 'postgres',
  rounds: 50,
  scale: 1,
  outcome: 'held',
  ...more,
})
const ofAll = { isWanted: () => true, force: false }

it('a new run replaces the row of a run of equal size', () => {
  const [old, now] = [row('a', { seed: 1 }), row('a', { seed: 2 })]
  expect(takeRecords([old, row('b')], [now], { ...ofAll, isWanted: ({ scenario }) => scenario === 'a' })).toEqual({
    next: [row('b'), now],
    notes: [],
  })
})

it('a scheduled scenario without a result loses its row, and the report names it', () => {
  const isWanted = ({ scenario }: { scenario: string }): boolean => scenario !== 'c'
  const { next, notes } = takeRecords([row('a'), row('b'), row('c')], [row('a')], { ...ofAll, isWanted })
  expect(next).toEqual([row('c'), row('a')])
  expect(notes).toEqual([expect.stringContaining('b on postgres')])
})

it.each([
  ['fewer rounds', { rounds: 1 }],
  ['shorter times', { scale: 60 }],
])('the row of a fuller run stays after a run of %s, unless forced', (_, shorter) => {
  const [old, now] = [row('a'), row('a', shorter)]
  expect(takeRecords([old], [now], ofAll)).toEqual({ next: [old], notes: [expect.stringContaining('--force')] })
  expect(takeRecords([old], [now], { ...ofAll, force: true })).toEqual({ next: [now], notes: [] })
})

it('the row of a fuller run does not hide the failure of a shorter run', () => {
  const failed = row('a', { rounds: 1, outcome: 'failed' })
  expect(takeRecords([row('a')], [failed], ofAll).next).toEqual([failed])
})
