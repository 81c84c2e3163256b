// Which alerts Alertmanager sends with the sample of the chart: its routes, matchers and inhibit rules, as Alertmanager documents them. Pure
// except for reading the file. amtool checks the file and its routes; it has no dry run of inhibition.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CHART, type Labels } from '../rendered.js'

export const SAMPLE = join(CHART, 'files/alertmanager.yaml')

export interface InhibitRule {
  source_matchers: string[]
  target_matchers: string[]
  equal: string[]
}
interface Route {
  receiver?: string
  matchers?: string[]
  group_wait?: string
  routes?: Route[]
}
export const { route: ROUTE, inhibit_rules: INHIBIT_RULES } = parse(readFileSync(SAMPLE, 'utf8')) as {
  route: Route
  inhibit_rules: InhibitRule[]
}

/** True if all matchers fit. A missing label is empty, and a regular expression covers the whole value. */
export const matches = (labels: Labels, matchers: readonly string[] = []): boolean =>
  matchers.every((matcher) => {
    const [, name, operator, value] = /^(\w+) (=|!=|=~|!~) "(.*)"$/.exec(matcher) ?? []
    if (name === undefined) throw new Error(`Not a matcher: ${matcher}`)
    const own = labels[name] ?? ''
    const fits = operator!.endsWith('~') ? new RegExp(`^(?:${value!})$`).test(own) : own === value
    return operator!.startsWith('!') ? !fits : fits
  })

/** True if a firing alert inhibits `target`. An alert that matches both sides of a rule is not inhibited by another such alert. */
export const isInhibited = (target: Labels, firing: readonly Labels[], rules = INHIBIT_RULES): boolean =>
  rules.some(
    (rule) =>
      matches(target, rule.target_matchers) &&
      firing.some(
        (source) =>
          matches(source, rule.source_matchers) &&
          rule.equal.every((name) => (source[name] ?? '') === (target[name] ?? '')) &&
          !(matches(target, rule.source_matchers) && matches(source, rule.target_matchers)),
      ),
  )

/** The first child that matches decides, at every level; what it does not set comes from its parent. */
export function routeOf(labels: Labels, route: Route = ROUTE): { receiver: string; waitMinutes: number } {
  const child = route.routes?.find(({ matchers }) => matches(labels, matchers))
  if (child) return routeOf(labels, { ...route, routes: [], ...child })
  const [, amount, unit] = /^(\d+)([sm])$/.exec(route.group_wait!)!
  return { receiver: route.receiver!, waitMinutes: Number(amount) / (unit === 's' ? 60 : 1) }
}

/** An alert that fires from one minute to another, both included. */
export interface Firing {
  labels: Labels
  from: number
  to: number
}

/** The alerts that are sent, in order: each whose group has waited long enough in a minute in which it fires and nothing inhibits it. */
export function sentOf(alerts: readonly Firing[]): { name: string; receiver: string }[] {
  return alerts
    .flatMap(({ labels, from, to }) => {
      const { receiver, waitMinutes } = routeOf(labels)
      for (let minute = Math.ceil(from + waitMinutes); minute <= to; minute++) {
        const firing = alerts.filter((each) => each.from <= minute && minute <= each.to).map((each) => each.labels)
        if (!isInhibited(labels, firing)) return [{ name: labels['alertname']!, receiver, minute }]
      }
      return []
    })
    .toSorted((one, other) => one.minute - other.minute)
    .map(({ name, receiver }) => ({ name, receiver }))
}
