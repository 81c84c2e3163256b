// An endpoint as the reference reads it from the OpenAPI document: fields, answers, errors, in the reader's language. Pure.
import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '@paraph/protocol/errors'
import type { Locale } from '@paraph/web/locale'
import { edgeSentences, endpointOf, type OpenApiDocument } from '../openapi.js'
import type { Endpoint } from '../router.js'
import { DOCUMENT_FRENCH } from './document-french.js'
import { fieldsOf, type Field, type Schema, type Schemas } from './fields.js'
import { jsonText } from './json-text.js'

/** Of OpenAPI what our own document uses. */
interface Described {
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
  responses: Readonly<Record<string, Answer>>
}
interface Answer {
  headers?: Readonly<Record<string, { $ref?: string; description?: string }>>
  content?: Json
}
interface Json {
  'application/json': { schema: Schema & { allOf?: readonly Schema[] }; examples?: Readonly<Record<string, Example>> }
}
interface Example {
  $ref?: string
  value?: unknown
}

export interface Operation {
  endpoint: Endpoint
  method: string
  /** As the document writes it: `/contracts/{id}`. */
  path: string
  summary: string
  description: string
  pathFields: readonly Field[]
  headerFields: readonly Field[]
  bodyFields: readonly Field[]
  answerFields: readonly Field[]
  answerHeaders: readonly Field[]
  errors: readonly ErrorCode[]
  /** An answer that is no error, and the error that comes most: status line and body. */
  answer: { status: string; body: string }
  failure: { status: string; body: string }
}

/** @throws Error where the document has no such operation */
export function readOperation(document: OpenApiDocument, method: string, path: string, locale: Locale): Operation {
  const described = document.paths[path]?.[method] as unknown as Described | undefined
  if (!described) throw new Error(`${method} ${path} is not in the document`)
  const schemas = document.components.schemas as Schemas
  const endpoint = endpointOf(method, path)
  const say = inLanguage(locale)
  const rows = (schema: Schema): Field[] => fieldsOf(schema, schemas, locale).map(translated(say))
  const parameters = (place: string): Field[] =>
    (described.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .flatMap(({ name, schema, description, required = false }) =>
        fieldsOf({ properties: { [name]: { ...schema, description } }, required: required ? [name] : [] }, {}, locale),
      )
      .map(translated(say))
  const answers = Object.entries(described.responses)
  const [status, answer] = answers.find(([each]) => each.startsWith('2'))!
  const failures = answers.filter(([each]) => Number(each) >= 400)
  // What goes wrong most: a field, an id, a key.
  const usual = described.requestBody ? '400' : described.responses['404'] ? '404' : '401'
  return {
    endpoint,
    method: method.toUpperCase(),
    path,
    summary: say(described.summary),
    description: say(described.description.replace(` ${edgeSentences(endpoint)}`, '')),
    pathFields: parameters('path'),
    headerFields: parameters('header'),
    bodyFields: described.requestBody ? rows(schemaOf(described.requestBody)) : [],
    answerFields: rows(schemaOf(answer)),
    answerHeaders: Object.entries(answer.headers ?? {}).map(([name, header]) => ({
      ...{ path: name, type: '', isRequired: false, values: [] },
      description: say(
        (header.$ref ? named(document.components.headers, header.$ref) : header)['description'] as string,
      ),
    })),
    errors: failures.flatMap(([, { content }]) => codesOf(content)),
    answer: { status: statusLine(status), body: exampleOf(answer, document) },
    failure: { status: statusLine(usual), body: exampleOf(described.responses[usual]!, document) },
  }
}

const statusLine = (status: string): string => `${status} ${STATUS_CODES[status]}`

const schemaOf = ({ content }: { content?: Json }): Schema => content?.['application/json'].schema ?? {}

/** The codes that an error's schema lists. */
const codesOf = (content: Json | undefined): ErrorCode[] =>
  (content?.['application/json'].schema.allOf ?? []).flatMap(
    ({ properties }) => (properties?.['code']?.enum ?? []) as ErrorCode[],
  )

function exampleOf({ content }: Answer, document: OpenApiDocument): string {
  const [first] = Object.values(content?.['application/json'].examples ?? {})
  const { value } = first?.$ref ? (named(document.components.examples, first.$ref) as Example) : (first ?? {})
  return jsonText(value)
}

const named = (components: Readonly<Record<string, unknown>>, ref: string) =>
  components[ref.slice(ref.lastIndexOf('/') + 1)] as Record<string, unknown>

const translated =
  (say: (sentence: string) => string) =>
  (field: Field): Field => ({ ...field, description: field.description && say(field.description) })

/** A sentence that has no French yet is said in English: the page must not fail for it, and a test finds it. */
const inLanguage = (locale: Locale) => (sentence: string) =>
  locale === 'fr' ? (DOCUMENT_FRENCH[sentence] ?? sentence) : sentence
