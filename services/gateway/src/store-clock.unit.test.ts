import { expect, it } from 'vitest'
import { sharper } from './store-clock.js'

const look = (offsetMs: number, errorMs: number, atMs: number) => ({ offsetMs, errorMs, atMs })

it.each([
  ['the first look', undefined, look(100, 900, 0), 'newer'],
  ['a sharp look against a blurred one that came later', look(100, 0.2, 0), look(101, 5, 1_000), 'older'],
  ['a sharper look', look(100, 5, 0), look(102, 0.2, 1_000), 'newer'],
  ['a look as sharp as the drift of the older by now', look(100, 0.2, 0), look(100, 1.2, 10_000), 'newer'],
  [
    'a look that the older cannot explain: the store has another clock now',
    look(100, 0.2, 0),
    look(160, 50, 1),
    'newer',
  ],
  ['a look that was kept waiting, and is still explained', look(100, 0.2, 0), look(140, 50, 1), 'older'],
] as const)('believes %s rightly [D3]', (_, older, newer, expected) => {
  expect(sharper(older, newer)).toBe(expected === 'newer' ? newer : older)
})
