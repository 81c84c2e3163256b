import { expect, it } from '@jest/globals'
import { csvLine } from './csv.js'

it('a cell keeps commas, quotation marks and line breaks, and a number is bare [RFC 4180]', () => {
  expect(csvLine(['a,b', 'say "yes"', 'one\ntwo', -5, null, ''])).toBe('"a,b","say ""yes""","one\ntwo",-5,"",""\r\n')
})

it.each(['=1+1', '+1', '-1', '@sum(A1)', '\t=1', '\r=1', ' =1', '\u00A0=1', '＝1', '＋1', '－1', '＠a', '\n=1'])(
  'a text that a spreadsheet would run is text: %j [CWE-1236]',
  (formula) => {
    expect(csvLine([formula])).toBe(`"'${formula}"\r\n`)
  },
)
