import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { accentColours, accentSheet, contrast, GROUNDS, nearestThatHolds, readColour } from './accent.js'

/** Every 17th value of each channel, black and white among them. */
const LEVELS = Array.from({ length: 16 }, (_, at) => (at * 17).toString(16).padStart(2, '0'))
const COLOURS = LEVELS.flatMap((red) => LEVELS.flatMap((green) => LEVELS.map((blue) => `#${red}${green}${blue}`)))

it('the grounds are those of the style sheet [D59]', () => {
  const sheet = readFileSync(new URL('base.css', import.meta.url), 'utf8')
  const valuesOf = (name: string) =>
    [...sheet.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, value]) => value)
  const [papers, desks] = [valuesOf('paper'), valuesOf('desk')]
  expect([papers[0], desks[0]]).toEqual(GROUNDS.light)
  expect([papers[1], desks[1]]).toEqual(GROUNDS.dark)
})

it('contrast is the ratio of WCAG 2.2', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
  expect(contrast('#1a5fb4', '#1a5fb4')).toBe(1)
})

describe('of every colour', () => {
  it.each(['light', 'dark'] as const)(
    'the nearest one has at least 4.5:1 on both %s grounds [D59, WCAG 1.4.3]',
    (scheme) => {
      const wrong = COLOURS.filter((colour) => {
        const nearest = nearestThatHolds(colour, scheme)
        return lowest(nearest, GROUNDS[scheme]) < 4.5 || nearestThatHolds(nearest, scheme) !== nearest
      })
      expect(wrong).toEqual([])
    },
  )

  it.each(['light', 'dark'] as const)(
    'links, and buttons at rest and under the pointer, can be read in the %s scheme [WCAG 1.4.3]',
    (scheme) => {
      const wrong = COLOURS.filter((colour) => {
        const { accent, accentStrong, onAccent } = accentColours(nearestThatHolds(colour, 'light'), scheme)
        return Math.min(lowest(accentStrong, GROUNDS[scheme]), lowest(onAccent, [accent, accentStrong])) < 4.5
      })
      expect(wrong).toEqual([])
    },
  )
})

const lowest = (colour: string, grounds: readonly string[]): number =>
  Math.min(...grounds.map((ground) => contrast(colour, ground)))

it('a colour that does not hold gets darker, and keeps its hue [D59]', () => {
  expect(nearestThatHolds('#1a5fb4', 'light')).toBe('#1a5fb4')
  expect(nearestThatHolds('#ffcc00', 'light')).toBe('#876c00')
  expect(accentColours('#1a5fb4', 'dark').accent).toBe('#3985e2')
})

it.each([
  ['#1A5FB4', '#1a5fb4'],
  [' 1a5fb4 ', '#1a5fb4'],
  ['#0af', '#00aaff'],
  ['blue', undefined],
  ['#12345', undefined],
  ['#1a5fb4;}body{display:none', undefined],
  ['', undefined],
])('%s is read as %s', (text, colour) => {
  expect(readColour(text)).toBe(colour)
})

it('the style sheet changes the accent in both schemes on a screen, and nothing else [D59]', () => {
  expect(accentSheet('#1a5fb4')).toMatch(
    /^@media screen\{:root\{--accent:#1a5fb4;--accent-strong:#[\da-f]{6};--on-accent:#ffffff;--wash:var\(--desk\)\}\}@media screen and \(prefers-color-scheme:dark\)\{:root\{--accent:#3985e2;[^{}]*\}\}$/,
  )
})
