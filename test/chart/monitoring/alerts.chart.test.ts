// promtool checks the rendered alerts and evaluates them over synthetic series. [H24, H25]
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { ALERT_CASES, IDLE, type AlertCase } from './alert-cases.js'
import { blocksOf, RUNBOOK_PAGES } from '../../docs-in-sync/runbook-pages.js'
import { knownMetric, namesIn, selectorsIn } from './promql.js'
import {
  alertsOf,
  NAMESPACE,
  promtool,
  renderGroups,
  rulesBehind,
  RUNBOOK_BASE_URL,
  type PromtoolCase,
} from './rendered-alerts.js'

const RUNBOOKS = fileURLToPath(new URL('../../../docs/runbooks', import.meta.url))

const groups = renderGroups()

/** Jest runs five tests with promtool concurrently, which takes long on a busy machine. */
const TIMEOUT_MS = 180_000

/** Adds the namespace label to the series. */
const inputOf = (series: Readonly<Record<string, string>>, namespace: string) =>
  Object.entries(series).map(([name, values]) => ({ series: name.replace('{', `{namespace="${namespace}",`), values }))

const at = (moment: string, labels: string, fires: boolean) => ({
  expr: `(count(ALERTS{alertstate="firing"${labels}}) > bool 0) or vector(0)`,
  eval_time: moment,
  exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
})

/** The case and, if its alert fires, the same series in another installation, for which the alert must not fire. */
function promtoolCases({ alert, severity, series, firesAt = [], silentAt = [] }: AlertCase): PromtoolCase[] {
  const labels = `,alertname="${alert}",severity="${severity}"`
  return [
    {
      interval: '1m',
      input_series: inputOf({ ...IDLE, ...series }, NAMESPACE),
      promql_expr_test: [
        ...silentAt.map((moment) => at(moment, labels, false)),
        ...firesAt.map((moment) => at(moment, labels, true)),
      ],
    },
    {
      interval: '1m',
      input_series: [...inputOf(IDLE, NAMESPACE), ...inputOf(series, 'other')],
      promql_expr_test: firesAt.map((moment) => at(moment, labels, false)),
    },
  ].slice(0, firesAt.length > 0 ? 2 : 1)
}

/** The evaluation interval: longer for cases of many hours, because each evaluation takes time. */
const stepOf = ({ firesAt = [], silentAt = [] }: AlertCase): string =>
  [...firesAt, ...silentAt].some((moment) => parseInt(moment) > 120) ? '5m' : '1m'

/** Few evaluations are enough: whether an expression fails depends only on labels, and those of a series never change. */
const EVALUATION_MINUTES = 60

/** A promtool case that evaluates all rules over the series of an alert case, until the last moment of that case. */
function evaluationOf({ series, firesAt = [], silentAt = [] }: AlertCase): PromtoolCase {
  const lastMinute = Math.max(...[...firesAt, ...silentAt].map((moment) => parseInt(moment)))
  const last = Math.ceil(lastMinute / EVALUATION_MINUTES) * EVALUATION_MINUTES
  return {
    interval: '1m',
    input_series: [...inputOf({ ...IDLE, ...series }, NAMESPACE), ...inputOf(series, 'other')],
    promql_expr_test: [{ expr: 'vector(1)', eval_time: `${last}m`, exp_samples: [{ labels: '{}', value: 1 }] }],
  }
}

it('the chart renders a rule file that Prometheus accepts [H24]', () => promtool(groups))

it.concurrent.each(ALERT_CASES.map((each) => [each.alert, each.severity, each.scenario, each] as const))(
  '%s with severity %s fires only when it must, and never for another installation: %s [H25]',
  (alert, _severity, _scenario, each) => promtool(rulesBehind(groups, alert), promtoolCases(each), stepOf(each)),
  TIMEOUT_MS,
)

it.concurrent.each(groups.map((group) => [group.name, group] as const))(
  'the rule group %s evaluates without an error over the series of its alert cases [docs/runbooks]',
  (_, group) => {
    const alerts = new Set(alertsOf([group]).map(({ alert }) => alert))
    const evaluations = ALERT_CASES.filter(({ alert }) => alerts.has(alert)).map(evaluationOf)
    return promtool([group], evaluations, `${EVALUATION_MINUTES}m`)
  },
  TIMEOUT_MS,
)

it('an idle installation fires no alert [H25]', () =>
  promtool(
    groups,
    [
      {
        interval: '1m',
        input_series: inputOf(IDLE, NAMESPACE),
        promql_expr_test: ['5m', '60m', '480m'].map((moment) => at(moment, '', false)),
      },
    ],
    '5m',
  ))

