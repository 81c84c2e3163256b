import { expect, it } from '@jest/globals'
import { allowedAttributes, allowedName } from './attribute-allow-list.js'

it('the span allow-list drops attributes that are not on the list [I14]', () => {
  expect(
    allowedAttributes({ 'http.response.status_code': 200, 'http.request.header.cookie': 'x', 'enduser.id': 'y' }),
  ).toEqual({ 'http.response.status_code': 200 })
})

it.each(['someone@example.test', 'paraph_live_abc', 'mK3v9x2m1qZ8fN4tR7wY0aB5cD6eF1gH2iJ3kL4mN5o'])(
  'the span allow-list redacts an address, a key or a token in an attribute and in a name: %s [I14]',
  (secret) => {
    expect(allowedAttributes({ 'http.route': `/contract/${secret}` })).toEqual({ 'http.route': '[redacted]' })
    expect(allowedName(`GET /contract/${secret}`)).toBe('[redacted]')
  },
)

it('the span allow-list keeps the id of a contract', () => {
  const expected = { 'paraph.subject': 'contract-1795183380000-k3v9x2m1q' }
  expect(allowedAttributes(expected)).toEqual(expected)
})

it.each([
  [`select 1 from party where email = 'someone@example.test'`, 'select 1 from party where email = ?'],
  [`select 'it''s' as a, $1::text`, 'select ? as a, $1::text'],
  ['select $$someone@example.test$$, $a$b$a$', 'select ?, ?'],
  [`insert into t values ($1, $2)\n  on conflict do nothing`, 'insert into t values ($1, $2) on conflict do nothing'],
])('the span allow-list removes literals from a statement: %s [I14]', (text, expected) => {
  expect(allowedAttributes({ 'db.query.text': text })).toEqual({ 'db.query.text': expected })
})
