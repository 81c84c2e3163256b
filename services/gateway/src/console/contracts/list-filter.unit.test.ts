import { expect, it } from '@jest/globals'
import { queryOf, readFilter } from './list-filter.js'

it('the filter of an address keeps what is known, and the days of the account’s zone become instants [D71]', () => {
  const filter = readFilter({
    search: '  Jane Roe ',
    status: 'open',
    contractType: 'nda',
    problem: 'declined',
    from: '2026-11-20',
    until: '2026-11-20',
  })
  expect(queryOf(filter, 'America/Toronto')).toEqual({
    search: 'Jane Roe',
    status: 'open',
    contractType: 'nda',
    problem: 'declined',
    createdFrom: '2026-11-20T05:00:00.000Z',
    createdBefore: '2026-11-21T05:00:00.000Z',
  })
})

it.each([
  ['nothing', {}],
  ['unknown choices', { status: 'nice', contractType: 'x', problem: 'constructor' }],
  ['days that do not exist', { from: '2026-02-30', until: '2026-13-01' }],
  ['days in other forms', { from: '20 Nov 2026', until: '1999-01-01' }],
  ['repeated fields', { search: ['a', 'b'], status: ['open'], from: ['2026-11-20'] }],
])('an address with %s filters nothing [D71]', (_, query) => {
  const found = queryOf(readFilter(query), 'UTC')
  expect(Object.values(found).filter((value) => value !== undefined)).toEqual([])
})

it('a search is at most 200 characters of well-formed text [D71]', () => {
  const { search } = readFilter({ search: `${'x'.repeat(199)}\u{1F389}` })
  expect([search.length, search.isWellFormed()]).toEqual([200, true])
})
