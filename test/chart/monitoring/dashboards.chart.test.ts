// Checks the dashboards of the chart, and that every query uses existing metrics and labels. [H24]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { knownMetric, namesIn, selectorsIn } from './promql.js'
import { alertsOf, NAMESPACE, promtool, renderGroups, rulesBehind, RUNBOOK_BASE_URL } from './rendered-alerts.js'
import { CHART, render, type Labels, type Values } from '../rendered.js'

const METRICS_PAGE = fileURLToPath(new URL('../../../docs/reference/metrics.md', import.meta.url))

interface Panel {
  id: number
  type: string
  title: string
  description?: string
  links?: { title: string; url: string }[]
  datasource?: { type: string }
  fieldConfig?: { defaults: { unit: string } }
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr?: string }[]
}

const FOLDER = join(CHART, 'dashboards')
const DASHBOARDS = readdirSync(FOLDER).map((file) => {
  const dashboard = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as {
    uid: string
    links: { type: string; tags: string[] }[]
    panels: Panel[]
  }
  return { name: file.replace(/\.json$/, ''), dashboard, panels: dashboard.panels.filter(({ type }) => type !== 'row') }
})
/** Replaces Grafana's variables as Grafana does. */
const interpolate = (expr: string, label = 'namespace'): string =>
  expr
    .replaceAll('$__rate_interval', '5m')
    .replaceAll('$namespace', 'signing')
    .replaceAll('$label', label)
    .replaceAll('$service', '(gateway|signing)')
const queriesOf = (panels: readonly Panel[], label?: string): string[] =>
  panels
    .filter(({ datasource }) => datasource?.type === 'prometheus')
    .flatMap(({ targets = [] }) =>
      targets.flatMap(({ expr }) => (expr === undefined ? [] : [interpolate(expr, label)])),
    )
const groups = renderGroups()
/** The name of a metric: that of a series, without the suffix of a histogram. */
const metricOf = (series: string): string => series.replace(/_(bucket|sum|count)$/, '')
const metricsIn = (expr: string): string[] => selectorsIn(expr).map(({ name }) => metricOf(name))
/** Alert → the metrics of its rules and of the recording rules behind them. */
const METRICS_OF = new Map(
  [...new Set(alertsOf(groups).map(({ alert }) => alert))].map(
    (alert) =>
      [
        alert,
        new Set(rulesBehind(groups, alert).flatMap(({ rules }) => rules.flatMap(({ expr }) => metricsIn(expr)))),
      ] as const,
  ),
)

it('the dashboards have unique uids that match their file names', () => {
  expect(DASHBOARDS.map(({ name }) => name)).toEqual(DASHBOARDS.map(({ dashboard }) => dashboard.uid))
  expect(DASHBOARDS).toHaveLength(5)
})

