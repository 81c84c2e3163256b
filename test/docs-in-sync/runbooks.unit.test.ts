// Checks that all runbooks have the same sections in order, and only existing commands. runbooks.e2e.test.ts runs the commands.
import { expect, it } from '@jest/globals'
import { parseCommandLine } from '@paraph/paraph/command-line'
import { COMMANDS } from '@paraph/paraph/paraph'
import { SERVICES } from '@paraph/protocol/services'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { knownMetric, namesIn, selectorsIn } from '../chart/promql.js'
import { blocksOf, paraphCommandsOf, RUNBOOK_PAGES } from './runbook-pages.js'

const SECTIONS = [
  'What it means for people',
  'How to confirm',
  'What to do',
  'What not to do',
  'When it is over',
  'What comes with it',
]
const RUNBOOKS = RUNBOOK_PAGES.filter(({ name }) => name !== 'README')
/** The variables that "Before you begin" defines. */
const VARIABLES = ['NAMESPACE', 'RELEASE', 'PARAPH']

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
