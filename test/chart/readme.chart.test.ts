// charts/paraph/README.md documents the values of values.yaml, and docs/internal/chart-rules.md the rules of rules.ts. `npm run update -- chart`
// rewrites both pages.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { expectGenerated, table, tableWithNotes, withLinks } from '../docs-in-sync/generated-page.js'
import { CHART, chartValues } from './rendered.js'
import { RULES } from './rules.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = 'charts/paraph/README.md'

interface DocumentedValue {
  path: string[]
  description: string
}

/** Every value with the comment above it, in the order of the file. A list is one value. */
function documentedValues(yaml: string): DocumentedValue[] {
  const found: DocumentedValue[] = []
  const above: string[] = []
  let comment: string[] = []
  for (const line of yaml.split('\n')) {
    const [, text] = /^ *# (.+)$/.exec(line) ?? []
    const [, indent, name] = /^( *)([\w.-]+):/.exec(line) ?? []
    if (text !== undefined) comment.push(text)
    else if (name !== undefined) {
      above.splice(indent!.length / 2, Infinity, name)
      found.push({ path: [...above], description: comment.join(' ') })
      comment = []
    } else comment = []
  }
  return found
}
const VALUES = documentedValues(readFileSync(join(CHART, 'values.yaml'), 'utf8'))

function defaultOf(path: readonly string[]): string {
  const value = path.reduce<unknown>((tree, name) => (tree as Record<string, unknown>)[name], chartValues())
  const isBlock = VALUES.some(
    (each) => each.path.length > path.length && path.every((name, n) => each.path[n] === name),
  )
  return isBlock ? '' : `\`${JSON.stringify(value)}\``
}

/** One table of the top-level scalars, then one section for each block; each component is a block. */
function valueSections(): string[] {
  const sectionOf = ({ path }: DocumentedValue): string =>
    (path[0] === 'components' ? path.slice(0, 2) : path.slice(0, 1)).join('.')
  const sections = Map.groupBy(VALUES, sectionOf)
  const rowOf = ({ path, description }: DocumentedValue) => [
    `\`${path.join('.')}\``,
    defaultOf(path),
    withLinks(description, PAGE),
  ]
  const heads = ['Value', 'Default', 'Description']
  const single = [...sections.values()].flatMap((values) =>
    values.length === 1 && defaultOf(values[0]!.path) ? values : [],
  )
  const blocks = [...sections].filter(([, [first]]) => !single.includes(first!))
  return [
    '### Top-level values',
    tableWithNotes(heads, single.map(rowOf)),
    ...blocks.flatMap(([name, [first, ...rest]]) => [
      `### \`${name}\``,
      withLinks(first!.description, PAGE),
      ...(rest.length > 0 ? [tableWithNotes(heads, rest.map(rowOf))] : []),
    ]),
  ]
}

const testFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : testFiles(path)
    return /\.test\.tsx?$/.test(entry.name) && !entry.name.startsWith('citations.') ? [path] : []
  })

/** Rule → the files of the tests that cite the rule at the end of a title, alone or in a range such as `[H6-H8]`. */
function testFilesOfRules(): ReadonlyMap<string, ReadonlySet<string>> {
  const files = new Map(Object.keys(RULES).map((id) => [id, new Set<string>()]))
  for (const path of ['libs', 'services', 'tools', 'deploy', 'test'].flatMap(testFiles).sort())
    for (const [, , citations] of readFileSync(join(ROOT, path), 'utf8').matchAll(
      /(['`])(?:(?!\1).)+ \[([^\]\n]*)\]\1/g,
    ))
      for (const [, from, to = from] of citations!.matchAll(/\bH(\d+)(?:-H(\d+))?/g))
        for (let n = Number(from); n <= Number(to); n++) files.get(`H${n}`)?.add(path)
  return files
}
const RULE_TESTS = testFilesOfRules()

const ruleTable = (): string =>
  table(
    ['Id', 'Rule', 'Tests'],
    Object.entries(RULES).map(([id, { text, note }]) => [
      id,
      [text, ...(note ? [note] : [])].join(' '),
      [...RULE_TESTS.get(id)!].map((path) => `\`${path}\``).join('<br>'),
    ]),
  )

it('every rule is cited in the title of a test', () => {
  expect([...RULE_TESTS].filter(([, files]) => files.size === 0).map(([id]) => id)).toEqual([])
})

it('the chart documents every value [H30]', () => {
  expect(VALUES.filter(({ description }) => description === '').map(({ path }) => path.join('.'))).toEqual([])
  expect(VALUES.length).toBeGreaterThan(130)
})

it('the README lists the current values [H30]', () => expectGenerated(PAGE, 'chart', ['## Values', ...valueSections()]))

it('the page of the rules lists the current rules and their tests', () =>
  expectGenerated('docs/internal/chart-rules.md', 'chart', [ruleTable()]))

it('the rules are numbered H1 to H32 without a gap', () => {
  expect(Object.keys(RULES)).toEqual(Array.from({ length: 32 }, (_, n) => `H${n + 1}`))
})
