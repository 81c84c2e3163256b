import { expect, it } from '@jest/globals'
import { templateOf } from './url-template.js'

const TOKEN = 'mK3v9x2m1qZ8fN4tR7wY0aB5cD6eF1gH2iJ3kL4mN5o'

it.each([
  [`/contract/${TOKEN}`, '/contract/{shareToken}'],
  [`/contract/${TOKEN}/code/abc-123?lang=fr`, '/contract/{shareToken}/code/{challenge}'],
  [`/contract/${TOKEN}/contract.txt`, '/contract/{shareToken}/contract.txt'],
  // Any text in the place of the token is a token, and the segments after it keep their places.
  ['/contract/someone@example.test/review', '/contract/{shareToken}/review'],
  ['/api/external/v2/contracts/contract-1795183380000-k3v9x2m1q', '/api/external/v2/contracts/{id}'],
  ['/api/external/v2/contracts/{id}/wait', '/api/external/v2/contracts/{id}/wait'],
  ['http://paraph.test/api/external/v2/usage?key=1', '/api/external/v2/usage'],
  ['/rpc/mail.facts', '/rpc/mail.facts'],
  [`/rpc/${TOKEN}`, '/{unknown}/{unknown}'],
  ['/assets/signing/0a1b.css', '/assets/signing/{file}'],
  ['/someone@example.test', '/{unknown}'],
  ['/contracts/{id}', '/contracts/{id}'],
  // Property names of every JavaScript object.
  ['/constructor/x/toString/x', '/{unknown}/{unknown}/{unknown}/{unknown}'],
  ['/', '/'],
  ['*', '/'],
  ['', '/'],
])('maps the path %s to %s [I14]', (path, template) => {
  expect(templateOf(path)).toBe(template)
})

it('limits the length of a template for any path', () => {
  expect(templateOf(`/${'x/'.repeat(5_000)}`).split('/')).toHaveLength(9)
})
