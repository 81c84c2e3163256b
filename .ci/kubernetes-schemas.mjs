// Splits Kubernetes' own API description into one JSON schema per kind, so that kubeconform needs no network:
//   node kubernetes-schemas.mjs swagger.json FOLDER → FOLDER/deployment-apps-v1.json …
// The schemas are strict: they refuse fields that Kubernetes does not know.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [source, folder] = process.argv.slice(2)
const { definitions } = JSON.parse(readFileSync(source, 'utf8'))

/** Types that JSON represents in several ways. */
const NOTATIONS = {
  IntOrString: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  Quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
}

/** @param path the enclosing definitions; a recursive definition becomes {}, because expanding it would not end */
function schemaOf(node, path) {
  if (Array.isArray(node)) return node.map((each) => schemaOf(each, path))
  if (typeof node !== 'object' || node === null) return node
  if (node.$ref !== undefined) {
    const name = node.$ref.split('/').at(-1)
    return (
      NOTATIONS[name.split('.').at(-1)] ?? (path.includes(name) ? {} : schemaOf(definitions[name], [...path, name]))
    )
  }
  const fields = Object.entries(node).filter(([key]) => key !== 'description' && !key.startsWith('x-kubernetes'))
  const schema = Object.fromEntries(
    fields.map(([key, value]) => [key, key === 'properties' ? propertiesOf(node, path) : schemaOf(value, path)]),
  )
  if (schema.format === 'int-or-string') return NOTATIONS.IntOrString
  return schema.properties ? { additionalProperties: false, ...schema } : schema
}

/** The API accepts null for optional fields. */
function propertiesOf({ properties, required = [] }, path) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, node]) => {
      const schema = schemaOf(node, path)
      const mayBeNull = !required.includes(name) && typeof schema.type === 'string'
      return [name, mayBeNull ? { ...schema, type: [schema.type, 'null'] } : schema]
    }),
  )
}

mkdirSync(folder, { recursive: true })
for (const [name, definition] of Object.entries(definitions)) {
  const kinds = definition['x-kubernetes-group-version-kind'] ?? []
  // Skip kinds that exist in every group, such as DeleteOptions: they are requests, not stored objects.
  if (kinds.length !== 1 || definition.properties === undefined) continue
  const [{ group, version, kind }] = kinds
  const schema = schemaOf(definition, [name])
  schema.properties.apiVersion = { type: 'string', enum: [group === '' ? version : `${group}/${version}`] }
  schema.properties.kind = { type: 'string', enum: [kind] }
  const file = [kind.toLowerCase(), group.split('.')[0], version].filter((part) => part !== '').join('-')
  writeFileSync(join(folder, `${file}.json`), JSON.stringify(schema))
}
