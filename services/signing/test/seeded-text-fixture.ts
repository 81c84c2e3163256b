// Texts for tests: the worst that 50 KB can hold, and arbitrary ones grown from a seed.
import { CONTENT_BYTES_MAX } from '@paraph/protocol/contract'

/** Repeats `unit` as often as 50 KB of UTF-8 hold it. */
export const fill = (unit: string): string => unit.repeat(Math.floor(CONTENT_BYTES_MAX / Buffer.byteLength(unit)))

/** What costs the reader most, the markup most, or both; found by trying. */
export const WORST: Record<string, string> = {
  'alternating chips': fill('\u0001\u0002'),
  'alternating chips after words': fill('\u0001a'),
  'alternating spaces, too many of them': fill(`x${'\t '.repeat(100)}y`),
  'one character a line': fill('a\n'),
  'one character a block': fill('a\n\n'),
  'one character between gaps': fill('a\n\n\n'),
  'an item a line': fill('- "\n'),
  'an item with a chip a line': fill('-\u0001 a\n'),
  'items of several depths': fill('1. a\n(a) b\n- c\n'),
  'a heading a line': fill('I. ABC\n'),
  'a heading with a keyword a line': fill('PART A\n'),
  'a heading a block': fill('ABC"\n\n'),
  'a heading with a chip': fill('\u0001ABC\n\n'),
  'many blocks in columns': fill('a\tb\na\tb\nx\ny\n'),
  'many blocks in wide columns': fill('a\t\t\t\tb\na\tb\nx\ny\n'),
  'lines just in columns': fill(`${'\t'.repeat(6)}a\tb\n`),
  'direction marks and stops': `א${fill('\u200F.').slice(2)}`,
  'stacked consonants': fill('न्'),
  'conjoining letters': fill('\u1100'),
  'conjoining letters and marks': fill('\u1100\u0301'),
  'quotes to escape': fill('"'),
  'spaces before one letter': `${' '.repeat(CONTENT_BYTES_MAX - 1)}x`,
  'spaces after one letter': `x${' '.repeat(CONTENT_BYTES_MAX - 1)}`,
  'spaces just not too many': fill(`${' '.repeat(120)}x`),
  'figures and stops': fill('1.1'),
  'one shouted line': fill('A '),
  'one pile of marks': `a${fill('\u0301').slice(1)}`,
}

const PIECES = [
  ...[
    'a',
    'Word',
    'THE PRICE',
    ' ',
    '  ',
    '   ',
    '\t',
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\u0085',
    '\u2028',
    '\v',
    '\f',
    '.',
    ',',
    ';',
  ],
  ...[
    '1.',
    '1.1 ',
    '2.1.3 ',
    '(a) ',
    '(ii) ',
    'IV. ',
    'A. ',
    '1) ',
    '- ',
    '• ',
    'ARTICLE 1 - ',
    'ANNEXE A',
    '-----',
    '____   ____',
  ],
  ...[
    '\u202E',
    '\u202C',
    '\u200B',
    '\u200B\u200B',
    '\u200D',
    '\u200C',
    '\u200F',
    '\u200E',
    '5',
    'א',
    '\u{1D159}',
    '\u1100\u1100\u1100\u1100\u1100',
    '\t\t\t\t\t\t',
    '\uFE0F',
    '\uFEFF',
    '\u00AD',
    '\u3164',
    '\u{E0041}',
  ],
  ...[
    '\u0000',
    '\u0007',
    '\u009F',
    '\uFFFE',
    '\uE000',
    '\u{1F468}',
    '❤',
    'ع',
    'न्',
    '語',
    '\u{E0100}',
    '\u00A0',
    '\u3000',
    '<b>',
    '&',
  ],
  ...['x'.repeat(60), 'SHOUTED '.repeat(9), ' '.repeat(130), '\n'.repeat(14), 'é', '\u0301', '\u2800', '\uFFF9'],
]

/** The same text for the same seed: up to 60 pieces that mean something to the rules. */
export function seededText(seed: number): string {
  let state = (seed + 1) * 2654435761
  const next = (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0
    return state % below
  }
  return Array.from({ length: next(60) }, () => PIECES[next(PIECES.length)]).join('')
}
