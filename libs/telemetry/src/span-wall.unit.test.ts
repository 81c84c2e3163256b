import { expect, it } from 'vitest'
import { tellable, tellName } from './span-wall.js'

it('drops whatever is not on the list [I14]', () => {
  expect(tellable({ 'http.response.status_code': 200, 'http.request.header.cookie': 'x', 'enduser.id': 'y' })).toEqual({
    'http.response.status_code': 200,
  })
})

it.each(['someone@example.test', 'paraph_live_abc', 'mK3v9x2m1qZ8fN4tR7wY0aB5cD6eF1gH2iJ3kL4mN5o'])(
  'hides what looks like an address, a key or a token, in an attribute and in a name: %s [I14]',
  (secret) => {
    expect(tellable({ 'url.path': `/contract/${secret}` })).toEqual({ 'url.path': '[redacted]' })
    expect(tellName(`GET /contract/${secret}`)).toBe('[redacted]')
  },
)

it('tells a contract by its id', () => {
  const told = { 'paraph.subject': 'contract-1795183380000-k3v9x2m1q' }
  expect(tellable(told)).toEqual(told)
})

it.each([
  [`select 1 from party where email = 'someone@example.test'`, 'select 1 from party where email = ?'],
  [`select 'it''s' as a, $1::text`, 'select ? as a, $1::text'],
  ['select $$someone@example.test$$, $a$b$a$', 'select ?, ?'],
  [`insert into t values ($1, $2)\n  on conflict do nothing`, 'insert into t values ($1, $2) on conflict do nothing'],
])('tells a statement without the literals in it: %s [I14]', (text, told) => {
  expect(tellable({ 'db.query.text': text })).toEqual({ 'db.query.text': told })
})
