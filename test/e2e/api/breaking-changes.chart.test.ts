// No change of docs/openapi.json breaks a client of the last release. [Endpoints, D56]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { runTool } from '../../chart/chart-tools.js'
import { print } from '../../harness/print.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const now = readFileSync(join(root, 'docs/openapi.json'), 'utf8')

/** The document of the last release; undefined before the first release, and in an archive without history. */
function released(): string | undefined {
  const git = (...argv: string[]) =>
    execFileSync('git', argv, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 })
  try {
    return git('show', `${git('describe', '--tags', '--abbrev=0', '--match', 'v*').trim()}:docs/openapi.json`)
  } catch {
    return undefined
  }
}

/** The changes from `before` to `after` that break a client; empty if there are none. */
function breaking(before: string, after: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'paraph-openapi-'))
  try {
    const files = [before, after].map((text, index) => {
      const file = join(folder, `${index}.json`)
      writeFileSync(file, text)
      return file
    })
    const { code, stdout, stderr } = runTool('oasdiff', ['breaking', ...files, '--fail-on', 'WARN'])
    if (code > 1) throw new Error(`oasdiff ended with ${code}: ${stderr}`)
    return code === 0 ? '' : stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Schema {
  required: string[]
  properties: Record<string, object>
}

/** The document after a change of one schema. */
function changed(name: string, change: (schema: Schema) => void): string {
  const document = JSON.parse(now) as { components: { schemas: Record<string, Schema> } }
  change(document.components.schemas[name]!)
  return JSON.stringify(document)
}

it('nothing that the last release described was removed or changed', () => {
  const before = released()
  if (before === undefined) print('Not compared: there is no release yet.')
  expect(before === undefined ? '' : breaking(before, now)).toBe('')
})

it.each<[string, string, (schema: Schema) => void]>([
  ['a response without a field that it had', 'Contract', ({ properties }) => delete properties['signatures']],
  ['a request with one more required field', 'CreateContract', ({ required }) => void required.push('senderName')],
])('the comparison refuses %s', (_, name, change) => {
  expect(breaking(now, changed(name, change))).not.toBe('')
})

it.each<[string, string, (schema: Schema) => void]>([
  ['a response with a new field', 'Contract', ({ properties }) => (properties['colour'] = { type: 'string' })],
  [
    'a request with a new field that may be absent',
    'CreateContract',
    ({ properties }) => (properties['colour'] = { type: 'string' }),
  ],
  [
    'a new error code',
    'ErrorCode',
    (schema) => ((schema as { 'x-extensible-enum'?: string[] })['x-extensible-enum'] ??= []).push('new_code'),
  ],
])('the comparison accepts %s', (_, name, change) => {
  expectWithMessage(breaking(now, changed(name, change)), 'breaking changes').toBe('')
})
