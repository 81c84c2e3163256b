// Turns CustomResourceDefinitions into one JSON schema per kind, so that kubeconform can check the examples without a network:
//   node .ci/crd-schemas.mjs test/chart/crd-schemas KIND/VERSION… < crds.yaml → GROUP/KIND_VERSION.json
// The schemas are strict, and have no descriptions, defaults or status. test/chart/crd-schemas/README.md lists the sources.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

const [folder, ...wanted] = process.argv.slice(2)

/** Keywords that explain a field, or that only the API server evaluates. */
const OMITTED = /^(description|default|example|title|format|nullable|externalDocs)$|^x-kubernetes-/

function schemaOf(node) {
  if (Array.isArray(node)) return node.map(schemaOf)
  if (typeof node !== 'object' || node === null) return node
  if (node['x-kubernetes-int-or-string']) return { type: ['string', 'integer'] }
  const schema = Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !OMITTED.test(key))
      .map(([key, value]) => [key, key === 'properties' ? propertiesOf(value) : schemaOf(value)]),
  )
  if (node.nullable && typeof schema.type === 'string') schema.type = [schema.type, 'null']
  const isOpen = node['x-kubernetes-preserve-unknown-fields'] || node['x-kubernetes-embedded-resource']
  // Only a node with a type describes an object whole. One without stands in `anyOf`, beside the properties that it narrows.
  return schema.properties && schema.type && !isOpen ? { additionalProperties: false, ...schema } : schema
}

const propertiesOf = (properties) =>
  Object.fromEntries(Object.entries(properties).map(([name, node]) => [name, schemaOf(node)]))

const missing = new Set(wanted)
for (const document of parseAllDocuments(readFileSync(0, 'utf8'))) {
  const { kind: type, spec } = document.toJS() ?? {}
  if (type !== 'CustomResourceDefinition') continue
  const { group, names, versions } = spec
  for (const { name: version, schema } of versions) {
    if (!missing.delete(`${names.kind}/${version}`)) continue
    const properties = { ...schema.openAPIV3Schema.properties }
    delete properties.status
    const whole = schemaOf({ ...schema.openAPIV3Schema, properties })
    whole.properties.apiVersion = { enum: [`${group}/${version}`] }
    whole.properties.kind = { enum: [names.kind] }
    whole.required = [...new Set(['apiVersion', 'kind', 'metadata', ...(whole.required ?? [])])]
    mkdirSync(join(folder, group), { recursive: true })
    writeFileSync(join(folder, group, `${names.kind.toLowerCase()}_${version}.json`), `${JSON.stringify(whole)}\n`)
  }
}
if (missing.size > 0) throw new Error(`not found: ${[...missing].join(', ')}`)
