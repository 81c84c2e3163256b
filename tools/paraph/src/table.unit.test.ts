import { expect, it } from '@jest/globals'
import { formatTable } from './table.js'

it('a table aligns names and notes; a long value without a note moves no column', () => {
  const text = formatTable([
    ['API', 'http://x', 'Base address'],
    ['Mailbox', 'http://x/mail', 'Every e-mail'],
    ['Key', 'paraph_test_0123456789'],
  ])
  expect(text.split('\n')).toEqual([
    '  API      http://x       Base address',
    '  Mailbox  http://x/mail  Every e-mail',
    '  Key      paraph_test_0123456789',
  ])
})
