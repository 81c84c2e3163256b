// charts/paraph/README.md says what values.yaml and the tests say. `npm run chart` writes it anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { CHART, chartValues } from './rendered.js'
import { RULES } from './rules.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = join(CHART, 'README.md')
const MARK = /^<!-- Below this line:.*-->\n/m

interface DocumentedValue {
  path: string[]
  says: string
}

/** Every value with the comment above it, in the order of the file. Lists are values as a whole. */
function documentedValues(text: string): DocumentedValue[] {
  const found: DocumentedValue[] = []
  const above: string[] = []
  let comment: string[] = []
  for (const line of text.split('\n')) {
    const [, said] = /^ *# (.+)$/.exec(line) ?? []
    const [, indent, name] = /^( *)([\w.-]+):/.exec(line) ?? []
    if (said !== undefined) comment.push(said)
    else if (name !== undefined) {
      above.splice(indent!.length / 2, Infinity, name)
      found.push({ path: [...above], says: comment.join(' ') })
      comment = []
    } else comment = []
  }
  return found
}
const VALUES = documentedValues(readFileSync(join(CHART, 'values.yaml'), 'utf8'))

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n')

function defaultOf(path: readonly string[]): string {
  const value = path.reduce<unknown>((tree, name) => (tree as Record<string, unknown>)[name], chartValues())
  const isBlock = VALUES.some(
    (each) => each.path.length > path.length && path.every((name, n) => each.path[n] === name),
  )
  return isBlock ? '' : `\`${JSON.stringify(value)}\``
}

/** Top-level values that stand for themselves, then a section for each block; components have one each. */
function valueSections(): string[] {
  const sectionOf = ({ path }: DocumentedValue): string =>
    (path[0] === 'components' ? path.slice(0, 2) : path.slice(0, 1)).join('.')
  const sections = Map.groupBy(VALUES, sectionOf)
  const rowOf = ({ path, says }: DocumentedValue) => [`\`${path.join('.')}\``, defaultOf(path), says]
  const heads = ['Value', 'Default', 'What it is']
  const single = [...sections.values()].flatMap((values) =>
    values.length === 1 && defaultOf(values[0]!.path) ? values : [],
  )
  const blocks = [...sections].filter(([, [first]]) => !single.includes(first!))
  return [
    ...['### By themselves', table(heads, single.map(rowOf))],
    ...blocks.flatMap(([name, [first, ...rest]]) => [
      ...[`### \`${name}\``, first!.says],
      ...(rest.length > 0 ? [table(heads, rest.map(rowOf))] : []),
    ]),
  ]
}

const testFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : testFiles(path)
    return /\.test\.tsx?$/.test(entry.name) && !entry.name.startsWith('citations.') ? [path] : []
  })

/** Rule → file and title of the tests whose titles cite it, alone or in a range. */
function testsOfRules(): Map<string, string[]> {
  const tests = new Map<string, string[]>()
  for (const path of ['libs', 'services', 'deploy', 'test'].flatMap(testFiles).sort())
    for (const [, , title, cited] of readFileSync(join(ROOT, path), 'utf8').matchAll(
      /(['`])((?:(?!\1).)+ \[([^\]\n]*)\])\1/g,
    ))
      for (const [, from, to = from] of cited!.matchAll(/\bH(\d+)(?:-H(\d+))?/g))
        for (let n = Number(from); n <= Number(to); n++)
          tests.set(`H${n}`, [...(tests.get(`H${n}`) ?? []), `\`${path}\`: ${title!.replaceAll('|', '\\|')}`])
  return tests
}

function ruleTable(): string {
  const tests = testsOfRules()
  return table(
    ['Id', 'Rule', 'Shown by'],
    Object.entries(RULES).map(([id, { says, note }]) => {
      const shown = [...new Set(tests.get(id))]
      return [
        id,
        says,
        [...(note ? [note] : []), ...(shown.length > 0 ? shown : ['No test shows it yet.'])].join('<br>'),
      ]
    }),
  )
}

it('documents every value [H30]', () => {
  expect(VALUES.filter(({ says }) => says === '').map(({ path }) => path.join('.'))).toEqual([])
  expect(VALUES.length).toBeGreaterThan(150)
})

it('is the page of the values and of the rules [H30]', async () => {
  const page = readFileSync(PAGE, 'utf8')
  const head = page.slice(0, page.search(MARK)) + MARK.exec(page)![0]
  // Its cells are as long as their tests are many: filled up to one width they would be nothing to read.
  const sections = ['## Rules', '<!-- prettier-ignore -->', ruleTable(), '## Values', ...valueSections()]
  const config = await resolveConfig(PAGE)
  const wanted = await format([head, ...sections].join('\n\n'), { ...config, filepath: PAGE })
  if (process.env['UPDATE_CHART'] !== undefined) writeFileSync(PAGE, wanted)
  expect(readFileSync(PAGE, 'utf8'), 'Run `npm run chart`.').toBe(wanted)
})

it('lists the rules from the first to the last', () => {
  expect(Object.keys(RULES)).toEqual(Array.from({ length: 32 }, (_, n) => `H${n + 1}`))
})
