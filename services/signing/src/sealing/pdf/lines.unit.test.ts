import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { describe, expect, it } from '@jest/globals'
import { openFonts, splitClusters } from './fonts.js'
import { breakLines } from './lines.js'

const { glyphs } = openFonts()
/** The width of a text if every character has width 1. */
const widthOf = ({ text }: { text: string }): number => [...text].length
const broken = (text: string, width = 20): string[] =>
  breakLines([text], 'serif', { glyphs, width, widthOf }).map((line) => line.map((ink) => ink.text).join(''))

describe('characters that a font lacks [evidence 6]', () => {
  it('are printed as their number and counted if no font has them, with the first as an example', () => {
    expect(glyphs.cut('a\u{1F600}b', 'sans').map(({ text, isNumber }) => [text, isNumber])).toEqual([
      ['a', false],
      ['[U+1F600]', true],
      ['b', false],
    ])
    expect(glyphs.countMissing('a\u{1F600}b\u05D0', 'sans')).toEqual({ count: 2, example: '[U+1F600]' })
  })

  it('come from a fallback font if one has them: arrows, boxes, Cyrillic, Greek', () => {
    for (const letter of ['→', '☐', 'Ж', 'Ω', '€', 'ő', '½'])
      expect(glyphs.cut(letter, 'serif')).toMatchObject([{ text: letter, isNumber: false }])
  })

  it('include marks beyond eight on a letter, which would cover other lines', () => {
    const pile = `e${'\u0301'.repeat(12)}`
    expect(glyphs.countMissing(pile, 'serif')).toEqual({ count: 4, example: '[U+0301]' })
    expect(splitClusters(`${pile}x`)).toHaveLength(6)
  })
})

describe('lines [evidence 6, plain text]', () => {
  it('break after a space or a hyphen, or inside a word wider than a line', () => {
    expect(broken('the quick brown-fox jumps over')).toEqual(['the quick brown-fox ', 'jumps over'])
    expect(broken('the quick lazy brown-fox')).toEqual(['the quick lazy ', 'brown-fox'])
    expect(broken('x'.repeat(45))).toEqual(['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)])
  })

  it('keep line feeds, or treat them as spaces in a reflowing paragraph', () => {
    expect(broken('a\nb')).toEqual(['a', 'b'])
    const flowing = breakLines(['a\nb'], 'serif', { glyphs, width: 20, widthOf, reflows: true })
    expect(flowing).toHaveLength(1)
  })

  it('show a label in place of an invisible character', () => {
    const [line] = breakLines(['pay ', { label: 'U+202E RLO', count: 2 }, '001'], 'serif', {
      glyphs,
      width: 40,
      widthOf,
    })
    expect(line!.map(({ text, look }) => [text, look])).toEqual([
      ['pay ', 'text'],
      ['[U+202E RLO ×2]', 'badge'],
      ['001', 'text'],
    ])
  })

  it('lose nothing and never exceed the width, except by trailing spaces, for any text and width', () => {
    const random = createSeededRandom(20261122)
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
    for (let round = 0; round < 500; round += 1) {
      const letters = ['a', 'é', ' ', '-', '\n', 'W', '漢', '.', 'e\u0301']
      const text = Array.from({ length: Math.floor(random() * 120) }, () => pick(letters)).join('')
      const width = 10 + Math.floor(random() * 30)
      const lines = broken(text, width)
      expect(lines.join('')).toBe(text.replaceAll('漢', '[U+6F22]').replaceAll('\n', ''))
      for (const line of lines) expect([...line.trimEnd()].length).toBeLessThanOrEqual(width)
    }
  })
})
