import { stripVTControlCharacters, styleText } from 'node:util'
import { expect, it } from '@jest/globals'
import { formatList, formatRecord, formatTable, minuteOf } from './table.js'

const plain = (text: string): string[] => stripVTControlCharacters(text).split('\n')

it('a table aligns its columns; the last cell of a row moves no column', () => {
  const text = formatTable([
    ['API', 'http://x', 'Base address'],
    ['Mailbox', 'http://x/mail', 'Every email'],
    ['Key', 'paraph_test_0123456789'],
  ])
  expect(text.split('\n')).toEqual([
    '  API      http://x       Base address',
    '  Mailbox  http://x/mail  Every email',
    '  Key      paraph_test_0123456789',
  ])
})

it('a table aligns the visible characters of styled cells', () => {
  const bold = (text: string) => styleText('bold', text, { validateStream: false })
  const text = formatTable([
    [bold('API'), 'x'],
    [bold('Mailbox'), 'y'],
  ])
  expect(text).not.toBe(stripVTControlCharacters(text))
  expect(plain(text)).toEqual(['  API      x', '  Mailbox  y'])
})

it('a list has heads and one line for each row, even for a value with line breaks or terminal commands', () => {
  const text = formatList(
    ['Name', 'Plan'],
    [
      ['Evil\n\u001b[31mInc.', null],
      ['Roe', 'growth'],
    ],
    'No account.',
  )
  expect(plain(text)).toEqual([
    '  Name                 Plan',
    '  Evil \\u001b[31mInc.  -',
    '  Roe                  growth',
  ])
  expect(formatList(['Name'], [], 'No account.')).toBe('No account.')
})

it('a record shows each field that has a value, and the lines of a long text below each other', () => {
  const text = formatRecord({ Name: 'Roe', Reason: null, Note: undefined, Purpose: 'One.\nTwo.' })
  expect(plain(text)).toEqual(['  Name     Roe', '  Purpose  One.', '           Two.'])
})

it('an instant is shown in UTC to the minute', () => {
  expect(minuteOf('2026-11-26T22:21:09.123Z')).toBe('2026-11-26 22:21')
  expect(minuteOf(null)).toBeNull()
})
