// Checks that docs/reference/metrics.md matches the list of metrics. `npm run update -- metrics` regenerates the page.
import { expect, it } from '@jest/globals'
import { LIBRARY_METRICS, METRICS, prometheusName, type Metric } from '@paraph/telemetry/metric-list'
import { allowedAttributes } from '@paraph/telemetry/attribute-allow-list'
import { expectGenerated, withoutCitations } from './generated-page.js'

const LISTED: [string, Metric][] = [...Object.entries(METRICS), ...Object.entries(LIBRARY_METRICS)]

const kindOf = ({ kind, shared }: Metric): string => (shared ? `${kind}, shared` : kind)
const sourcesOf = ({ sources }: Metric): string => (sources.length === 4 ? 'all four services' : sources.join(', '))

/** One heading for each metric, by its name in Prometheus, so that it can be linked. */
const entries = (metrics: Readonly<Record<string, Metric>>): string[] =>
  Object.entries(metrics).flatMap(([name, metric]) => [
    `### \`${prometheusName(name, metric)}\``,
    `\`${name}\`, ${kindOf(metric)}, from ${sourcesOf(metric)}. ${withoutCitations(metric.description)}`,
    Object.entries(metric.attributes)
      .map(([attribute, values]) => `- \`${attribute}\`${values === '' ? '' : `: ${values}`}`)
      .join('\n'),
  ])

it('the metrics page lists the emitted metrics', async () => {
  const sections = ['## Our metrics', ...entries(METRICS), '## Metrics of libraries', ...entries(LIBRARY_METRICS)]
  await expectGenerated('docs/reference/metrics.md', 'metrics', sections)
})

it.each(LISTED)('the allow-list contains every attribute of %s [I14]', (_, { attributes }) => {
  expect(Object.keys(allowedAttributes(attributes))).toEqual(Object.keys(attributes))
})

it('no two metrics have the same name in Prometheus', () => {
  const names = LISTED.map(([name, metric]) => prometheusName(name, metric))
  expect(new Set(names).size).toBe(names.length)
})
