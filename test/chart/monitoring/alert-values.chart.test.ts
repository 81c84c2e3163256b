// What the values change in the alerts: which there are, their thresholds, and where their texts and links lead. [H24]
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { VERSION } from '@paraph/protocol/version'
import { runTool } from '../chart-tools.js'
import { CHART, refusal } from '../rendered.js'
import { resolved, schema } from '../values-schema.js'
import { alertsOf, NAMESPACE, promtool, renderGroups, RUNBOOK_BASE_URL } from './rendered-alerts.js'

const DEFAULTS = renderGroups()
const namesOf = (groups: typeof DEFAULTS) => new Set(alertsOf(groups).map(({ alert }) => alert))

describe('alerts.disabled', () => {
  it('removes every rule of an alert, and a group that loses its last one', () => {
    const disabled = ['ParaphUsageNotRecorded', 'ParaphRequestsFail']
    const groups = renderGroups({ disabled })
    const left = namesOf(groups)
    expect([...namesOf(DEFAULTS)].filter((name) => !left.has(name)).toSorted()).toEqual(disabled.toSorted())
    expect(groups.map(({ name }) => name)).toEqual(
      DEFAULTS.map(({ name }) => name).filter((name) => name !== 'paraph-billing'),
    )
    return promtool(groups)
  })

  it('refuses an unknown name, and quotes it [H1]', () => {
    const alerts = {
      enabled: true,
      runbookBaseUrl: RUNBOOK_BASE_URL,
      disabled: ['ParaphUsageNotRecorded', 'ParaphNope'],
    }
    expect(refusal('default', { alerts })).toContain(
      'alerts.disabled names ParaphNope, which is no alert: remove it or correct it',
    )
  })
})

describe('alerts.thresholds', () => {
  const names = Object.keys(resolved(schema.properties['alerts']!.properties!['thresholds']!).properties!)
  const files = readdirSync(join(CHART, 'alerts')).map((file) => readFileSync(join(CHART, 'alerts', file), 'utf8'))
  const marks = files.flatMap((text) => [...text.matchAll(/([\d.]+) # thresholds\.(\w+)/g)])

  it('has the names that the alerts mark, each with one default, which the comment of the value repeats', () => {
    expect(new Set(marks.map(([, , name]) => name))).toEqual(new Set(names))
    const values = readFileSync(join(CHART, 'values.yaml'), 'utf8')
    for (const name of names) {
      const defaults = new Set(marks.filter(([, , each]) => each === name).map(([, value]) => value!))
      expect([name, defaults.size]).toEqual([name, 1])
      expect(values).toContain(`\`${name}\` (${[...defaults][0]}`)
    }
  })

  it.each(names)('%s changes one number of each rule that marks it, and nothing else', (name) => {
    const changed = renderGroups({ thresholds: { [name]: name.endsWith('Ratio') ? 0.5 : 7 } })
    const before = DEFAULTS.flatMap(({ rules }) => rules)
    const differing = changed.flatMap(({ rules }) => rules).filter((rule, at) => rule.expr !== before[at]!.expr)
    expect(differing).toHaveLength(marks.filter(([, , each]) => each === name).length)
    return promtool(changed)
  })

  it('accepts a number of the command line, which Helm makes a text', () => {
    const options = [
      '--set',
      `alerts.enabled=true,alerts.runbookBaseUrl=${RUNBOOK_BASE_URL},alerts.thresholds.authFailureRatio=0.35`,
    ]
    const file = join(CHART, 'ci/default-values.yaml')
    expect(runTool('helm', ['template', 'paraph', CHART, '-f', file, ...options]).stdout).toContain('> 0.35\n')
  })

  it('refuses an unknown name and a share above 1 [H1]', () => {
    expect(refusal('default', { alerts: { thresholds: { authFailure: 0.3 } } })).toContain("'authFailure'")
    expect(refusal('default', { alerts: { thresholds: { authFailureRatio: 20 } } })).toContain('schema')
  })
})

it('one alert names all services without their database, of this installation alone', () => {
  const rule = alertsOf(DEFAULTS).find(({ alert }) => alert === 'ParaphDatabaseDown')!
  const down = (namespace: string, service: string, up = 0) => ({
    series: `paraph_database_up{namespace="${namespace}",service_name="${service}",instance="${namespace}-${service}"}`,
    values: `${up}+0x60`,
  })
  const description =
    'For two minutes no process of these services has reached its database: contract, signing. Requests that need it get 503; background work waits.'
  return promtool(DEFAULTS, [
    {
      interval: '1m',
      input_series: [
        down(NAMESPACE, 'signing'),
        down(NAMESPACE, 'contract'),
        down(NAMESPACE, 'gateway', 1),
        down('other', 'gateway'),
      ],
      alert_rule_test: [
        {
          alertname: 'ParaphDatabaseDown',
          eval_time: '5m',
          exp_alerts: [{ exp_labels: { ...rule.labels }, exp_annotations: { ...rule.annotations, description } }],
        },
      ],
    },
  ])
})

describe('the runbooks', () => {
  /** The chart as a release packages it: with the address of the repository. */
  function renderReleased(options: readonly string[]): string {
    const copy = join(mkdtempSync(join(tmpdir(), 'paraph-chart-')), 'paraph')
    try {
      cpSync(CHART, copy, { recursive: true })
      appendFileSync(join(copy, 'Chart.yaml'), 'home: https://git.test/example/paraph\n')
      const file = join(CHART, 'ci/default-values.yaml')
      const { code, stdout, stderr } = runTool('helm', ['template', 'paraph', copy, '-f', file, ...options])
      if (code !== 0) throw new Error(stderr)
      return stdout
    } finally {
      rmSync(join(copy, '..'), { recursive: true, force: true })
    }
  }
  const ON = ['--set', 'alerts.enabled=true,dashboards.enabled=true']
  const RELEASED = `https://git.test/example/paraph/blob/v${VERSION}/docs/runbooks`

  it('of a released chart are those of the repository at its version, for alerts and dashboards', () => {
    const text = renderReleased(ON)
    expect(text).toContain(`runbook_url: ${RELEASED}/ParaphDatabaseDown.md`)
    expect(text).toContain(`"name": "runbooks", "type": "textbox", "query": "${RELEASED}"`)
  })

  it('are those of alerts.runbookBaseUrl if it is set', () => {
    const text = renderReleased([...ON, '--set', `alerts.runbookBaseUrl=${RUNBOOK_BASE_URL}`])
    expect(text).toContain(`runbook_url: ${RUNBOOK_BASE_URL}/ParaphDatabaseDown.md`)
    expect(text).not.toContain(RELEASED)
  })
})
