import { stripVTControlCharacters } from 'node:util'
import { expect, it } from '@jest/globals'
import { describePages } from './stack-file.js'
import { welcomeText } from './welcome.js'

const ports = { gateway: 18080, mailbox: 18025 } as Parameters<typeof describePages>[0]
const KEY = `paraph_test_${'x'.repeat(38)}`
const linesAt = (columns: number | undefined): string[] =>
  stripVTControlCharacters(welcomeText({ ...describePages(ports), sandboxKey: KEY, columns })).split('\n')

it('the text after a start begins with the page to open, and names each address, the key and whom to sign in as', () => {
  const rows = linesAt(undefined).filter((line) => /^ {2}\S/.test(line))
  expect(rows[0]).toMatch(/^ {2}Start here +http:\/\/localhost:18025 {2}/)
  const text = rows.join('\n')
  for (const part of [
    'http://localhost:18080/api/external/v2',
    'http://localhost:18080/docs',
    'http://localhost:18080/console',
    'http://localhost:18025/mailbox',
    'owner@example.test (owner) or operator@example.test (operator)',
    KEY,
  ])
    expect(text).toContain(part)
})

it('no line is wider than the terminal: without comments below 100 columns, with them from 100 on', () => {
  const [narrow, wide] = [linesAt(80), linesAt(100)]
  expect(narrow.filter((line) => line.length > 80)).toEqual([])
  expect(wide.filter((line) => line.length > 100)).toEqual([])
  expect(narrow.join('\n')).not.toContain('Every field, with samples')
  for (const columns of [100, undefined, 0]) expect(linesAt(columns).join('\n')).toContain('Every field, with samples')
})

it('the printed call has the real address and key', () => {
  const text = linesAt(80).join('\n')
  expect(text).toContain('curl http://localhost:18080/api/external/v2/contracts \\\n')
  expect(text).toContain(`-H 'x-api-key: ${KEY}'`)
})
