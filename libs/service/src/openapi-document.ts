// The OpenAPI 3.1 document of a service's REST procedures, made by trpc-to-openapi from their meta and put right where it
// cannot know better: success status, our error body, headers. The only file that imports trpc-to-openapi's generator.
import type { AnyTRPCRouter } from '@trpc/server'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import { ERROR_STATUS, type ErrorCode } from '@paraph/protocol/errors'
import { routesOf, type RestMeta } from './rest.js'

type Json = { [key: string]: unknown }

/** Part of an OpenAPI document: what one service contributes. */
export interface OpenApiPart {
  paths: Record<string, Json>
  components: { schemas: Json }
}

/** Paths and schemas of `router`'s REST procedures. */
export function describeRest(router: AnyTRPCRouter): OpenApiPart {
  const generated = generateOpenApiDocument(router as never, {
    title: 'Paraph',
    version: '2.0.0',
    baseUrl: 'http://localhost',
    openApiVersion: '3.1.0',
  }) as unknown as { paths: Record<string, Record<string, Json>>; components?: { schemas?: Json } }
  const schemas = { ...generated.components?.schemas }
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]

  for (const { meta } of routesOf(router)) {
    const operation = generated.paths[meta.openapi?.path ?? '']?.[(meta.openapi?.method ?? '').toLowerCase()]
    if (operation) putRight(operation, meta)
  }
  return { paths: generated.paths, components: { schemas } }
}

function putRight(operation: Json, { rest }: RestMeta): void {
  const success = (operation['responses'] as Record<string, Json>)['200'] as Json
  operation['responses'] = {
    [rest.status]: { ...success, headers: headersOf({ ...RATE_LIMIT_HEADERS, ...rest.responseHeaders }) },
    ...(rest.notModified === undefined
      ? {}
      : {
          304: {
            description: rest.notModified,
            headers: headersOf({ ...RATE_LIMIT_HEADERS, ...rest.responseHeaders }),
          },
        }),
    ...errorResponses(rest.errors),
  }
  if (rest.requestHeaders) {
    const parameters = Object.entries(rest.requestHeaders).map(([name, { description, maxLength }]) => ({
      ...{ name, in: 'header', required: false, description },
      schema: { type: 'string', maxLength },
    }))
    operation['parameters'] = [...((operation['parameters'] as Json[] | undefined) ?? []), ...parameters]
  }
  operation['security'] = [{ apiKey: [] }]
}

/** On every response of the public interface. [Limits] */
const RATE_LIMIT_HEADERS = {
  'RateLimit-Limit': 'Requests per minute.',
  'RateLimit-Remaining': 'Requests left in the current window, after this one.',
  'RateLimit-Reset': 'Seconds until the window resets.',
}

const NUMERIC = /^(?:RateLimit-|Retry-After|Paraph-Quota-Weight)/

const headersOf = (headers: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { description, schema: { type: NUMERIC.test(name) ? 'integer' : 'string' } },
    ]),
  )

/** One response per status, its codes as an enumeration. */
function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes) byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, ofStatus]) => [
        status,
        {
          description: ofStatus.map((code) => `\`${code}\``).join(', '),
          headers: headersOf(
            status === 429 || status === 503
              ? { ...RATE_LIMIT_HEADERS, 'Retry-After': 'Seconds to wait before trying again.' }
              : RATE_LIMIT_HEADERS,
          ),
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Error' },
                  { type: 'object', properties: { code: { enum: ofStatus } } },
                ],
              },
            },
          },
        },
      ]),
  )
}

/** The schema of every error body. [Errors, D6] */
export const ERROR_SCHEMA: Json = {
  type: 'object',
  required: ['error', 'code', 'requestId'],
  properties: {
    error: { type: 'string', description: 'A sentence for a person: what happened and what to do.' },
    code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
    requestId: { type: 'string' },
    issues: {
      type: 'array',
      description: 'With `invalid_request`: each broken rule.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
}
