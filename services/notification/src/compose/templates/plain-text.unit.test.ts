import { expect, it } from '@jest/globals'
import { fillText, rowLines, textName, wrap } from './plain-text.js'

it('plain text breaks at spaces, and a word wider than a line breaks between graphemes', () => {
  expect(wrap(`${'ab '.repeat(24)}cd`)).toBe(`${'ab '.repeat(24).trim()}\ncd`)
  // A family emoji is one grapheme of two columns.
  const family = '👩‍👩‍👧'
  expect(wrap(family.repeat(40))).toBe(`${family.repeat(36)}\n${family.repeat(4)}`)
  expect(wrap('é'.normalize('NFD').repeat(73))).toBe(`${'é'.normalize('NFD').repeat(72)}\n${'é'.normalize('NFD')}`)
})

it('all lines of a long value are indented to the right of its label, so that no name begins a line', () => {
  const lines = rowLines([
    { label: 'Your role', text: 'Buyer '.repeat(20).trim() },
    { label: 'Number', text: 'EXT-1' },
  ]).split('\n')
  expect(lines.map((line) => line.slice(0, 14))).toEqual([
    '  Your role   ',
    '              ',
    '              ',
    '  Number      ',
  ])
})

it('a right-to-left name is isolated on each of its lines', () => {
  expect(textName('Jane  Roe')).toBe('Jane Roe')
  expect(textName('יעל (Yael)')).toBe('\u2068יעל (Yael)\u2069')
  const lines = wrap(`By ${textName('יעל '.repeat(30))}, today`).split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^By \u2068[^\u2069]*\u2069$/)
  expect(lines[1]).toMatch(/^\u2068[^\u2069]*\u2069, today$/)
})

it('a dot within a word of a name is followed by a word joiner, and nothing else changes; an address of an owner stays as it is [D14]', () => {
  for (const name of ['Booking.com B.V.', 'J.P. Morgan', 'evil．example', 'jane@x.test'])
    expect(textName(name).replaceAll('\u2060', '')).toBe(name)
  expect(textName('Booking.com B.V.')).toBe('Booking.\u2060com B.\u2060V.')
  for (const name of ['Dr. A. B. Smith', 'Acme Inc.', 'No. 1']) expect(textName(name)).toBe(name)
  expect(fillText('By {by} for {name}', { by: 'jane@x.test', name: 'x.test' })).toBe('By jane@x.test for x.\u2060test')
  // It has no width.
  expect(wrap(textName('a.b'.repeat(24)))).not.toContain('\n')
})
