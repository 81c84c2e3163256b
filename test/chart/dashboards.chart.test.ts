// Checks the dashboards of the chart, and that every query uses existing metrics and labels. [H24]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { knownMetric, namesIn, selectorsIn } from './promql.js'
import { promtool } from './rendered-alerts.js'
import { CHART, render } from './rendered.js'

interface Panel {
  id: number
  type: string
  title: string
  description?: string
  datasource?: { type: string }
  fieldConfig?: { defaults: { unit: string } }
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr?: string }[]
}

const FOLDER = join(CHART, 'dashboards')
const DASHBOARDS = readdirSync(FOLDER).map((file) => {
  const dashboard = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { uid: string; panels: Panel[] }
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

it('the dashboards are rendered unchanged, in ConfigMaps that Grafana’s sidecar selects [H24]', () => {
  const labels = { grafana_dashboard: '1', team: 'contracts' }
  const maps = render('default', { dashboards: { enabled: true, labels } }).filter(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.labels['grafana_dashboard'] === '1',
  )
  expect(maps.map(({ metadata }) => metadata.labels['team'])).toEqual(DASHBOARDS.map(() => 'contracts'))
  const rendered = maps.flatMap(({ data = {} }) => Object.values(data).map((text) => JSON.parse(text) as unknown))
  const byUid = (all: unknown[]) =>
    all.toSorted((a, b) => (a as { uid: string }).uid.localeCompare((b as { uid: string }).uid))
  expect(byUid(rendered)).toEqual(byUid(DASHBOARDS.map(({ dashboard }) => dashboard)))
})
