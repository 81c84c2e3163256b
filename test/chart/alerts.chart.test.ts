// The alerts as the chart renders them: promtool checks and runs them over synthetic series. [H24, H25, B.5]
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ALERT_CASES, QUIET, type AlertCase } from './alert-cases.js'
import { blocksOf, RUNBOOK_PAGES } from '../runbook-pages.js'
import { knownMetric, namesIn, selectorsIn } from './promql.js'
import { alertsOf, NAMESPACE, promtool, renderGroups, rulesBehind, type PromtoolCase } from './rendered-alerts.js'

const RUNBOOKS = fileURLToPath(new URL('../../docs/runbooks', import.meta.url))

const groups = renderGroups()

/** Five of them run at once, and a busy machine takes its time. */
const MS_MAX = 180_000

/** With what a quiet installation tells, unless the case says otherwise of a series. */
const inputOf = (series: Readonly<Record<string, string>>, namespace: string) =>
  Object.entries(series).map(([name, values]) => ({
    series: name.replace('{', `{namespace="${namespace}",`),
    values,
  }))

const at = (moment: string, labels: string, fires: boolean) => ({
  expr: `(count(ALERTS{alertstate="firing"${labels}}) > bool 0) or vector(0)`,
  eval_time: moment,
  exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
})

/** The case itself and, where it fires, the same fault in a neighbour, for whom nobody is called. */
function promtoolCases({ alert, severity, series, firesAt = [], silentAt = [] }: AlertCase): PromtoolCase[] {
  const labels = `,alertname="${alert}",severity="${severity}"`
  return [
    {
      interval: '1m',
      input_series: inputOf({ ...QUIET, ...series }, NAMESPACE),
      promql_expr_test: [
        ...silentAt.map((moment) => at(moment, labels, false)),
        ...firesAt.map((moment) => at(moment, labels, true)),
      ],
    },
    {
      interval: '1m',
      input_series: [...inputOf(QUIET, NAMESPACE), ...inputOf(series, 'other')],
      promql_expr_test: firesAt.map((moment) => at(moment, labels, false)),
    },
  ].slice(0, firesAt.length > 0 ? 2 : 1)
}

/** Cases of many hours are looked at less often: it is what they cost. */
const stepOf = ({ firesAt = [], silentAt = [] }: AlertCase): string =>
  [...firesAt, ...silentAt].some((moment) => parseInt(moment) > 120) ? '5m' : '1m'

/** Labels decide whether an expression can be computed, and series keep theirs: few looks are enough. */
const STEP_OF_LOOKS_MINUTES = 60

/** What all rules of a group are computed for: the series of a case, until its last moment. */
function looksAt({ series, firesAt = [], silentAt = [] }: AlertCase): PromtoolCase {
  const lastMinute = Math.max(...[...firesAt, ...silentAt].map((moment) => parseInt(moment)))
  const last = Math.ceil(lastMinute / STEP_OF_LOOKS_MINUTES) * STEP_OF_LOOKS_MINUTES
  return {
    interval: '1m',
    input_series: [...inputOf({ ...QUIET, ...series }, NAMESPACE), ...inputOf(series, 'other')],
    promql_expr_test: [{ expr: 'vector(1)', eval_time: `${last}m`, exp_samples: [{ labels: '{}', value: 1 }] }],
  }
}

it('is a file of rules that Prometheus takes [H24]', () => promtool(groups))

it.concurrent.each(ALERT_CASES.map((each) => [each.alert, each.severity, each.what, each] as const))(
  '%s calls by %s, or does not, and for no neighbour: %s [B.5, H25]',
  (alert, _severity, _what, each) => promtool(rulesBehind(groups, alert), promtoolCases(each), stepOf(each)),
  MS_MAX,
)

it.concurrent.each(groups.map((group) => [group.name, group] as const))(
  '%s has no rule that cannot be computed over what its alerts are tried with [B.5]',
  (_, group) => {
    const alerts = new Set(alertsOf([group]).map(({ alert }) => alert))
    const looks = ALERT_CASES.filter(({ alert }) => alerts.has(alert)).map(looksAt)
    return promtool([group], looks, `${STEP_OF_LOOKS_MINUTES}m`)
  },
  MS_MAX,
)

it('calls nobody when nobody does anything [H25]', () =>
  promtool(
    groups,
    [
      {
        interval: '1m',
        input_series: inputOf(QUIET, NAMESPACE),
        promql_expr_test: ['5m', '60m', '480m'].map((moment) => at(moment, '', false)),
      },
    ],
    '5m',
  ))

