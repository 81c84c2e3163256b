import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { format, resolveConfig } from 'prettier'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'

const COMMITTED = fileURLToPath(new URL('../../../docs/openapi.json', import.meta.url))
const TYPES = fileURLToPath(new URL('document-types.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

let running: SharedStack
beforeAll(async () => {
  running = await joinStack()
})
afterAll(() => running?.close())

/** Reads the served document, with relative URLs instead of the URLs of this stack, like the committed document. */
async function readServed(): Promise<string> {
  const { origin } = new URL(running.stack.apiUrl)
  const response = await fetch(`${origin}/openapi.json`)
  expect(response.status).toBe(200)
  const document = (await response.text()).replaceAll(origin, '')
  return `${JSON.stringify(JSON.parse(document), null, 2)}\n`
}

it('the gateway serves the OpenAPI document committed as docs/openapi.json, which `npm run update -- openapi` regenerates [Endpoints]', async () => {
  const served = await readServed()
  if (process.env['UPDATE_OPENAPI'] === '1') await writeFile(COMMITTED, served)
  expect(served).toBe(await readFile(COMMITTED, 'utf8'))
})

it('every object and every enum of a body has a name, because client generators invent one for each other schema [D56]', async () => {
  type Schema = { [key: string]: unknown }
  const document = JSON.parse(await readFile(COMMITTED, 'utf8')) as Schema
  const inline: string[] = []
  /** @param isNamed true for the root of a named schema */
  function visit(schema: unknown, place: string, isNamed: boolean): void {
    if (typeof schema !== 'object' || schema === null) return
    const { properties, items, additionalProperties, ...rest } = schema as Schema
    const isClass = properties !== undefined || rest['enum'] !== undefined
    if ((isClass && !isNamed) || ['allOf', 'anyOf', 'oneOf'].some((word) => word in rest)) inline.push(place)
    for (const [name, each] of Object.entries((properties ?? {}) as Schema)) visit(each, `${place}.${name}`, false)
    visit(items, `${place}[]`, false)
    visit(additionalProperties, `${place}{}`, false)
  }
  const { schemas } = document['components'] as { schemas: Schema }
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name, true)
  for (const [path, methods] of Object.entries(document['paths'] as Schema))
    for (const [method, operation] of Object.entries(methods as Schema)) {
      const { requestBody, responses } = operation as { requestBody?: Schema; responses: Schema }
      for (const [status, each] of Object.entries({ ...responses, ...(requestBody ? { request: requestBody } : {}) })) {
        const content = (each as Schema)['content'] as Record<string, { schema: Schema }> | undefined
        visit(content?.['application/json']?.schema, `${method} ${path} ${status}`, false)
      }
    }
  expect(inline).toEqual([])
})

it("the OpenAPI document has no error and no warning under redocly's recommended rules [OpenAPI 3.1]", async () => {
  const { stdout, stderr } = await promisify(execFile)(
    'npx',
    ['--no-install', 'redocly', 'lint', '--extends', 'recommended', '--max-problems', '1000', COMMITTED],
    { cwd: ROOT, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  ).catch((error: { stdout: string; stderr: string }) => error)
  expect(stdout + stderr).toContain('Your API description is valid')
  expect(stdout + stderr).not.toMatch(/warning|Warning/)
})

it('openapi-typescript generates the committed types (document-types.ts) from the OpenAPI document [OpenAPI 3.1]', async () => {
  const nodes = await openapiTS(await readFile(COMMITTED, 'utf8'))
  const generated = `// Generated from docs/openapi.json by openapi-typescript; \`npm run update -- openapi\` writes it anew.\n${astToString(nodes)}`
  const formatted = await format(generated, { ...(await resolveConfig(TYPES)), filepath: TYPES })
  if (process.env['UPDATE_OPENAPI'] === '1') await writeFile(TYPES, formatted)
  expect(formatted).toBe(await readFile(TYPES, 'utf8'))
})
