// The alerts as the chart renders them, and runs of promtool over them.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pathOf, TOOL_ENVIRONMENT } from '../chart-tools.js'
import { render, type Labels, type Values } from '../rendered.js'

const run = promisify(execFile)

export interface Rule {
  alert?: string
  record?: string
  expr: string
  for?: string
  keep_firing_for?: string
  labels: Readonly<Record<string, string>>
  annotations?: Readonly<Record<string, string>>
}
export interface Group {
  name: string
  rules: Rule[]
}
/** The namespace of the rendered release. */
export const NAMESPACE = 'signing'

export const RUNBOOK_BASE_URL = 'https://runbooks.example'

/** The groups of the PrometheusRule. @param alerts values below `alerts` */
export function renderGroups(alerts: Values = {}): Group[] {
  const values = { alerts: { enabled: true, runbookBaseUrl: RUNBOOK_BASE_URL, ...alerts } }
  const rule = render('default', values).find(({ kind }) => kind === 'PrometheusRule')
  return (rule!.spec as { groups: Group[] }).groups
}

export const alertsOf = (groups: readonly Group[]) =>
  groups.flatMap(({ rules }) =>
    rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }])),
  )

/** The rules of an alert and the recording rules that they need, so that promtool evaluates no other rule of the group. */
export function rulesBehind(groups: readonly Group[], alert: string): Group[] {
  const all = groups.flatMap(({ rules }) => rules)
  const needed = new Set(all.filter((rule) => rule.alert === alert))
  // The loop also visits the rules that it adds.
  for (const { expr } of needed)
    for (const rule of all) if (rule.record !== undefined && expr.includes(rule.record)) needed.add(rule)
  return groups
    .map(({ name, rules }) => ({ name, rules: rules.filter((rule) => needed.has(rule)) }))
    .filter(({ rules }) => rules.length > 0)
}

/** A test case of promtool: series, and expressions with their expected samples at given times. */
export interface PromtoolCase {
  interval: string
  input_series: { series: string; values: string }[]
  promql_expr_test?: { expr: string; eval_time: string; exp_samples: { labels: string; value: number }[] }[]
  /** The texts of an alert at a time. */
  alert_rule_test?: {
    alertname: string
    eval_time: string
    exp_alerts: { exp_labels: Labels; exp_annotations: Labels }[]
  }[]
}

/**
 * Runs promtool on `groups` as a rule file.
 * @param every evaluation interval, of which evaluation times must be multiples
 * @throws Error with the output of promtool if a case fails
 */
export async function promtool(groups: readonly Group[], cases?: readonly PromtoolCase[], every = '1m'): Promise<void> {
  const command = pathOf('promtool') ?? 'promtool'
  const options = { env: TOOL_ENVIRONMENT }
  const folder = await mkdtemp(join(tmpdir(), 'paraph-rules-'))
  try {
    // promtool reads YAML, which includes JSON.
    const rules = join(folder, 'rules.json')
    await writeFile(rules, JSON.stringify({ groups }))
    if (!cases) return void (await run(command, ['check', 'rules', '--lint=all', '--lint-fatal', rules], options))
    const tests = join(folder, 'tests.json')
    await writeFile(tests, JSON.stringify({ rule_files: [rules], evaluation_interval: every, tests: cases }))
    await run(command, ['test', 'rules', tests], options)
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`promtool:\n${stdout}${stderr}` || String(error), { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