describe.each(DASHBOARDS.map((each) => [each.name, each] as const))('%s', (name, { dashboard, panels }) => {
  it('gives every panel a title, a description and a unit', () => {
    expect(panels).not.toEqual([])
    for (const { title, description, fieldConfig } of panels) {
      expect(title).toMatch(/^\S.*\S$/)
      expectWithMessage(description, title).toMatch(/^\S.*[.]$/s)
      expectWithMessage(fieldConfig?.defaults.unit ?? '', title).not.toBe('')
    }
  })

  it('uses only existing metrics and labels, of one installation [docs/reference/metrics.md]', async () => {
    const queries = queriesOf(panels)
    if (name !== 'paraph-one-contract') expect(queries).not.toEqual([])
    expect(queries.flatMap(namesIn)).toEqual([])
    for (const { name: metric, labels, text } of queries.flatMap(selectorsIn)) {
      expectWithMessage(knownMetric(metric), metric).toBeDefined()
      for (const label of labels) expectWithMessage(knownMetric(metric)?.has(label), `${metric} ${label}`).toBe(true)
      expect(text).toContain('namespace="signing"')
    }
    const rules = queries.map((expr, at) => ({ record: 'query', expr, labels: { at: String(at) } }))
    await promtool([{ name, rules }])
  })

  it('fits the grid and has unique panel ids', () => {
    for (const { gridPos } of dashboard.panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
    const ids = dashboard.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('every dashboard links to the others, and the panel of an alert to its runbook, for every alert [H24]', () => {
  for (const { dashboard } of DASHBOARDS)
    expect(dashboard.links).toMatchObject([{ type: 'dashboards', tags: ['paraph'], includeVars: true }])
  const links = DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ links: own = [] }) => own))
  const alerts = [...METRICS_OF.keys()]
  expect([...new Set(links.map(({ title }) => title))].toSorted()).toEqual(
    alerts.map((alert) => `Runbook: ${alert}`).toSorted(),
  )
  for (const { title, url } of links) expect(url).toBe(`\${runbooks}/${title.replace('Runbook: ', '')}.md`)
})

it('every documented metric is in a panel or an alert [docs/reference/metrics.md]', () => {
  const documented = [...readFileSync(METRICS_PAGE, 'utf8').matchAll(/^### `(\w+)`$/gm)].map(([, name]) => name!)
  expect(documented.length).toBeGreaterThan(50)
  const panels = DASHBOARDS.flatMap((each) => queriesOf(each.panels).flatMap(metricsIn))
  const used = new Set([...panels, ...[...METRICS_OF.values()].flatMap((metrics) => [...metrics])])
  expect(documented.filter((name) => !used.has(name))).toEqual([])
})

it('every panel links to the runbook of each alert that uses one of its metrics [H24]', () => {
  const missing = DASHBOARDS.flatMap(({ name, panels }) =>
    panels.flatMap((panel) => {
      const metrics = queriesOf([panel]).flatMap(metricsIn)
      const linked = new Set(panel.links?.map(({ title }) => title))
      return [...METRICS_OF]
        .filter(([alert, own]) => metrics.some((metric) => own.has(metric)) && !linked.has(`Runbook: ${alert}`))
        .map(([alert]) => `${name}, ${panel.title}: ${alert}`)
    }),
  )
  expect(missing).toEqual([])
})

it('every alert names an existing panel, in the namespace of the release [H24]', () => {
  for (const { alert, annotations } of alertsOf(groups)) {
    const [, uid, id, namespace] =
      /^\/d\/([\w-]+)\?viewPanel=(\d+)&var-namespace=(\w+)$/.exec(annotations!['dashboard']!) ?? []
    expect(namespace).toBe(NAMESPACE)
    const panel = DASHBOARDS.find(({ name }) => name === uid)?.panels.find((each) => each.id === Number(id))
    expectWithMessage(panel?.links?.map(({ title }) => title) ?? [], alert).toContain(`Runbook: ${alert}`)
  }
})

it('metrics from a collector have the label k8s_namespace_name, except those of Kubernetes and Prometheus', () => {
  const selectors = DASHBOARDS.flatMap(({ panels }) => queriesOf(panels, 'k8s_namespace_name').flatMap(selectorsIn))
  expect(selectors.length).toBeGreaterThan(80)
  for (const { name, text } of selectors)
    expect(text).toContain(/^(up|kube_\w+)$/.test(name) ? '{namespace="signing"' : '{k8s_namespace_name="signing"')
})

const LABELS = { grafana_dashboard: '1', team: 'contracts' }

/** The rendered dashboards as text, by uid, with the labels of their ConfigMaps. */
function renderDashboards(values: Values = {}): Map<string, { text: string; labels: Labels }> {
  const maps = render('default', { dashboards: { enabled: true, labels: LABELS }, ...values }).filter(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.labels['grafana_dashboard'] === '1',
  )
  return new Map(
    maps.flatMap(({ data = {}, metadata: { labels } }) =>
      Object.values(data).map((text) => [(JSON.parse(text) as { uid: string }).uid, { text, labels }] as const),
    ),
  )
}
it('the dashboards are rendered unchanged, in ConfigMaps that Grafana’s sidecar selects [H24]', () => {
  const rendered = renderDashboards()
  expect([...rendered.keys()].toSorted()).toEqual(DASHBOARDS.map(({ name }) => name).toSorted())
  for (const { name, dashboard } of DASHBOARDS) {
    const { text, labels } = rendered.get(name)!
    expect(JSON.parse(text)).toEqual(dashboard)
    expect(labels['team']).toBe('contracts')
  }
})

it('the variable of the rendered dashboards has the base URL of the runbooks, on which their links rely [H24]', () => {
  const rendered = renderDashboards({ alerts: { runbookBaseUrl: RUNBOOK_BASE_URL } })
  for (const { name, panels } of DASHBOARDS) {
    const { templating } = JSON.parse(rendered.get(name)!.text) as {
      templating: { list: { name: string; query: string }[] }
    }
    const variable = templating.list.find((each) => each.name === 'runbooks')
    expect(variable?.query).toBe(panels.some(({ links }) => links) ? RUNBOOK_BASE_URL : undefined)
  }
})

it('the rendered dashboards offer first the label that the alerts select by', () => {
  const variableOf = (text: string, name: string) =>
    (JSON.parse(text) as { templating: { list: { name: string; query: string }[] } }).templating.list.find(
      (each) => each.name === name,
    )?.query
  const matcher = 'k8s_namespace_name="paraph"'
  for (const [values, labels] of [
    [{}, 'namespace,k8s_namespace_name'],
    [{ alerts: { matcher } }, 'k8s_namespace_name,namespace'],
  ] as const)
    for (const { text } of renderDashboards(values).values()) {
      expect(variableOf(text, 'label')).toBe(labels)
      expect(variableOf(text, 'namespace')).toBe('label_values(paraph_database_up, $label)')
    }
})
