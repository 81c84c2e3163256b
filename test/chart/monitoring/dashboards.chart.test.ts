// Checks the dashboards of the chart, and that every query uses existing metrics and labels. [H24]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { knownMetric, namesIn, selectorsIn } from './promql.js'
import { alertsOf, promtool, renderGroups, RUNBOOK_BASE_URL } from './rendered-alerts.js'
import { CHART, render, type Labels, type Values } from '../rendered.js'

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
const interpolate = (expr: string): string =>
  expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', 'signing')
const queriesOf = (panels: readonly Panel[]): string[] =>
  panels
    .filter(({ datasource }) => datasource?.type === 'prometheus')
    .flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => (expr === undefined ? [] : [interpolate(expr)])))

it('the dashboards have unique uids that match their file names', () => {
  expect(DASHBOARDS.map(({ name }) => name)).toEqual(DASHBOARDS.map(({ dashboard }) => dashboard.uid))
  expect(DASHBOARDS).toHaveLength(4)
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
  const alerts = new Set(alertsOf(renderGroups()).map(({ alert }) => alert))
  expect([...new Set(links.map(({ title }) => title))].toSorted()).toEqual(
    [...alerts].map((alert) => `Runbook: ${alert}`).toSorted(),
  )
  for (const { title, url } of links) expect(url).toBe(`\${runbooks}/${title.replace('Runbook: ', '')}.md`)
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
