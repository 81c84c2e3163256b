// A service's part of the OpenAPI 3.1 document: trpc-to-openapi describes its REST procedures from their meta, and this file corrects
// the result. The only file that imports the generator. [Endpoints]
// Does not own: the parts common to the whole interface (the gateway's openapi.ts): window, quota, errors of the edge.
import type { AnyTRPCRouter } from '@trpc/server'
import { generateOpenApiDocument } from 'trpc-to-openapi'
import type { ErrorCode } from '@paraph/protocol/errors'
import { routesOf, type Examples, type RestMeta } from './rest.js'

type Json = { [key: string]: unknown }

/** One method of one path: its description without error responses, and the errors that the service itself may return. */
export interface DescribedOperation {
  method: 'get' | 'post'
  path: string
  operation: Json & { responses: Record<string, Json> }
  errors: readonly ErrorCode[]
}

/** The contribution of one service. */
export interface OpenApiPart {
  operations: DescribedOperation[]
  schemas: Json
}

/** Operations and schemas of `router`'s REST procedures. */
export function describeRest(router: AnyTRPCRouter): OpenApiPart {
  const generated = generateOpenApiDocument(router as never, {
    title: 'Paraph',
    version: '2.0.0',
    baseUrl: 'http://localhost',
    openApiVersion: '3.1.0',
  }) as unknown as { paths: Record<string, Record<string, Json>>; components?: { schemas?: Json } }
  const schemas = { ...generated.components?.schemas }
  for (const name of Object.keys(schemas)) if (name.startsWith('error.')) delete schemas[name]

  const operations = routesOf(router).map(({ template: path, meta, ...route }) => {
    const method = route.method.toLowerCase() as DescribedOperation['method']
    const operation = correctOperation({ ...generated.paths[path]?.[method] }, meta)
    nameRequest(operation, schemas)
    return { method, path, operation, errors: meta.rest.errors }
  })
  for (const { operation } of operations) correctAnswer(operation.responses)
  correctAnswer(schemas)
  return { operations, schemas }
}

/** Names the body of `createContract` `CreateContract`: client generators create a type per named schema. */
function nameRequest({ operationId, requestBody }: Json, schemas: Json): void {
  if (!requestBody) return
  const media = ((requestBody as Json)['content'] as Json)['application/json'] as Json
  const name = String(operationId).replace(/^./, (letter) => letter.toUpperCase())
  schemas[name] = media['schema']
  media['schema'] = { $ref: `#/components/schemas/${name}` }
}

function correctOperation(operation: Json, { rest }: RestMeta): DescribedOperation['operation'] {
  const success = (operation['responses'] as Record<string, Json>)['200'] as Json
  const { security: _, parameters: generated, ...answered } = operation
  const parameters = [
    ...((generated as Json[] | undefined) ?? []).map(withoutRepeatedDescription),
    ...Object.entries(rest.requestHeaders ?? {}).map(([name, header]) => ({ name, in: 'header', ...header })),
  ]
  const body = operation['requestBody'] as Json | undefined
  const headers = rest.responseHeaders ?? {}
  return {
    ...answered,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: withExamples(body, rest.examples?.request) } : {}),
    responses: {
      [rest.status]: {
        ...withExamples(success, rest.examples?.response),
        headers,
        ...(rest.links ? { links: rest.links } : {}),
      },
      ...(rest.notModified === undefined ? {} : { 304: { description: rest.notModified, headers } }),
    },
  }
}

function withExamples(described: Json, examples: Examples | undefined): Json {
  const media = (described['content'] as Json)['application/json'] as Json
  return { ...described, content: { 'application/json': { ...media, ...(examples ? { examples } : {}) } } }
}

/** Drops the copy of a parameter's description from its schema. */
function withoutRepeatedDescription(parameter: Json): Json {
  const { description, ...schema } = parameter['schema'] as Json
  return { ...parameter, description, schema }
}

/**
 * Allows unknown fields in the schemas of answers, because clients must accept them; the generator forbids them. Also removes the
 * generator's maximum of each integer, JavaScript's largest safe integer, and writes `null` as a type: of an `anyOf`, client generators
 * make a class without a name. [D56]
 */
function correctAnswer(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const schema = value as Json
  if (schema['additionalProperties'] === false) delete schema['additionalProperties']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) {
    delete schema['maximum']
    schema['format'] = 'int64'
  }
  const choices = schema['anyOf'] as Json[] | undefined
  if (choices?.length === 2 && choices[1]!['type'] === 'null') {
    const { type, ...rest } = choices[0]!
    delete schema['anyOf']
    Object.assign(schema, { ...rest, ...schema, type: [type, 'null'] })
  }
  for (const inner of Object.values(schema)) correctAnswer(inner)
}
