// The dashboards of the chart are what deploy/dashboards says, and ask for what there is. `npm run dashboards` writes them anew. [H24]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, it } from 'vitest'
import { customers } from '../../deploy/dashboards/src/customers.js'
import { gateway } from '../../deploy/dashboards/src/gateway.js'
import { oneContract } from '../../deploy/dashboards/src/one-contract.js'
import { documentOf, type Dashboard } from '../../deploy/dashboards/src/panel.js'
import { pipeline } from '../../deploy/dashboards/src/pipeline.js'
import { knownMetric, namesIn, selectorsIn } from './promql.js'
import { promtool } from './rendered-alerts.js'
import { CHART, render } from './rendered.js'

const DASHBOARDS: readonly Dashboard[] = [customers, gateway, pipeline, oneContract]
const FOLDER = join(CHART, 'dashboards')
/** Grafana's own variables, as it would fill them in. */
const filledIn = (expr: string): string => expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', 'signing')
const panelsOf = ({ rows }: Dashboard) => rows.flatMap(({ panels }) => panels)
const queriesOf = (dashboard: Dashboard) =>
  panelsOf(dashboard).flatMap(({ queries }) =>
    queries.filter(({ source = 'prometheus' }) => source === 'prometheus').map(({ expr }) => filledIn(expr)),
  )

it('are four, and the files are theirs', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(DASHBOARDS.map(({ name }) => `${name}.json`).toSorted())
})

describe.each(DASHBOARDS.map((dashboard) => [dashboard.name, dashboard] as const))('%s', (name, dashboard) => {
  it('is written as its source says', async () => {
    const file = join(FOLDER, `${name}.json`)
    const config = await resolveConfig(file)
    const wanted = await format(JSON.stringify(documentOf(dashboard)), { ...config, filepath: file })
    if (process.env['UPDATE_DASHBOARDS'] !== undefined) writeFileSync(file, wanted)
    expect(readFileSync(file, 'utf8'), 'Run `npm run dashboards`.').toBe(wanted)
  })

  it('says of every panel what it shows, in which unit, and what is bad', () => {
    for (const { title, description, unit } of panelsOf(dashboard)) {
      expect(title).toMatch(/^\S.*\S$/)
      expect(description, title).toMatch(/^\S.*[.]$/s)
      expect(unit, title).not.toBe('')
    }
  })

  it('asks for metrics and labels that there are, of one installation [B.5]', async () => {
    const queries = queriesOf(dashboard)
    expect(queries.flatMap(namesIn)).toEqual([])
    for (const { name: metric, labels, text } of queries.flatMap(selectorsIn)) {
      expect(knownMetric(metric), metric).toBeDefined()
      for (const label of labels) expect(knownMetric(metric)?.has(label), `${metric} ${label}`).toBe(true)
      expect(text).toContain('namespace="signing"')
    }
    const rules = queries.map((expr, at) => ({ record: 'asked', expr, labels: { at: String(at) } }))
    await promtool([{ name, rules }])
  })

  it('fits into the width of a screen, each panel under its row', () => {
    for (const { gridPos } of documentOf(dashboard).panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
    const ids = documentOf(dashboard).panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

it('come as ConfigMaps that Grafana’s sidecar finds, each whole [H24]', () => {
  const labels = { grafana_dashboard: '1', team: 'contracts' }
  const maps = render('default', { dashboards: { enabled: true, labels } }).filter(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.labels['grafana_dashboard'] === '1',
  )
  expect(maps.map(({ metadata }) => metadata.labels['team'])).toEqual(DASHBOARDS.map(() => 'contracts'))
  const rendered = maps.flatMap(({ data = {} }) => Object.values(data).map((text) => JSON.parse(text) as unknown))
  const byUid = (all: unknown[]) =>
    all.toSorted((a, b) => (a as { uid: string }).uid.localeCompare((b as { uid: string }).uid))
  expect(byUid(rendered)).toEqual(
    byUid(DASHBOARDS.map((each) => JSON.parse(JSON.stringify(documentOf(each))) as unknown)),
  )
})
