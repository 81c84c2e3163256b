import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { readHidden } from './hidden-characters.js'

const badgesIn = (line: string) => readHidden(line).filter((run) => typeof run === 'object')
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Characters that get a badge in any context. [ceremony: hidden and bidi characters] */
const ALWAYS_HIDDEN = {
  'C0 and C1 but the tab and line breaks': [
    ...range(0, 8),
    ...range(0x0e, 0x1f),
    ...range(0x7f, 0x84),
    ...range(0x86, 0x9f),
  ],
  'bidi controls': [...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
  'zero widths, word joiner, BOM, soft hyphen': [0x200b, 0x2060, 0xfeff, 0xad],
  'invisible mathematics': range(0x2061, 0x2064),
  'deprecated format characters': range(0x206a, 0x206f),
  'Hangul fillers': [0x115f, 0x1160, 0x3164, 0xffa0],
  tags: range(0xe0000, 0xe007f),
  'interlinear notes': range(0xfff9, 0xfffb),
  'grapheme joiner, Mongolian separator, Khmer inherent vowels': [0x34f, 0x180e, 0x17b4, 0x17b5],
  'variation selectors without what they vary': [...range(0xfe00, 0xfe0f), ...range(0xe0100, 0xe01ef), 0x180b],
  noncharacters: [...range(0xfdd0, 0xfdef), 0xfffe, 0xffff, 0x1fffe, 0x10ffff],
  'other default ignorables': [0x2065, 0xfff0, 0x1bca0, 0x1d173, 0xe0fff],
  'private use': [0xe000, 0xf0b7, 0xf0000, 0x10fffd],
  'symbols and letters that show nothing': [0x2800, 0xfffc, 0x1d159, 0x13441, 0x13442, 0x16fe4],
  'stackers and joiners of other scripts': [0x1039, 0x17d2, 0x1a60, 0x2d7f, 0x1107f, 0x1bc9d, 0x1daa1],
}

describe('hidden characters', () => {
  it.each(Object.entries(ALWAYS_HIDDEN))('get a badge: %s [ceremony: hidden and bidi characters]', (_, codes) => {
    for (const code of codes) {
      const label = expect.stringMatching(
        new RegExp(`^U\\+${code.toString(16).toUpperCase().padStart(4, '0')}( \\w+)?$`),
      )
      expectWithMessage(readHidden(`a${String.fromCodePoint(code)}b`), code.toString(16)).toEqual([
        'a',
        { label, count: 1 },
        'b',
      ])
    }
  })

  it('share one badge in a run of the same character [ceremony: hidden and bidi characters]', () => {
    expect(readHidden(`a${'\u202E'.repeat(17_000)}\u202C`)).toEqual([
      'a',
      { label: 'U+202E RLO', count: 17_000 },
      { label: 'U+202C PDF', count: 1 },
    ])
  })

  it.each([
    ['a no-break space and a narrow no-break space', 'pays\u00A01\u202F000'],
    ['an ideographic space and a tab', 'a\u3000b\tc'],
    ['a family emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['an emoji with a skin tone and a joiner', '\u{1F469}\u{1F3FD}\u200D\u{1F680}'],
    ['a heart in emoji style', '❤\uFE0F \u{2122}\uFE0E 1\uFE0F\u20E3'],
    ['a Persian word', 'می\u200Cخواهم'],
    ['a Hindi conjunct', 'क्\u200Dष'],
    ['direction marks beside a right-to-left letter', '\u200F(يدفع) CAD\u200F يومًا!\u200F "אב"\u200E (a)'],
    ['a Myanmar and a Khmer stack', 'သတ္တ ខ្មែរ'],
    ['a Han variant in a name', '葛\u{E0100}城'],
    ['the Arabic year sign', '\u0601٢٠٢٦'],
  ])('do not include %s [ceremony: hidden and bidi characters]', (_, line) => {
    expect(readHidden(line)).toEqual([line])
  })

  it('include joiners and marks out of context', () => {
    for (const line of [
      'pay\u200Cment',
      'pay\u200Dment',
      '12\u200F3',
      '12\u200E3',
      'a\u061Cb',
      'a\uFE0F',
      '\u{1F468}\u200D\u200D',
    ]) {
      expectWithMessage(badgesIn(line), JSON.stringify(line)).toHaveLength(1)
    }
  })

  it.each([
    ['the decimal point of a price', 'The fee is CAD 5\u200F.\u200F10 per unit (א).', 2],
    ['the digits of a number', 'אב: CAD 1\u200F00\u200F9 ג', 2],
    ['a number to another number', 'The fee is CAD 5\u200F א 7 per unit.', 1],
    ['the ends of a range', 'CAD \u200F100 - 200\u200F a day (א)', 2],
    ['the ends of a range in Arabic digits', 'ب \u061C١٠ - \u200F٢٠\u200E ب', 3],
    ['a sign to another number', 'CAD 5\u200F% א or $\u200Fא 7', 2],
    ['a whole line that starts in Latin', '\u200FThe fee is 5 - 10 (א)', 1],
    ['a whole line that starts in Hebrew', '\u200Eא 5 CAD', 1],
    ['a number and a right-to-left word', 'א 5 \u200Eב', 1],
    ['two right-to-left words', 'לא\u200E לשלם', 1],
    ['a number across a character without ink', 'CAD 5\u0301\u200F א 7', 1],
    ['a number at a distance', `CAD 5\u200F${' '.repeat(20)}א 7`, 1],
  ])('include direction marks that could move %s [ceremony: hidden and bidi characters]', (_, line, marks) => {
    expect(badgesIn(line)).toHaveLength(marks)
  })

  it('include selectors after a digit that is no keycap, and joiners after any digit', () => {
    for (const line of ['1\uFE0F0', '5+\uFE0F10', '1\u200D0', '١\u200D٠', 'क्१\u200C०']) {
      expectWithMessage(badgesIn(line), JSON.stringify(line)).toHaveLength(1)
    }
  })

  it('include spaces that push text out of sight, but not at the end of a line [ceremony: plain text rule 8]', () => {
    expect(readHidden(`bound${' '.repeat(400)}not`)).toEqual(['bound', { label: 'U+0020 SPACE', count: 400 }, 'not'])
    expect(badgesIn(`bound${'\t'.repeat(16)}not`)).toEqual([{ label: 'U+0009 TAB', count: 16 }])
    expect(badgesIn(`${'\u3000'.repeat(61)}x`)).toHaveLength(1)
    expect(badgesIn(`${'\u00A0'.repeat(121)}x`)).toEqual([{ label: 'U+00A0 NBSP', count: 121 }])
    for (const line of [`${' '.repeat(120)}x`, `${'\t'.repeat(15)}x`, `x${' '.repeat(400)}`])
      expect(badgesIn(line)).toEqual([])
  })
})
