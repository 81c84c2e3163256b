// Tests answer-check.ts. Each rejected answer has one difference from docs/openapi.json, which the check must report.
import { describe, expect, it } from '@jest/globals'
import { checkAnswer } from './answer-check.js'

const V2 = 'http://localhost:8080/api/external/v2'
const REQUEST_ID = '5f0c7d2e-8f4b-4c43-9f0e-0f7f3c1f9a11'
const WINDOW = {
  'Paraph-Request-Id': REQUEST_ID,
  'RateLimit-Limit': '60',
  'RateLimit-Remaining': '59',
  'RateLimit-Reset': '60',
  'RateLimit-Policy': '"minute";q=60;w=60',
  RateLimit: '"minute";r=59;t=60',
}
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' }

const usage = {
  period: '2026-11',
  totalCalls: 1,
  billableCalls: 0,
  quotaLimit: 5_000,
  remaining: 5_000,
  overageCalls: 0,
  endpointBreakdown: { 'GET /usage': 1 },
  periodStart: '2026-11-01T00:00:00.000Z',
  periodEnd: '2026-11-30T23:59:59.999Z',
}

function check(
  method: string,
  path: string,
  status: number,
  body: unknown,
  headers: Record<string, string | undefined> = {},
): void {
  const all = Object.entries({ ...WINDOW, ...JSON_TYPE, ...headers }).filter(
    (header): header is [string, string] => header[1] !== undefined,
  )
  const url = path.startsWith('/api') ? path : V2 + path
  checkAnswer({ method, url, status, headers: new Headers(all), text: body === undefined ? '' : JSON.stringify(body) })
}
const refusal = (code: string) => ({ error: 'A sentence.', code, requestId: REQUEST_ID })

it('the answer check accepts answers that the OpenAPI document describes [Errors, Limits]', () => {
  check('GET', '/usage', 200, { success: true, usage })
  check('GET', '/usage?page=2', 401, refusal('invalid_key'))
  check('PUT', '/usage', 405, refusal('method_not_allowed'), { Allow: 'GET, HEAD' })
  check('GET', '/nothing', 404, refusal('not_found'))
  check('DELETE', '/api/external/v1/contracts', 404, refusal('version_removed'))
  check('GET', '/contracts/contract-1795183380000-k3v9x2m1q', 403, refusal('missing_scope'), {
    'Paraph-Quota-Weight': '1',
    'Paraph-Quota-Billable': 'false',
  })
})

describe('the answer check reports [Errors, Limits, D3, D6]', () => {
  it.each<[string, Parameters<typeof check>, string]>([
    ['an undocumented field', ['GET', '/usage', 200, { success: true, usage: { ...usage, price: 29 } }], 'price'],
    [
      'an undocumented field in an error body',
      ['GET', '/usage', 401, { ...refusal('invalid_key'), stack: '' }],
      'stack',
    ],
    ['a missing field', ['GET', '/usage', 200, { success: true }], 'usage'],
    [
      'a value of another type',
      ['GET', '/usage', 200, { success: true, usage: { ...usage, remaining: '1' } }],
      'integer',
    ],
    ['an undocumented status', ['GET', '/usage', 418, refusal('invalid_key')], '418'],
    ['an error code that belongs to another status', ['GET', '/usage', 401, refusal('missing_scope')], 'code'],
    [
      'a missing header',
      ['GET', '/usage', 401, refusal('invalid_key'), { 'RateLimit-Reset': undefined }],
      'RateLimit-Reset',
    ],
    ['a header of another type', ['GET', '/usage', 401, refusal('invalid_key'), { 'RateLimit-Reset': 'soon' }], 'soon'],
    ['a 429 without Retry-After', ['GET', '/usage', 429, refusal('rate_limited')], 'Retry-After'],
    ['a 405 without Allow', ['PUT', '/usage', 405, refusal('method_not_allowed')], 'Allow'],
    [
      'an undocumented header of this interface',
      ['GET', '/usage', 401, refusal('invalid_key'), { 'Paraph-Quota-Weight': '1' }],
      'paraph-quota-weight',
    ],
    ['a success status for an unknown path', ['GET', '/nothing', 200, {}], 'no operation'],
    [
      'a body that is not JSON',
      ['GET', '/usage', 401, refusal('invalid_key'), { 'Content-Type': 'text/html' }],
      'text/html',
    ],
    [
      'a receipt that bills a refused call',
      [
        'GET',
        '/contracts/a',
        404,
        refusal('not_found'),
        { 'Paraph-Quota-Weight': '1', 'Paraph-Quota-Billable': 'true' },
      ],
      'Billable',
    ],
  ])('an answer with %s', (_, answer, named) => {
    expect(() => check(...answer)).toThrow(named)
  })
})
