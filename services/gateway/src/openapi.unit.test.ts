import { expect, it } from 'vitest'
import { describeRest, type OpenApiPart } from '@paraph/service/openapi-document'
import { mergeOpenApi } from './openapi.js'
import { createRestRouter } from './rest-router.js'
import { ENDPOINTS } from './router.js'

const own = describeRest(createRestRouter({ usage: undefined as never, areOthersReady: () => true }))
const responses = () => ({ 201: { headers: { Location: {} } }, 400: { headers: {} } })
const contract: OpenApiPart = {
  paths: { '/contracts': { post: { responses: responses() } }, '/contracts/{id}': { get: { responses: responses() } } },
  components: { schemas: { Contract: { type: 'object' } } },
}
const document = mergeOpenApi([contract, own], 'https://sign.example')

it('describes every endpoint of the table, at the address clients use, with the key in x-api-key [Endpoints, Authentication]', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('{id}', ':id')}`),
  )
  expect(described).toEqual(ENDPOINTS.map(({ label }) => label))
  expect(document.servers).toEqual([{ url: 'https://sign.example/api/external/v2' }])
  expect(document.components.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'x-api-key' })
  expect(Object.keys(document.components.schemas)).toEqual(['Error', 'Contract', 'Usage', 'Status'])
})

it('tells of the quota headers on the successful answers of weighted endpoints alone [D3]', () => {
  const told = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap((operation) =>
      Object.entries((operation as { responses: Record<string, { headers: object }> }).responses)
        .filter(([, { headers }]) => 'Paraph-Quota-Weight' in headers)
        .map(([status]) => `${path} ${status}`),
    ),
  )
  expect(told).toEqual(['/contracts 201', '/contracts/{id} 201'])
})
