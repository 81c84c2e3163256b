// The fields of a body as rows, from its JSON schema in the document: where, of what type, what it means. Pure.
import type { Locale } from '@paraph/web/locale'
import { fieldWords } from './words.js'

/** Of JSON Schema what our own schemas use. */
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
  /** Such as `parties[].email`. */
  path: string
  type: string
  isRequired: boolean
  description: string | undefined
  /** The values that it may have, where they are listed. */
  values: readonly string[]
}

/** Every field below `schema`, each before those inside it. */
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

/** The schema itself, wherever it stands. What is said beside a reference stays. */
function resolve({ $ref, ...own }: Schema, schemas: Schemas): Schema {
  if ($ref === undefined) return own
  const referred = schemas[$ref.slice($ref.lastIndexOf('/') + 1)]
  if (!referred) throw new Error(`${$ref} is not in the document`)
  return { ...referred, ...own }
}

function typeOf(schema: Schema, item: Schema | undefined, locale: Locale): string {
  const say = fieldWords(locale)
  const some = schema.anyOf?.find(({ type }) => type !== 'null')
  if (some) return say.orNull(typeOf(some, undefined, locale))
  const { format, type, additionalProperties } = schema
  if (item) {
    const { minItems, maxItems } = schema
    const name = item.properties ? say.objects : say.listOfStrings
    return minItems !== undefined && maxItems !== undefined
      ? say.between(name, minItems, maxItems)
      : say.atMost(name, maxItems)
  }
  if (format === 'date-time') return say.time
  if (format === 'uri') return say.address
  if (format === 'idn-email') return say.mailAddress
  if (type === 'integer' || type === 'number') {
    const { minimum = 0, maximum } = schema
    return maximum === undefined ? say[type] : say.between(say[type], minimum, maximum)
  }
  if (type === 'object' && typeof additionalProperties === 'object')
    return say.pairs(additionalProperties.type === 'string' ? say.strings : say.integers, schema.maxProperties)
  if (type === 'string') return say.text(schema.maxLength)
  return type === 'boolean' ? say.boolean : say.object
}
