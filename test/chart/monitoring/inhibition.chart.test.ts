// The sample of Alertmanager: amtool accepts it, and a fault that fires several alerts sends the one that names the cause. [H24]
import { describe, expect, it } from '@jest/globals'
import { runTool } from '../chart-tools.js'
import type { Labels } from '../rendered.js'
import { IDLE } from './alert-cases.js'
import { FAULT_CASES, UNTIL, type FaultCase } from './fault-cases.js'
import { INHIBIT_RULES, isInhibited, matches, routeOf, SAMPLE, sentOf, type Firing } from './inhibition.js'
import { alertsOf, NAMESPACE, promtool, renderGroups, type PromtoolCase } from './rendered-alerts.js'

const groups = renderGroups()
const ALERTS = alertsOf(groups)
/** The labels of every alert by which a rule can select, without those of its series. */
const LABELS = ALERTS.map(({ alert, labels }): Labels => ({ alertname: alert, ...labels }))
const labelsOf = (name: string): readonly Labels[] => LABELS.filter(({ alertname }) => alertname === name)

const text = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join()

const firingOf = ({ alerts }: FaultCase): Firing[] =>
  alerts.map(({ alert, severity, of, from, to }) => ({
    labels: { alertname: alert, namespace: NAMESPACE, severity, ...of },
    from,
    to,
  }))

/** The case of promtool which holds that exactly these alerts fire, in every minute. */
const promtoolCase = (fault: FaultCase): PromtoolCase => ({
  interval: '1m',
  input_series: Object.entries({ ...IDLE, ...fault.series }).map(([name, values]) => ({
    series: name.replace('{', `{namespace="${NAMESPACE}",`),
    values,
  })),
  promql_expr_test: Array.from({ length: UNTIL + 1 }, (_, minute) => ({
    expr: 'ALERTS{alertstate="firing"}',
    eval_time: `${minute}m`,
    exp_samples: firingOf(fault)
      .filter(({ from, to }) => from <= minute && minute <= to)
      .map(({ labels }) => ({ labels: `ALERTS{alertstate="firing",${text(labels)}}`, value: 1 })),
  })),
})

describe.each(FAULT_CASES.map((each) => [each.fault, each] as const))('%s', (_, fault) => {
  it('fires these alerts, minute by minute', () => promtool(groups, [promtoolCase(fault)]), 180_000)

  it('pages once, and opens tickets only after the alert of the cause has ended', () => {
    const sent = sentOf(firingOf(fault))
    const namesAt = (receiver: string) => sent.filter((each) => each.receiver === receiver).map(({ name }) => name)
    expect(namesAt('paraph-pager')).toEqual(fault.pages)
    expect(namesAt('paraph-tickets')).toEqual(fault.tickets ?? [])
  })
})

describe('the sample of Alertmanager', () => {
  it('is accepted by amtool, with its routes', () => {
    expect(runTool('amtool', ['check-config', SAMPLE])).toMatchObject({ code: 0 })
    for (const labels of LABELS) {
      const routed = runTool('amtool', [
        'config',
        'routes',
        'test',
        `--config.file=${SAMPLE}`,
        ...text(labels).split(','),
      ])
      expect(routed.stdout.trim()).toBe(routeOf(labels).receiver)
    }
  })

  it('pages for a page and opens a ticket for a ticket', () => {
    const receiverOf: Labels = { page: 'paraph-pager', ticket: 'paraph-tickets' }
    for (const labels of LABELS) expect(routeOf(labels).receiver).toBe(receiverOf[labels['severity']!])
  })

  it('names only alerts that exist, and each rule has a source and a target', () => {
    const names = new Set(ALERTS.map(({ alert }) => alert))
    const matchers = JSON.stringify(INHIBIT_RULES).match(/Paraph[A-Z]\w+/g) ?? []
    expect(matchers.filter((name) => !names.has(name))).toEqual([])
    for (const rule of INHIBIT_RULES)
      for (const side of [rule.source_matchers, rule.target_matchers])
        expect(LABELS.filter((labels) => matches(labels, side))).not.toEqual([])
  })

  it('never silences another installation, a page for a ticket, or an alert about damage', () => {
    for (const source of LABELS)
      for (const target of LABELS) {
        expect(isInhibited({ ...target, namespace: 'other' }, [source])).toBe(false)
        if (source['severity'] === 'ticket') expect(isInhibited(target, [source])).toBe(false)
      }
    for (const name of ['ParaphDocumentDamaged', 'ParaphInvariantBroken', 'ParaphDatabaseDown', 'ParaphDeadLetters'])
      for (const target of labelsOf(name)) expect(isInhibited(target, LABELS)).toBe(false)
  })

  it('keeps the ticket of a certificate in the sandbox while that of production pages', () => {
    const ticket = { ...labelsOf('ParaphSealCertificateExpires')[1]!, severity: 'ticket' }
    const [page] = labelsOf('ParaphSealCertificateExpires').filter(({ severity }) => severity === 'page')
    const production = { paraph_environment: 'production' }
    expect(isInhibited({ ...ticket, ...production }, [{ ...page!, ...production }])).toBe(true)
    expect(isInhibited({ ...ticket, paraph_environment: 'sandbox' }, [{ ...page!, ...production }])).toBe(false)
  })

  it('has only causes that keep firing as long as the short windows of burn rates contain them', () => {
    const causes = INHIBIT_RULES.flatMap(({ source_matchers: [first] }) => first!.match(/Paraph[A-Z]\w+/g) ?? [])
    expect(new Set(causes).size).toBeGreaterThan(5)
    for (const rule of ALERTS)
      expect([rule.alert, rule.keep_firing_for]).toEqual([rule.alert, causes.includes(rule.alert) ? '30m' : undefined])
  })
})

it('an alert that matches both sides of a rule is not inhibited by another such alert, as Alertmanager does it', () => {
  const rule = { source_matchers: ['a =~ "x|y"'], target_matchers: ['a =~ "y|z"'], equal: ['n'] }
  expect(isInhibited({ a: 'z' }, [{ a: 'x' }], [rule])).toBe(true)
  expect(isInhibited({ a: 'y' }, [{ a: 'y' }], [rule])).toBe(false)
  expect(isInhibited({ a: 'y' }, [{ a: 'x' }], [rule])).toBe(true)
  expect(isInhibited({ a: 'z', n: '1' }, [{ a: 'x' }], [rule])).toBe(false)
})
