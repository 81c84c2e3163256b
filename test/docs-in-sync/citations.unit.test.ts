// Checks that the target of each citation in brackets in code and test titles exists: a page or a heading of docs/internal/ceremony.md, a heading of
// docs/start/local-start.md, a file of docs/internal/decisions, a row of docs/internal/invariants.md or of docs/internal/chart-rules.md, a
// sentence of the specification by its number, or a file below docs. Other brackets (WCAG, RFCs, headings of the specification) are not checked.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { citedIn, SENTENCES } from '../conformance/specification.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['libs', 'services', 'tools', 'deploy', 'test', 'charts']
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Every heading in lower case, without backquotes. */
const headingsOf = (document: string): Set<string> =>
  new Set([...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!.replaceAll('`', '').toLowerCase()))

/** The first cell of every row. */
const cellsOf = (document: string): string[] => [...document.matchAll(/^\| (\w+) +\|/gm)].map(([, cell]) => cell!)
const rowsOf = (document: string): Set<string> => new Set(cellsOf(document))

const ceremony = read('docs/internal/ceremony.md')
const localStart = read('docs/start/local-start.md')
const CEREMONY = { headings: headingsOf(ceremony), pages: rowsOf(ceremony) }
/** The numbered rules below "Plain text". */
const RULES = new Set([...ceremony.matchAll(/^(\d+)\. /gm)].map(([, rule]) => rule!))
const DECISIONS = readdirSync(join(ROOT, 'docs/internal/decisions')).flatMap((name) =>
  name === 'README.md' ? [] : [name.replace('.md', '')],
)
const NUMBERED = [...DECISIONS, ...cellsOf(read('docs/internal/invariants.md'))].filter((id) => /^[DIFHP]\d+$/.test(id))
/** Every id. docs/internal/invariants.md contains only the H rules about processes; the table of the chart's rules contains all H rules. */
const IDS = new Set([...NUMBERED, ...cellsOf(read('docs/internal/chart-rules.md'))])
const LOCAL_START = headingsOf(localStart)
const SENTENCE_NUMBERS = new Set(SENTENCES.map(({ number }) => number))

/** Whether `S4.1` or `S4.1-3` is a citation of sentences that exist. */
const isSentences = (part: string): boolean =>
  /^S\d+\.\d+(-\d+)?$/.test(part) && citedIn(`[${part}]`).every((number) => SENTENCE_NUMBERS.has(number))

/** The ids of a range: I13, I14 and I15 for `I`, `13` and `15`. */
const range = (kind: string, from: string, to = from): string[] =>
  Array.from({ length: Number(to) - Number(from) + 1 }, (_, n) => `${kind}${Number(from) + n}`)

/** The citations in one pair of brackets that have no target. Empty if the brackets cite none of our documents. */
function nowhere(bracket: string): string[] {
  const missing: string[] = []
  let isInPages = false
  for (const part of bracket.split(/,\s*/)) {
    const [, chapter, rules] = /^ceremony: (.+?)(?: rules? (.+))?$/.exec(part) ?? []
    const pages: string | undefined =
      /^ceremony (\d.*)$/.exec(part)?.[1] ?? (isInPages && /^\d+[a-z]?\b/.test(part) ? part : undefined)
    const [, heading] = /^local-stack: (.+)$/.exec(part) ?? []
    const [, kind, from, to] = /^([DIFHP])(\d+)(?:-\1(\d+))?(?::.*)?$/.exec(part) ?? []
    isInPages = pages !== undefined
    const found = [
      chapter === undefined || CEREMONY.headings.has(chapter.toLowerCase()),
      (rules?.match(/\d+/g) ?? []).every((rule) => RULES.has(rule)),
      (pages?.match(/\d+[a-z]?/g) ?? []).every((page) => CEREMONY.pages.has(page)),
      heading === undefined || LOCAL_START.has(heading.toLowerCase()),
      !/^S\d/.test(part) || isSentences(part),
      !/^[A-C]\.\d+$/.test(part),
      !part.startsWith('docs/') || existsSync(join(ROOT, part)),
      kind === undefined || range(kind, from!, to).every((id) => IDS.has(id)),
    ]
    if (found.includes(false)) missing.push(part)
  }
  return missing
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|dist|golden|\..*)$/.test(entry.name) ? [] : filesBelow(path)
    return /\.(ts|tsx|js|mjs|css|tpl|yaml)$/.test(entry.name) ? [path] : []
  })
}

it('every number belongs to one decision, invariant, fault or rule', () => {
  expect(NUMBERED.filter((id, place) => NUMBERED.indexOf(id) !== place)).toEqual([])
})

it.each([
  ['D16, I9, F11', []],
  ['D99', ['D99']],
  ['I1-I3', []],
  ['S4.1, S4.9-10, S25.13', []],
  ['S4.9-11, S26.1, S4, S4.1-S4.3', ['S4.9-11', 'S26.1', 'S4', 'S4.1-S4.3']],
  ['F13-F99', ['F13-F99']],
  ['ceremony 6c, 14, D26', []],
  ['ceremony 5 and 6', []],
  ['ceremony 6, 99', ['99']],
  ['ceremony: hidden and bidi characters', []],
  ['ceremony: plain text rules 2 to 6', []],
  ['ceremony: plain text rule 77', ['ceremony: plain text rule 77']],
  ['ceremony: what never was', ['ceremony: what never was']],
  ['local-stack: the mailbox', []],
  ['local-stack: the cellar', ['local-stack: the cellar']],
  ['docs/reference/metrics.md, docs/runbooks', []],
  ['docs/nothing.md, B.5', ['docs/nothing.md', 'B.5']],
  ['WCAG 2.1.1, 0-9a-f, party', []],
])('the citations in [%s] without a target are %j', (bracket, missing) => {
  expect(nowhere(bracket)).toEqual(missing)
})

it('the code cites only numbers and headings that exist in docs', () => {
  const lost = FOLDERS.flatMap(filesBelow)
    .filter((path) => !path.endsWith('/citations.unit.test.ts'))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) =>
          [...line.matchAll(/\[([^[\]]+)\]/g)].flatMap(([, bracket]) =>
            nowhere(bracket!).map((part) => `${path}:${index + 1} [${part}]`),
          ),
        ),
    )
  expect(lost).toEqual([])
})
