import { describe, expect, it } from '@jest/globals'
import { ENDPOINTS, matchTarget, pathOfTarget } from './endpoints.js'

const labelsOf = (target: string) => {
  const match = matchTarget(target)
  return match.kind === 'known' ? match.endpoints.map(({ label }) => label) : match.kind
}

describe('paths match byte for byte on the raw target [S1.3, S13.1, S25.1, D5]', () => {
  it.each([
    ['/api/external/v2/contracts', ['POST /contracts']],
    ['/api/external/v2/contracts?a=1', ['POST /contracts']],
    ['/api/external/v2/contracts/contract-1795183380000-k3v9x2m1q', ['GET /contracts/:id']],
    ['/api/external/v2/contracts/%63ontract', ['GET /contracts/:id']],
    ['/api/external/v2/usage', ['GET /usage']],
    ['/api/external/v2/status?', ['GET /status']],
    ['http://sign.example/api/external/v2/status', ['GET /status']],
  ])('%s is known', (target, labels) => expect(labelsOf(target)).toEqual(labels))

  it.each([
    '/api/external/',
    '/api/external/v2',
    '/api/external/v2/',
    '/api/external/v2/contracts/',
    '/api/external/v2//contracts',
    '/api/external/v2/contracts/a/b',
    '/api/external/v2/contracts/a#b',
    '/api/external/v2/contracts/a/',
    '/api/external/v2/Contracts',
    '/api/external/v2/%63ontracts',
    '/api/external/v2/status/',
    '/api/external/v2/status;a',
    `/api/external/v2/contracts/${'a'.repeat(201)}`,
    '/api/external/v3/status',
    '/api/external',
    '/api/v2/status',
    '/api/',
    '/api/external/v10/status',
  ])('%s is unknown', (target) => expect(labelsOf(target)).toBe('unknown'))

  it.each(['/api/external/v1', '/api/external/v1/', '/api/external/v1/contracts?x', '/api/external/v1?x'])(
    '%s is v1 [Versioning]',
    (target) => expect(labelsOf(target)).toBe('v1'),
  )

  it.each(['/', '*', '/API/external/v2/status', '/contract/abc', '/api', '/apis/x', '/x/api/external/v2/status'])(
    '%s is not the external interface',
    (target) => expect(labelsOf(target)).toBe('elsewhere'),
  )
})

it('the endpoint table has the scopes and quota weights of the specification [S13.4-7, S24.9]', () => {
  expect(ENDPOINTS.map(({ label, scope, weight }) => [label, scope ?? 'none required', weight])).toEqual([
    ['POST /contracts', 'contracts:write', 1],
    ['GET /contracts/:id', 'contracts:read', 1],
    ['GET /usage', 'contracts:read', 0],
    ['GET /status', 'none required', 0],
  ])
})

it('the path of a target ends at its first question mark', () => {
  expect(pathOfTarget('/a?b?c')).toBe('/a')
  expect(pathOfTarget('HTTP://host:1/a/b?c')).toBe('/a/b')
})
