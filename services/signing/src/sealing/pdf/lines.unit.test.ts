import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { describe, expect, it } from '@jest/globals'
import { inVisualOrder } from './bidi.js'
import { openFonts, splitClusters } from './fonts.js'
import { breakLines, drawnText, type Line } from './lines.js'

const { glyphs } = openFonts().forDocument('chinese')
/** The width of a text if every character has width 1. */
const widthOf = ({ text }: { text: string }): number => [...text].length
const linesOf = (text: string, width = 20): Line[] => breakLines([text], 'serif', { glyphs, width, widthOf })
const broken = (text: string, width?: number): string[] =>
  linesOf(text, width).map(({ inks }) => inks.map((ink) => ink.text).join(''))

describe('characters that a font lacks [evidence 6]', () => {
  it('are printed as their number and counted if no font has them, with the first as an example', () => {
    expect(glyphs.cut('a\u{1F600}b', 'sans').map(({ text, isNumber }) => [text, isNumber])).toEqual([
      ['a', false],
      ['[U+1F600]', true],
      ['b', false],
    ])
    expect(glyphs.countMissing('a\u{1F600}b\u0E01', 'sans')).toEqual({ count: 2, example: '[U+1F600]' })
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
    expect(line!.inks.map(({ text, look }) => [text, look])).toEqual([
      ['pay ', 'text'],
      ['[U+202E RLO ×2]', 'badge'],
      ['001', 'text'],
    ])
  })

  it('lose nothing and never exceed the width, except by trailing spaces, for any text and width', () => {
    const random = createSeededRandom(20261122)
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
    for (let round = 0; round < 500; round += 1) {
      const letters = ['a', 'é', ' ', '-', '\n', 'W', '漢', '。', '(', 'ש', '7', '\u0E01', '.', 'e\u0301']
      const text = Array.from({ length: Math.floor(random() * 120) }, () => pick(letters)).join('')
      const width = 10 + Math.floor(random() * 30)
      const lines = broken(text, width)
      expect(lines.join('')).toBe(text.replaceAll('\u0E01', '[U+0E01]').replaceAll('\n', ''))
      for (const line of lines) expect([...line.trimEnd()].length).toBeLessThanOrEqual(width)
    }
  })
})

describe('lines of Chinese and Japanese [UAX #14]', () => {
  it('break between characters, but not before a stop or after an opening bracket', () => {
    expect(broken('甲方应在十日之内付款，乙方（王小明）应当收款。', 10)).toEqual([
      '甲方应在十日之内付',
      '款，乙方（王小明）应',
      '当收款。',
    ])
  })

  it('keep Latin words and numbers whole', () => {
    expect(broken('支付1,500.00 CAD给Nordic Foods', 12)).toEqual(['支付1,500.00 ', 'CAD给Nordic ', 'Foods'])
  })
})

describe('lines from right to left [UAX #9]', () => {
  /** What a reader sees, from left to right, in letters that need no joining. */
  const seen = ({ inks }: Line): string =>
    inVisualOrder(inks)
      .map((ink) => (ink.face === 'hebrew' ? [...drawnText(ink)].toReversed().join('') : drawnText(ink)))
      .join('')

  it('begin at the right, with numbers and Latin words from left to right', () => {
    const [line] = linesOf('אב 12.5 CAD גד', 40)
    expect(line!.isRtl).toBe(true)
    expect(seen(line!)).toBe('דג CAD 12.5 בא')
  })

  it('are turned within a line from left to right, whose direction the first letter decides', () => {
    const [line] = linesOf('1. Pay (אב גד) 7 days', 40)
    expect(line!.isRtl).toBe(false)
    expect(seen(line!)).toBe('1. Pay (דג בא) 7 days')
  })

  it('are ordered each by itself after breaking, and lose no space', () => {
    const lines = linesOf('אב גד הו', 6)
    expect(lines.map(seen)).toEqual([' דג בא', 'וה'])
    expect(linesOf('a אב גד', 5).map(seen)).toEqual(['a בא ', 'דג'])
  })

  it('show Arabic and Persian digits from left to right, although their font sets letters from the right', () => {
    for (const digits of ['١٢٣', '۱۲۳']) {
      const ink = linesOf(`مدة ${digits} يوم`, 40)[0]!.inks.find(({ text }) => text === digits)!
      expect([ink.face, ink.level % 2, drawnText(ink)]).toEqual(['arabic', 0, [...digits].toReversed().join('')])
    }
  })
})
