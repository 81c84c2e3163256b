import { describe, expect, it } from 'vitest'
import { readHidden } from './hidden-characters.js'

const chipsIn = (line: string) => readHidden(line).filter((run) => typeof run === 'object')
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** The table of ceremony, "Hidden and bidi characters", and what the brief of completeness adds. */
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
  'symbols that show nothing': [0x2800, 0xfffc],
}

describe('hidden characters', () => {
  it.each(Object.entries(ALWAYS_HIDDEN))('are labelled: %s [ceremony: hidden and bidi characters]', (_, codes) => {
    for (const code of codes) {
      const label = expect.stringMatching(
        new RegExp(`^U\\+${code.toString(16).toUpperCase().padStart(4, '0')}( \\w+)?$`),
      )
      expect(readHidden(`a${String.fromCodePoint(code)}b`), code.toString(16)).toEqual(['a', { label, count: 1 }, 'b'])
    }
  })

  it('are one label for a run of the same, one each for different ones [ceremony: runs]', () => {
    expect(readHidden(`a${'\u202E'.repeat(17_000)}\u202C`)).toEqual([
      'a',
      { label: 'U+202E RLO', count: 17_000 },
      { label: 'U+202C PDF', count: 1 },
    ])
  })

  it.each([
    ['a no-break space and its narrow sister', 'pays\u00A01\u202F000'],
    ['an ideographic space and a tab', 'a\u3000b\tc'],
    ['a family emoji', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
    ['an emoji with a skin tone and a joiner', '\u{1F469}\u{1F3FD}\u200D\u{1F680}'],
    ['a heart in the look of an emoji', '❤\uFE0F \u{2122}\uFE0E 1\uFE0F\u20E3'],
    ['a Persian word', 'می\u200Cخواهم'],
    ['a Hindi conjunct', 'क्\u200Dष'],
    ['a right-to-left mark in a line with Arabic', '500 CAD\u200F يومًا \u200E(1)'],
    ['a Han variant in a name', '葛\u{E0100}城'],
    ['the sign of the Arabic year', '\u0601٢٠٢٦'],
  ])('are not: %s [ceremony: hidden and bidi characters]', (_, line) => {
    expect(readHidden(line)).toEqual([line])
  })

  it('are joiners and marks away from home', () => {
    for (const line of [
      'pay\u200Cment',
      'pay\u200Dment',
      '12\u200F3',
      '12\u200E3',
      'a\u061Cb',
      'a\uFE0F',
      '\u{1F468}\u200D\u200D',
    ]) {
      expect(chipsIn(line), JSON.stringify(line)).toHaveLength(1)
    }
  })

  it('are spaces that push words out of sight, but not those at the end of a line [ceremony: plain text rule 8]', () => {
    expect(readHidden(`bound${' '.repeat(400)}not`)).toEqual(['bound', { label: 'U+0020 SPACE', count: 400 }, 'not'])
    expect(chipsIn(`${'\u00A0'.repeat(121)}x`)).toEqual([{ label: 'U+00A0 NBSP', count: 121 }])
    for (const line of [`${' '.repeat(120)}x`, `x${' '.repeat(400)}`]) expect(chipsIn(line)).toEqual([])
  })
})
