// The fields of a request or response as table rows, derived from a JSON schema of the OpenAPI document. Pure.
import type { Locale } from '@paraph/web/locale'
import { fieldMessages } from './messages.js'

/** The JSON Schema keywords that our schemas use. */
export interface Schema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: readonly Schema[]
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  maxLength?: number
  maxProperties?: number
}

export type Schemas = Readonly<Record<string, Schema>>

export interface Field {
  /** For example `parties[].email`. */
  path: string
  type: string
  isRequired: boolean
  description: string | undefined
  /** The values of an enum; empty for any other type. */
  values: readonly string[]
}

/** Every field of `schema`, a parent before its children. */
export function fieldsOf(schema: Schema, schemas: Schemas, locale: Locale, prefix = ''): Field[] {
  const { properties = {}, required = [] } = resolve(schema, schemas)
  return Object.entries(properties).flatMap(([name, property]) => {
    const own = resolve(property, schemas)
    const item = own.items && resolve(own.items, schemas)
    const path = `${prefix}${name}`
    const field: Field = {
      path,
      type: typeOf(own, item, locale),
      isRequired: required.includes(name),
      description: own.description,
      values: own.enum ?? item?.enum ?? [],
    }
    if (item?.properties) return [field, ...fieldsOf(item, schemas, locale, `${path}[].`)]
    return [field, ...fieldsOf(own, schemas, locale, `${path}.`)]
  })
}

/** Resolves `$ref`. Keywords beside the reference override those of its target. */
function resolve({ $ref, ...own }: Schema, schemas: Schemas): Schema {
  if ($ref === undefined) return own
  const referred = schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  if (!referred) throw new Error(`${$ref} is not in the document`)
  return { ...referred, ...own }
}

function typeOf(schema: Schema, item: Schema | undefined, locale: Locale): string {
  const text = fieldMessages(locale)
  const nonNull = schema.anyOf?.find(({ type }) => type !== 'null')
  if (nonNull) return text.orNull(typeOf(nonNull, undefined, locale))
  const { format, type, additionalProperties } = schema
  if (item) {
    const { minItems, maxItems } = schema
    const name = item.properties ? text.objects : text.listOfStrings
    return minItems !== undefined && maxItems !== undefined
      ? text.between(name, minItems, maxItems)
      : text.atMost(name, maxItems)
  }
  if (format === 'date-time') return text.time
  if (format === 'uri') return text.address
  if (format === 'idn-email') return text.mailAddress
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum } = schema
    return maximum === undefined ? text[type] : text.between(text[type], minimum, maximum)
  }
  if (type === 'object' && typeof additionalProperties === 'object')
    return text.pairs(additionalProperties.type === 'string' ? text.strings : text.integers, schema.maxProperties)
  if (type === 'string') return text.text(schema.maxLength)
  return type === 'boolean' ? text.boolean : text.object
}
