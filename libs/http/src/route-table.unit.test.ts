import { expect, it } from '@jest/globals'
import { SIGNING_TEMPLATES } from '@paraph/protocol/signing-paths'
import { createRouteFinder, patternOf } from './route-table.js'

const TOKEN = 'mK3v9x2m1qZ8fN4tR7wY0aB5cD6eF1gH2iJ3kL4mN5o'

const find = createRouteFinder(SIGNING_TEMPLATES.map((template) => ({ template })))

it.each([
  [`/contract/${TOKEN}`, '/contract/{shareToken}'],
  [`/contract/${TOKEN}/code/abc-123`, '/contract/{shareToken}/code/{challenge}'],
  [`/contract/${TOKEN}/contract.txt`, '/contract/{shareToken}/contract.txt'],
  // Any text in the token's position counts as a token.
  ['/contract/someone@example.test/review', '/contract/{shareToken}/review'],
  ['/assets/signing/0a1b.css', '/assets/signing/{file}'],
  ['/.well-known/paraph-evidence/k1.pem', '/.well-known/paraph-evidence/{file}'],
  [`/contract/${TOKEN}/${TOKEN}`, undefined],
  [`/contract/${TOKEN}/contractXtxt`, undefined],
  ['/contract/', undefined],
  ['/constructor', undefined],
  ['*', undefined],
  ['', undefined],
])('the route finder maps the path %s to the template %s [I14]', (path, template) => {
  expect(find('GET', path)?.route.template).toBe(template)
})

it('the route finder returns the parameters of the path', () => {
  expect(find('POST', `/contract/${TOKEN}/code/abc`)?.parameters).toEqual({ shareToken: TOKEN, challenge: 'abc' })
})

it('the route finder matches the method, and HEAD matches a row for GET', () => {
  const findByMethod = createRouteFinder([
    { method: 'GET', template: '/x' },
    { method: 'POST', template: '/x' },
  ])
  const found = ['GET', 'HEAD', 'POST', 'PUT'].map((method) => findByMethod(method, '/x')?.route.method)
  expect(found).toEqual(['GET', 'GET', 'POST', undefined])
})

it('a pattern limits a parameter to the given characters', () => {
  const pattern = patternOf('/contracts/{id}', '[a-z]{1,3}')
  expect(['/contracts/abc', '/contracts/abcd', '/contracts/a.c'].map((path) => pattern.test(path))).toEqual([
    true,
    false,
    false,
  ])
})
