import { expect, it } from '@jest/globals'
import { cellOf, csvOf } from './contracts-csv.js'
import { LIST } from '../../../test/console-catalogue/contract-data-fixture.js'

it.each([
  ['plain', '"plain"'],
  ['', '""'],
  ['a "b", c\r\nd', '"a ""b"", c\r\nd"'],
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['＝1', `"'＝1"`],
  ['a=1', '"a=1"'],
])('the cell of %j is %j [RFC 4180, D71]', (value, cell) => expect(cellOf(value)).toBe(cell))

it('the CSV has a byte order mark, a line of names and one line a contract, page by page until the end [D71]', async () => {
  const asked: unknown[] = []
  const pages = [
    { contracts: [LIST[0]!], older: '1.a' },
    // A look at a long list may find nothing before its end.
    { contracts: [], older: '2.b' },
    { contracts: [LIST[1]!], older: null },
  ]
  const query = (input: unknown) => {
    asked.push(input)
    return Promise.resolve({ newer: null, isCut: false, broad: [], ...pages[asked.length - 1]! })
  }
  const chunks = []
  for await (const chunk of csvOf(query as never, { status: 'open' })) chunks.push(chunk)
  expect(asked).toEqual([
    { status: 'open', limit: 50 },
    { status: 'open', limit: 50, page: { older: '1.a' } },
    { status: 'open', limit: 50, page: { older: '2.b' } },
  ])
  const lines = chunks.join('').split('\r\n')
  expect(lines[0]).toMatch(/^\uFEFF"contractNumber","id","contractType",/)
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([
    `"${LIST[0]!.contractNumber}"`,
    `"${LIST[1]!.contractNumber}"`,
    '',
  ])
  expect(new Set(lines.slice(0, -1).map((line) => line.split('","').length))).toEqual(new Set([13]))
})
