// Finds the series that a PromQL expression selects, and lists the existing metrics. Pure. Does not own: checking the syntax (promtool).
import { LIBRARY_METRICS, METRICS, prometheusName, type Metric } from '@paraph/telemetry/metric-list'

export interface Selector {
  name: string
  labels: string[]
  text: string
}

const SELECTOR = /([a-zA-Z_:][\w:]*)\{((?:[^{}"]|"(?:[^"\\]|\\.)*")*)\}/g
const MATCHER = /(\w+)\s*(?:=~|!~|!=|=)\s*"(?:[^"\\]|\\.)*"/g
/** Keywords and functions of PromQL that our expressions use. */
const KEYWORDS = new Set(
  'sum min max avg count by on and or unless bool rate increase absent histogram_quantile min_over_time max_over_time last_over_time vector clamp_min topk label_values ignoring group_left without offset time'.split(
    ' ',
  ),
)
/** Labels that Kubernetes and Prometheus add to every target. */
const TARGET_LABELS = ['namespace', 'instance', 'job', 'pod', 'container', 'service_name']
const FOREIGN_METRICS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  kube_cronjob_created: ['cronjob'],
  kube_cronjob_status_last_successful_time: ['cronjob'],
  kube_job_created: ['job_name'],
  kube_job_failed: ['job_name', 'condition'],
  kube_pod_container_status_restarts_total: [],
}

const labelOf = (attribute: string): string => attribute.replaceAll(/[^A-Za-z0-9]/g, '_')

const KNOWN = new Map<string, ReadonlySet<string>>([
  ...Object.entries(FOREIGN_METRICS).map(([name, labels]) => [name, new Set([...TARGET_LABELS, ...labels])] as const),
  ...Object.entries<Metric>({ ...METRICS, ...LIBRARY_METRICS }).flatMap(([name, metric]) => {
    const labels = [...TARGET_LABELS, ...Object.keys(metric.attributes).map(labelOf)]
    const inPrometheus = prometheusName(name, metric)
    if (metric.kind !== 'histogram') return [[inPrometheus, new Set(labels)] as const]
    return ['_bucket', '_sum', '_count'].map(
      (suffix) => [`${inPrometheus}${suffix}`, new Set(suffix === '_bucket' ? [...labels, 'le'] : labels)] as const,
    )
  }),
])

/** The labels that a series of this name can have; undefined if the metric does not exist. */
export const knownMetric = (name: string): ReadonlySet<string> | undefined => KNOWN.get(name)

/** Every selector `name{…}` of an expression. */
export const selectorsIn = (expression: string): Selector[] =>
  [...expression.matchAll(SELECTOR)].map(([text, name, matchers]) => ({
    name: name!,
    labels: [...matchers!.matchAll(MATCHER)].map(([, label]) => label!),
    text,
  }))

/** The names in an expression that have no braces and are not PromQL keywords. */
export const namesIn = (expression: string): string[] =>
  (
    expression
      .replaceAll(SELECTOR, ' ')
      .replaceAll(/"(?:[^"\\]|\\.)*"/g, ' ')
      .replaceAll(/\[[^\]]*\]/g, ' ')
      .replaceAll(/\b(by|on|without|ignoring)\s*\([^)]*\)/g, ' ')
      .match(/[a-zA-Z_:][\w:]*/g) ?? []
  ).filter((word) => !KEYWORDS.has(word))