it('says that nothing is heard, and nothing else, where there is nothing', () =>
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

describe('two installations that one Prometheus watches [H24]', () => {
  it('do not speak for each other', () =>
    promtool(groups, [
      {
        interval: '1m',
        input_series: inputOf(QUIET, 'other'),
        promql_expr_test: [at('20m', ',alertname="ParaphServiceSilent"', true)],
      },
    ]))

  it('are told apart by what a collector says where nobody scrapes', () => {
    const collected = renderGroups({ matcher: 'k8s_namespace_name="paraph"' })
    expect(
      alertsOf(collected)
        .map(({ expr }) => expr)
        .join('\n'),
    ).not.toContain('installation=')
    const [{ expr } = { expr: '' }] = alertsOf(collected).filter(({ alert }) => alert === 'ParaphDeadLetters')
    expect(expr).toContain('k8s_namespace_name="paraph"')
    // Kubernetes' own series have their namespace all the same.
    expect(alertsOf(collected).find(({ alert }) => alert === 'ParaphRestarts')?.expr).toContain(
      `namespace="${NAMESPACE}"`,
    )
  })
})

describe('every alert', () => {
  it('is shown to fire, and to be silent', () => {
    const lacking = alertsOf(groups).filter(({ alert, labels }) => {
      const cases = ALERT_CASES.filter((each) => each.alert === alert && each.severity === labels['severity'])
      return !cases.some(({ firesAt }) => firesAt) || !cases.some(({ silentAt }) => silentAt)
    })
    expect(lacking.map(({ alert, labels }) => `${alert} ${labels['severity']}`)).toEqual([])
  })

  it('says in sentences what is the matter, and whether somebody is woken', () => {
    for (const { alert, labels, annotations } of alertsOf(groups)) {
      expect(['page', 'ticket'], alert).toContain(labels['severity'])
      expect(annotations?.['summary'], alert).toMatch(/^[A-Z].*[.]$/)
      expect(annotations?.['description'], alert).toMatch(/^\S.*[.]$/s)
      expect(annotations?.['summary'], alert).not.toContain('{{')
    }
  })

  it('has a runbook, and every runbook an alert [H24]', () => {
    const files = readdirSync(RUNBOOKS).filter((name) => name !== 'README.md')
    const alerts = new Set(alertsOf(groups).map(({ alert }) => alert))
    expect(files.toSorted()).toEqual([...alerts].map((alert) => `${alert}.md`).toSorted())
    const based = renderGroups({ runbookBaseUrl: 'https://runbooks.example' })
    for (const { alert, annotations } of alertsOf(based))
      expect(annotations?.['runbook_url']).toBe(`https://runbooks.example/${alert}.md`)
    expect(readFileSync(`${RUNBOOKS}/README.md`, 'utf8').match(/\]\(Paraph\w+\.md\)/g)?.length).toBe(alerts.size)
  })

  it('carries the labels that its operator routes by', () => {
    const routed = renderGroups({ ruleLabels: { team: 'contracts' } })
    for (const { alert, labels } of alertsOf(routed))
      expect(labels, alert).toMatchObject({ team: 'contracts', namespace: NAMESPACE })
  })
})

it('takes every query of a runbook', () =>
  promtool(
    RUNBOOK_PAGES.flatMap((page) =>
      blocksOf(page, 'promql').map((expr, at) => ({
        name: `${page.name}${at}`,
        rules: [{ record: 'asked', expr, labels: { page: `${page.name}${at}` } }],
      })),
    ),
  ))

describe('every expression', () => {
  const expressions = () => groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))

  it('asks for metrics that the services tell, or that Kubernetes does [B.5]', () => {
    const recorded = new Set(groups.flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? [])))
    const unknown = expressions()
      .flatMap(selectorsIn)
      .filter(({ name }) => !knownMetric(name) && !recorded.has(name))
    expect(unknown.map(({ name }) => name)).toEqual([])
    // Nothing is asked for without its braces, and so without its installation.
    expect(expressions().flatMap(namesIn)).toEqual([])
  })

  it('asks for labels that they have', () => {
    const unknown = expressions()
      .flatMap(selectorsIn)
      .flatMap(({ name, labels }) =>
        labels.filter((label) => !(knownMetric(name)?.has(label) ?? true)).map((label) => `${name} ${label}`),
      )
    expect(unknown).toEqual([])
  })

  it('asks for one installation', () => {
    expect(
      expressions()
        .flatMap(selectorsIn)
        .filter(({ text }) => !text.includes(`namespace="${NAMESPACE}"`)),
    ).toEqual([])
  })
})
