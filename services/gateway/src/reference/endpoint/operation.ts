// Reads one endpoint from the OpenAPI document: fields, responses, errors, in the reader's language. Pure.
import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '@paraph/protocol/errors'
import type { Locale } from '@paraph/web/locale'
import { edgeSentences, endpointOf, type OpenApiDocument } from '../../openapi/openapi.js'
import { DOCUMENT_FRENCH } from './document-french.js'
import { fieldsOf, type Field, type Schema, type Schemas } from './fields.js'
import { jsonText } from './json-text.js'

/** The part of an OpenAPI operation that our document uses. */
interface OperationSource {
  summary: string
  description: string
  parameters?: readonly {
    name: string
    in: 'path' | 'header'
    required?: boolean
    description: string
    schema: Schema
  }[]
  requestBody?: { content: Json }
  responses: Readonly<Record<string, ResponseSource>>
}
interface ResponseSource {
  'x-error-codes'?: readonly ErrorCode[]
  headers?: Readonly<Record<string, { $ref?: string; description?: string }>>
  content?: Json
}
interface Json {
  'application/json': { schema: Schema; examples?: Readonly<Record<string, Example>> }
}
interface Example {
  $ref?: string
  value?: unknown
}

export type Operation = ReturnType<typeof readOperation>

/** @throws Error if the document has no such operation */
export function readOperation(document: OpenApiDocument, method: string, path: string, locale: Locale) {
  const source = document.paths[path]?.[method] as unknown as OperationSource | undefined
  if (!source) throw new Error(`${method} ${path} is not in the document`)
  const schemas = document.components.schemas as Schemas
  const endpoint = endpointOf(method, path)
  // A sentence without a French entry stays English, so that the page does not fail; a test detects missing entries.
  const translate = (sentence: string): string => (locale === 'fr' ? (DOCUMENT_FRENCH[sentence] ?? sentence) : sentence)
  const rows = (schema: Schema): Field[] => fieldsOf(schema, schemas, locale, translate)
  const parameters = (place: string): Field[] =>
    (source.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name, schema, description, required = false }) =>
        rows({ properties: { [name]: { ...schema, description } }, required: required ? [name] : [] }),
      )
  const responses = Object.entries(source.responses)
  const [status, response] = responses.find(([each]) => each.startsWith('2'))!
  const failures = responses.filter(([each]) => Number(each) >= 400)
  // The most common failure: an invalid field, an unknown id or an invalid key.
  const common = source.requestBody ? '400' : source.responses['404'] ? '404' : '401'
  return {
    endpoint,
    method: method.toUpperCase(),
    /** The path template of the document: `/contracts/{id}`. */
    path,
    summary: translate(source.summary),
    description: translate(source.description.replace(` ${edgeSentences(endpoint)}`, '')),
    pathFields: parameters('path'),
    headerFields: parameters('header'),
    bodyFields: source.requestBody ? rows(schemaOf(source.requestBody)) : [],
    responseFields: rows(schemaOf(response)),
    responseHeaders: Object.entries(response.headers ?? {}).map(([name, header]) => ({
      path: name,
      type: '',
      isRequired: false,
      values: [],
      fields: [],
      description: translate(
        (header.$ref ? named(document.components.headers, header.$ref) : header)['description'] as string,
      ),
    })),
    errors: failures.flatMap(([, failure]) => failure['x-error-codes'] ?? []),
    /** The status line and body of a success, and of the most common error. */
    response: { status: statusLine(status), body: exampleOf(response, document) },
    failure: { status: statusLine(common), body: exampleOf(source.responses[common]!, document) },
  }
}

const statusLine = (status: string): string => `${status} ${STATUS_CODES[status]}`

const schemaOf = ({ content }: { content?: Json }): Schema => content?.['application/json'].schema ?? {}

function exampleOf({ content }: ResponseSource, document: OpenApiDocument): string {
  const [first] = Object.values(content?.['application/json'].examples ?? {})
  const { value } = first?.$ref ? (named(document.components.examples, first.$ref) as Example) : (first ?? {})
  return jsonText(value)
}

const named = (components: Readonly<Record<string, unknown>>, ref: string) =>
  components[ref.slice(ref.lastIndexOf('/') + 1)] as Record<string, unknown>