it('only ParaphServiceSilent fires when there are no series', () =>
  promtool(groups, [
    {
      interval: '1m',
      input_series: [],
      promql_expr_test: [
        at('20m', ',alertname="ParaphServiceSilent"', true),
        at('20m', ',alertname!="ParaphServiceSilent"', false),
      ],
    },
  ]))

describe('two installations in one Prometheus [H24]', () => {
  it('do not suppress each other’s alerts', () =>
    promtool(groups, [
      {
        interval: '1m',
        input_series: inputOf(IDLE, 'other'),
        promql_expr_test: [at('20m', ',alertname="ParaphServiceSilent"', true)],
      },
    ]))

  it('are distinguished by a label of the collector if Prometheus does not scrape', () => {
    const collected = renderGroups({ matcher: 'k8s_namespace_name="paraph"' })
    expect(
      alertsOf(collected)
        .map(({ expr }) => expr)
        .join('\n'),
    ).not.toContain('installation=')
    const [{ expr } = { expr: '' }] = alertsOf(collected).filter(({ alert }) => alert === 'ParaphDeadLetters')
    expect(expr).toContain('k8s_namespace_name="paraph"')
    // The series of Kubernetes have the namespace label in either case.
    expect(alertsOf(collected).find(({ alert }) => alert === 'ParaphRestarts')?.expr).toContain(
      `namespace="${NAMESPACE}"`,
    )
  })
})

describe('every alert', () => {
  it('has a case in which it fires and a case in which it stays silent', () => {
    const uncovered = alertsOf(groups).filter(({ alert, labels }) => {
      const cases = ALERT_CASES.filter((each) => each.alert === alert && each.severity === labels['severity'])
      return !cases.some(({ firesAt }) => firesAt) || !cases.some(({ silentAt }) => silentAt)
    })
    expect(uncovered.map(({ alert, labels }) => `${alert} ${labels['severity']}`)).toEqual([])
  })

  it('has a summary and a description in sentences, and a known severity', () => {
    for (const { alert, labels, annotations } of alertsOf(groups)) {
      expectWithMessage(['page', 'ticket'], alert).toContain(labels['severity'])
      expectWithMessage(annotations?.['summary'], alert).toMatch(/^[A-Z].*[.]$/)
      expectWithMessage(annotations?.['description'], alert).toMatch(/^\S.*[.]$/s)
      expectWithMessage(annotations?.['summary'], alert).not.toContain('{{')
    }
  })

  it('has a runbook, and every runbook has an alert [H24]', () => {
    const files = readdirSync(RUNBOOKS).filter((name) => name !== 'README.md')
    const alerts = new Set(alertsOf(groups).map(({ alert }) => alert))
    expect(files.toSorted()).toEqual([...alerts].map((alert) => `${alert}.md`).toSorted())
    for (const { alert, annotations } of alertsOf(groups))
      expect(annotations?.['runbook_url']).toBe(`${RUNBOOK_BASE_URL}/${alert}.md`)
    expect(readFileSync(`${RUNBOOKS}/README.md`, 'utf8').match(/\]\(Paraph\w+\.md\)/g)?.length).toBe(alerts.size)
  })

  it('has the configured routing labels', () => {
    const routed = renderGroups({ ruleLabels: { team: 'contracts' } })
    for (const { alert, labels } of alertsOf(routed))
      expectWithMessage(labels, alert).toMatchObject({ team: 'contracts', namespace: NAMESPACE })
  })
})

it('Prometheus accepts every query of the runbooks', () =>
  promtool(
    RUNBOOK_PAGES.flatMap((page) =>
      blocksOf(page, 'promql').map((expr, at) => ({
        name: `${page.name}${at}`,
        rules: [{ record: 'query', expr, labels: { page: `${page.name}${at}` } }],
      })),
    ),
  ))

describe('every expression', () => {
  const expressions = () => groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))

  it('uses only metrics of the services or of Kubernetes [docs/runbooks]', () => {
    const recorded = new Set(groups.flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? [])))
    const unknown = expressions()
      .flatMap(selectorsIn)
      .filter(({ name }) => !knownMetric(name) && !recorded.has(name))
    expect(unknown.map(({ name }) => name)).toEqual([])
    // A metric without braces would not be limited to one installation.
    expect(expressions().flatMap(namesIn)).toEqual([])
  })

  it('uses only labels that its metrics have', () => {
    const unknown = expressions()
      .flatMap(selectorsIn)
      .flatMap(({ name, labels }) =>
        labels.filter((label) => !(knownMetric(name)?.has(label) ?? true)).map((label) => `${name} ${label}`),
      )
    expect(unknown).toEqual([])
  })

  it('is limited to one installation', () => {
    expect(
      expressions()
        .flatMap(selectorsIn)
        .filter(({ text }) => !text.includes(`namespace="${NAMESPACE}"`)),
    ).toEqual([])
  })
})
