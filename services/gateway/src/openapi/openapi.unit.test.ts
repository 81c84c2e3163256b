import { expect, it } from '@jest/globals'
import { ERROR_STATUS } from '@paraph/protocol/errors'
import { describeRest, type OpenApiPart } from '@paraph/rpc/openapi-document'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { mergeOpenApi } from './openapi.js'
import { codeSamplesOf } from '../reference/samples.js'
import { DOCUMENTED_ERRORS } from './error-catalogue.js'
import { createRestRouter } from '../edge/own-endpoints.js'
import { ENDPOINTS } from '../edge/endpoints.js'

interface Described {
  responses: Record<string, { headers: object; content?: { 'application/json': { examples: object } } }>
}

const own = describeRest(createRestRouter({ usage: undefined as never, isOperational: () => true }))
const contract: OpenApiPart = {
  operations: [
    {
      method: 'post',
      path: '/contracts',
      errors: ['invalid_request', 'idempotency_in_progress'],
      operation: { operationId: 'createContract', responses: { 201: { headers: { Location: {} } } } },
    },
    {
      method: 'get',
      path: '/contracts/{id}',
      errors: ['not_found'],
      operation: { operationId: 'getContract', responses: { 200: {}, 304: {} } },
    },
  ],
  schemas: { Contract: { type: 'object' } },
}
const document = mergeOpenApi([contract, own], { baseUrl: 'https://sign.example', codeSamplesOf })
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    label: `${method.toUpperCase()} ${path.replace('{id}', ':id')}`,
    responses: (operation as unknown as Described).responses,
  })),
)

it('the document describes every endpoint, at the address that clients use, with the key in x-api-key [Endpoints, Authentication]', () => {
  expect(operations.map(({ label }) => label)).toEqual(ENDPOINTS.map(({ label }) => label))
  expect(document.servers).toMatchObject([{ url: 'https://sign.example/api/external/v2' }])
  expect(document.security).toEqual([{ apiKey: [] }])
  expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'x-api-key' })
  expect(Object.keys(document.components.schemas)).toEqual([
    'ApiError',
    'ErrorCode',
    'Issue',
    'Contract',
    'UsageAnswer',
    'Usage',
    'Status',
    'ServiceStatus',
    'Subscription',
    'SubscriptionStatus',
    'Key',
    'Environment',
    'Scope',
    'Limits',
  ])
})

it('the document lists the window headers for every answer, and the quota headers for counted answers of weighted endpoints [Limits, D3]', () => {
  for (const { label, responses } of operations)
    for (const [status, { headers }] of Object.entries(responses)) {
      const isWeighted = label.includes('/contracts')
      const isCounted = !['405', '431'].includes(status) && !(status === '401' && label.startsWith('POST'))
      expectWithMessage('Paraph-Quota-Billable' in headers, `${label} ${status}`).toBe(isWeighted && isCounted)
      expectWithMessage('RateLimit-Remaining' in headers, `${label} ${status}`).toBe(true)
      expectWithMessage('Retry-After' in headers, `${label} ${status}`).toBe(['409', '429', '503'].includes(status))
      expectWithMessage('Allow' in headers, `${label} ${status}`).toBe(status === '405')
    }
})

it('the document lists the refusals of the edge and of the service behind it, each with an example body [Errors, D5]', () => {
  const post = operations.find(({ label }) => label === 'POST /contracts')!.responses
  expect(Object.keys(post)).toEqual([
    '201',
    '400',
    '401',
    '403',
    '405',
    '408',
    '409',
    '413',
    '429',
    '431',
    '500',
    '503',
  ])
  expect(Object.keys(post['403']!.content!['application/json'].examples)).toContain('missingWriteScope')
  const status = operations.find(({ label }) => label === 'GET /status')!.responses
  expectWithMessage(Object.keys(status), '/status answers for accounts in every state').not.toContain('403')
})

it('the document names the operator, and has the samples of each operation in three languages [D56]', () => {
  expect(document.info).not.toHaveProperty('contact')
  expect(
    mergeOpenApi([own], { baseUrl: 'https://sign.example', operatorAddress: 'help@sign.example', codeSamplesOf }).info,
  ).toMatchObject({ contact: { email: 'help@sign.example' } })
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods)) {
      const samples = operation['x-codeSamples'] as { label: string; source: string }[]
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'Node', 'Python'])
      for (const { source } of samples) expect(source).toContain('https://sign.example/api/external/v2/')
    }
})

it('the document has an example of every error code, under its own name [Errors, D6]', () => {
  const names = Object.values(DOCUMENTED_ERRORS).flatMap(({ examples }) => Object.keys(examples))
  expect(new Set(names).size).toBe(names.length)
  for (const code of Object.keys(ERROR_STATUS) as (keyof typeof ERROR_STATUS)[])
    expectWithMessage(Object.keys(DOCUMENTED_ERRORS[code].examples), code).not.toEqual([])
})
