// Checks that the table of docs/internal/fault-runs.md matches results.json. `npm run update -- reliability` regenerates the table.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { ELSEWHERE, reliabilityTables, type KeptRecord } from './reliability-table.js'
import { SCENARIOS } from './scenarios/all.js'

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))
const PAGE = pathOf('../../docs/internal/fault-runs.md')
const [BEGIN, END] = ['<!-- faults: begin -->', '<!-- faults: end -->']
const records = JSON.parse(readFileSync(pathOf('results.json'), 'utf8')) as KeptRecord[]

it('the reliability page has the last recorded result of every scenario, and lists the scenarios that were not run', async () => {
  const page = readFileSync(PAGE, 'utf8')
  const [before = '', rest = ''] = page.split(BEGIN)
  const [, after = ''] = rest.split(END)
  const whole = `${before}${BEGIN}\n\n${reliabilityTables(SCENARIOS, records)}\n${END}${after}`
  const config = await resolveConfig(PAGE)
  const formatted = await format(whole, { ...config, filepath: PAGE })
  if (process.env['UPDATE_RELIABILITY'] === '1') writeFileSync(PAGE, formatted)
  else expectWithMessage(page, 'npm run update -- reliability').toBe(formatted)
}, 60_000)

it('each fault from F1 to F33 has a scenario, a test, or a reason why it has none', () => {
  const named = [
    ...SCENARIOS.map(({ fault }) => fault),
    'F13',
    'F14',
    'F15',
    ...ELSEWHERE.flatMap(([fault]) => fault.split(', ')),
  ]
  const missing = Array.from({ length: 33 }, (_, n) => `F${n + 1}`).filter((fault) => !named.includes(fault))
  expect(missing).toEqual([])
})

it.each(
  ELSEWHERE.flatMap(([fault, what, where]) =>
    [...where.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, path]) => ({ fault, what, path: path! })),
  ),
)('the file $path exists and cites $fault: $what', ({ fault, path }) => {
  const text = readFileSync(pathOf(`../../${path}`), 'utf8')
  const cited = new Set([...text.matchAll(/\[([^[\]]+)\]/g)].flatMap(([, bracket]) => bracket!.split(/,\s*/)))
  for (const each of fault.split(', ')) expectWithMessage([...cited], path).toContain(each)
})

it('every fault that is tested elsewhere names a test, a command or a reason', () => {
  const empty = ELSEWHERE.filter(
    ([, , where]) => !/`(?:[\w./-]+\.ts|npm run [\w:]+(?: -- \w+)?)`|\*\*Not run/.test(where),
  )
  expect(empty).toEqual([])
})

it('no failure is recorded as a success', () => {
  for (const { outcome, faults } of records) expect(outcome === 'held').toBe(faults === 0)
})
