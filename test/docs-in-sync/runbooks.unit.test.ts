// Checks that all runbooks have the same header and sections in order, and only existing commands, panels and log lines.
// runbooks.e2e.test.ts runs the commands.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { parseCommandLine } from '@paraph/paraph/command-line'
import { COMMANDS } from '@paraph/paraph/paraph'
import { SERVICES } from '@paraph/protocol/services'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { knownMetric, namesIn, selectorsIn } from '../chart/monitoring/promql.js'
import { blocksOf, paraphCommandsOf, RUNBOOK_PAGES } from './runbook-pages.js'

const SECTIONS = [
  'What it means for people',
  'How to confirm',
  'What to do',
  'What not to do',
  'When it is over',
  'Related alerts',
]
const RUNBOOKS = RUNBOOK_PAGES.filter(({ name }) => name !== 'README')
/** The variables that "Before you begin" defines. */
const VARIABLES = ['NAMESPACE', 'RELEASE', 'PARAPH']

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const filesBelow = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/(^|\/)(node_modules|dist)\//.test(name))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))

/** Alert → its severities, sorted, and alert → the panels of its rules, as the chart defines them. */
const SEVERITIES = new Map<string, string[]>()
const PANELS_OF = new Map<string, Set<string>>()
for (const rules of filesBelow('charts/paraph/alerts', /\.yaml$/))
  for (const [, alert, severity, panel] of rules.matchAll(
    /- alert: (\w+)$.*?^ +severity: (\w+)$.*?^ +dashboard: (\S+)$/gms,
  )) {
    SEVERITIES.set(alert!, [...(SEVERITIES.get(alert!) ?? []), severity!].toSorted())
    PANELS_OF.set(alert!, (PANELS_OF.get(alert!) ?? new Set<string>()).add(panel!))
  }

/** `/d/<uid>` → its panels. */
const PANELS = new Map(
  filesBelow('charts/paraph/dashboards', /\.json$/).map((text) => {
    const { uid, panels } = JSON.parse(text) as {
      uid: string
      panels: { id: number; title: string; links?: { title: string }[] }[]
    }
    return [`/d/${uid}` as string, panels] as const
  }),
)

it('more than twenty alerts have a runbook', () => expect(RUNBOOKS.length).toBeGreaterThan(20))

it.each(RUNBOOKS.map((page) => [page.name, page] as const))(
  'the page %s has the sections of a runbook',
  (name, page) => {
    const { text } = page
    expect(text.split('\n')[0]).toBe(`# ${name}`)
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual(SECTIONS)
    const [, confirm = ''] = text.split(/^## How to confirm$/m)
    expect(confirm.split(/^## /m)[0]).toMatch(/^```(sh|promql|sql)$/m)
    // A reader at night must know how well the page was tested.
    expect(text.trimEnd().split('\n---\n').at(-1)?.trim()).toMatch(
      /^Followed: (not yet|on \d{1,2} \w+ \d{4}), against .+\.$/s,
    )
  },
)

it.each(RUNBOOKS.map((page) => [page.name, page] as const))(
  'the page %s begins with the severity, the first action, the panel and the next contact',
  (name, { text }) => {
    const [, header = ''] = /^# \w+\n\n(.*?)\n\n## /s.exec(text) ?? []
    const fields = header.split(/^- /m).flatMap((line) => [...line.matchAll(/^\*\*(.+?)\*\*: (.+)$/gs)])
    expect(fields.map(([, label]) => label)).toEqual(['Severity', 'First minute', 'Dashboard', 'Escalate to'])
    const [severity, first, dashboard] = fields.map(([, , value]) => value!)
    expect(severity!.match(/\b(page|ticket)\b/g)).toEqual(SEVERITIES.get(name))
    expect(first).toMatch(/\b(run|check)\b/)
    const [, path, title] = /^`(\S+)`, panel “(.+)”$/.exec(dashboard!.trim()) ?? []
    const panel = PANELS.get(path ?? '')?.find((each) => each.title === title)
    expectWithMessage(panel?.links?.map((link) => link.title) ?? [], dashboard!).toContain(`Runbook: ${name}`)
    expect(PANELS_OF.get(name)).toEqual(new Set([`${path}?viewPanel=${panel!.id}`]))
  },
)

it('the index has the severities of the alerts', () => {
  const index = RUNBOOK_PAGES.find(({ name }) => name === 'README')!.text
  const rows = [...index.matchAll(/^\| \[(\w+)\]\(\w+\.md\) +\|[^|]+\| ([^|]+?) +\|$/gm)]
  expect(new Map(rows.map(([, alert, severity]) => [alert, severity!.split(', ')]))).toEqual(SEVERITIES)
})

it('each search in a log finds lines that the service writes', () => {
  const lines = /(?:\.(?:info|warn|error|fatal)\((?:\{[^}]*\},\s*)?|failureMessage(?::|\s=)\s*)['"`]([^'"`\n]+)/g
  const linesOf = (folder: string): string[] =>
    filesBelow(folder, /(?<!\.test)\.tsx?$/).flatMap((source) => [...source.matchAll(lines)].map(([, line]) => line!))
  const shared = linesOf('libs')
  const searches = RUNBOOK_PAGES.flatMap((page) =>
    blocksOf(page, 'sh').flatMap((block) => [
      ...block.matchAll(/logs deploy\/"\$PARAPH"-(\w+) .*grep -\w+ '([^']+)'/g),
    ]),
  )
  expect(searches.length).toBeGreaterThan(10)
  const inVain = searches.filter(([, service, pattern]) => {
    const found = [...linesOf(`services/${service}/src`), ...shared].filter((line) =>
      new RegExp(pattern!, 'i').test(line),
    )
    return found.length === 0
  })
  expect(inVain.map(([command]) => command)).toEqual([])
})

it.each(RUNBOOK_PAGES.map((page) => [page.name, page] as const))(
  'the page %s contains only existing commands',
  (_, page) => {
    for (const words of paraphCommandsOf(page))
      expectWithMessage(parseCommandLine(words, COMMANDS), words.join(' ')).toMatchObject({ kind: 'run' })
    for (const block of blocksOf(page, 'sh')) {
      for (const [, , name] of block.matchAll(/\$(\{?)([A-Z_]+)/g)) expect(VARIABLES).toContain(name)
      for (const [, service] of block.matchAll(/"\$PARAPH"-(\w+)/g)) expect(SERVICES).toContain(service)
    }
  },
)

it('the queries of the runbooks use only metrics that the services emit, with existing labels [docs/runbooks]', () => {
  const queries = RUNBOOK_PAGES.flatMap((page) => blocksOf(page, 'promql'))
  expect(queries.length).toBeGreaterThan(50)
  expect(queries.flatMap(namesIn)).toEqual([])
  const wrong = queries
    .flatMap(selectorsIn)
    .flatMap(({ name, labels }) =>
      (knownMetric(name) ? labels : ['?'])
        .filter((label) => !knownMetric(name)?.has(label))
        .map((label) => `${name} ${label}`),
    )
  expect(wrong).toEqual([])
})

it('every alert that a runbook mentions has a runbook', () => {
  const names = new Set(RUNBOOKS.map(({ name }) => name))
  const mentioned = RUNBOOK_PAGES.flatMap(({ text }) => text.match(/\bParaph[A-Z]\w+/g) ?? [])
  expect([...new Set(mentioned)].filter((name) => !names.has(name))).toEqual([])
})
