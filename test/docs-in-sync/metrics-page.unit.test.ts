// Checks that docs/reference/metrics.md matches the list of metrics. `npm run update -- metrics` regenerates the page.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from '@jest/globals'
import { LIBRARY_METRICS, METRICS, prometheusName, type Metric } from '@paraph/telemetry/metric-list'
import { allowedAttributes } from '@paraph/telemetry/attribute-allow-list'
import { expectWithMessage } from '@paraph/testing/expect-with-message'

const PAGE = fileURLToPath(new URL('../../docs/reference/metrics.md', import.meta.url))
const MARK = /^<!-- Below this line:.*-->\n/m
const HEADS = ['Metric', 'In Prometheus', 'Kind', 'Emitted by', 'Attributes', 'Meaning']

const LISTED: [string, Metric][] = [...Object.entries(METRICS), ...Object.entries(LIBRARY_METRICS)]

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const attributesOf = ({ attributes }: Metric): string =>
  Object.entries(attributes)
    .map(([name, values]) => (values === '' ? `\`${name}\`` : `\`${name}\`: ${values}`))
    .join('; ')
const kindOf = ({ kind, shared }: Metric): string => (shared ? `${kind}, shared` : kind)

const table = (metrics: Readonly<Record<string, Metric>>): string =>
  [
    row(HEADS),
    row(HEADS.map(() => '---')),
    ...Object.entries(metrics).map(([name, metric]) =>
      row([
        `\`${name}\``,
        `\`${prometheusName(name, metric)}\``,
        kindOf(metric),
        metric.sources.length === 4 ? 'all four' : metric.sources.join(', '),
        attributesOf(metric),
        metric.description,
      ]),
    ),
  ].join('\n')

it('the metrics page lists the emitted metrics', async () => {
  const page = readFileSync(PAGE, 'utf8')
  const head = page.slice(0, page.search(MARK)) + MARK.exec(page)![0]
  const sections = ['## Our metrics', table(METRICS), '## Metrics of libraries', table(LIBRARY_METRICS)]
  const config = await resolveConfig(PAGE)
  const wanted = await format([head, ...sections].join('\n\n'), { ...config, filepath: PAGE })
  if (process.env['UPDATE_METRICS'] !== undefined) writeFileSync(PAGE, wanted)
  expectWithMessage(readFileSync(PAGE, 'utf8'), 'Run `npm run update -- metrics`.').toBe(wanted)
})

it.each(LISTED)('the allow-list contains every attribute of %s [I14]', (_, { attributes }) => {
  expect(Object.keys(allowedAttributes(attributes))).toEqual(Object.keys(attributes))
})

it('no two metrics have the same name in Prometheus', () => {
  const names = LISTED.map(([name, metric]) => prometheusName(name, metric))
  expect(new Set(names).size).toBe(names.length)
})
