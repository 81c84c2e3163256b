// The fields of a request or response, derived from a JSON schema of the OpenAPI document. Pure.
import type { Locale } from '@paraph/web/locale'
import { fieldMessages } from '../messages.js'

/** The JSON Schema keywords that our schemas use. */
export interface Schema {
  $ref?: string
  /** A list for a value that may be null: `['string', 'null']`. */
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  maxLength?: number
  maxProperties?: number
  /** Our own: the largest size in bytes of UTF-8, where `maxLength` is only its consequence. */
  'x-max-bytes'?: number
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
  /** The fields of an object, or of each object of an array. */
  fields: readonly Field[]
}

/** The fields of `schema`, each with its own. @param describe maps each description */
export function fieldsOf(
  schema: Schema,
  schemas: Schemas,
  locale: Locale,
  describe: (description: string) => string,
  prefix = '',
): Field[] {
  const { properties = {}, required = [] } = resolve(schema, schemas)
  return Object.entries(properties).map(([name, property]) => {
    const own = resolve(property, schemas)
    const item = own.items && resolve(own.items, schemas)
    const path = `${prefix}${name}`
    const [parent, within] = item?.properties ? [item, `${path}[].`] : [own, `${path}.`]
    return {
      path,
      type: typeOf(own, item, locale),
      isRequired: required.includes(name),
      description: own.description && describe(own.description),
      values: own.enum ?? item?.enum ?? [],
      fields: fieldsOf(parent, schemas, locale, describe, within),
    }
  })
}

/** Every field, a parent before its own. */
export const flatten = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => [field, ...flatten(field.fields)])

/** The anchor of a field in its section: `body-parties-email` for `parties[].email`. */
export const anchorOf = (section: string, { path }: Pick<Field, 'path'>): string =>
  `${section}-${path.replaceAll('[]', '').replaceAll('.', '-')}`

/** Resolves `$ref`. Keywords beside the reference override those of its target. */
function resolve({ $ref, ...own }: Schema, schemas: Schemas): Schema {
  if ($ref === undefined) return own
  const referred = schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  if (!referred) throw new Error(`${$ref} is not in the document`)
  return { ...referred, ...own }
}

function typeOf(schema: Schema, item: Schema | undefined, locale: Locale): string {
  const text = fieldMessages(locale)
  if (typeof schema.type === 'object')
    return text.orNull(typeOf({ ...schema, type: schema.type[0]! }, undefined, locale))
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
  const bytes = schema['x-max-bytes']
  if (bytes !== undefined) return text.bytes(bytes)
  if (type === 'string') return text.text(schema.maxLength)
  return type === 'boolean' ? text.boolean : text.object
}
