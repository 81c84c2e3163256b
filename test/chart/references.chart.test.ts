// Whatever a value enables or disables, no rendered object refers to a missing object. [H32]
import { describe, expect, it } from '@jest/globals'
import {
  CI_VALUES,
  COMPONENTS,
  chartValues,
  ciValues,
  environmentOf,
  ofKind,
  podsOf,
  render,
  type Labels,
  type Manifest,
  type Values,
} from './rendered.js'

const isSubset = (part: Labels, whole: Labels): boolean =>
  Object.entries(part).every(([name, value]) => whole[name] === value)

/** References to missing objects, as text. @param external names of Secrets and ConfigMaps that exist by the values */
function danglingReferences(manifests: readonly Manifest[], external: ReadonlySet<string>): string[] {
  const names = (kind: string) => new Set(ofKind(manifests, kind).map(({ metadata }) => metadata.name))
  const pods = podsOf(manifests)
  const services = ofKind(manifests, 'Service')
  const missing: string[] = []
  const need = (exists: boolean, reference: string): void => void (exists || missing.push(reference))
  const serves = (name: string, port: string | number): boolean =>
    services.some(
      ({ metadata, spec }) =>
        metadata.name === name &&
        spec.ports.some((each: { name: string; port: number }) => each.name === port || each.port === port),
    )

  for (const pod of pods) {
    need(
      [...names('ServiceAccount'), 'default'].includes(pod.spec.serviceAccountName),
      `${pod.of}: account ${pod.spec.serviceAccountName}`,
    )
    for (const { name, valueFrom, value } of environmentOf(pod).values()) {
      const secret = valueFrom?.secretKeyRef
      if (secret) need(external.has(secret.name) && secret.key !== '', `${pod.of}: ${name} from Secret ${secret.name}`)
      const [, host, port] = /^http:\/\/(paraph-[\w-]+):(\d+)$/.exec(value ?? '') ?? []
      if (host) need(serves(host, Number(port)), `${pod.of}: ${name} is ${value}`)
    }
    const volumes = new Set(pod.spec.volumes.map(({ name }) => name))
    for (const { name } of pod.container.volumeMounts) need(volumes.has(name), `${pod.of}: volume ${name}`)
    for (const { configMap, secret } of pod.spec.volumes) {
      if (configMap)
        need(
          names('ConfigMap').has(configMap.name) || external.has(configMap.name),
          `${pod.of}: ConfigMap ${configMap.name}`,
        )
      if (secret) need(external.has(secret.secretName), `${pod.of}: Secret ${secret.secretName}`)
    }
  }
  const containerPorts = (selector: Labels): string[] =>
    pods
      .filter(({ labels }) => isSubset(selector, labels))
      .flatMap(({ container }) => container.ports ?? [])
      .map(({ name }) => name)
  for (const { metadata, spec } of services)
    for (const { targetPort } of spec.ports)
      need(containerPorts(spec.selector).includes(targetPort), `Service ${metadata.name}: port ${targetPort}`)
  for (const { metadata, spec } of ofKind(manifests, 'PodMonitor'))
    for (const { port } of spec.podMetricsEndpoints)
      need(containerPorts(spec.selector.matchLabels).includes(port), `PodMonitor ${metadata.name}: port ${port}`)
  for (const { metadata, spec } of ofKind(manifests, 'HorizontalPodAutoscaler'))
    need(names('Deployment').has(spec.scaleTargetRef.name), `Autoscaler ${metadata.name}`)
  for (const { metadata, spec } of ofKind(manifests, 'PodDisruptionBudget'))
    need(
      pods.some(({ labels }) => isSubset(spec.selector.matchLabels, labels)),
      `Budget ${metadata.name}`,
    )
  for (const { metadata, spec } of ofKind(manifests, 'Ingress')) {
    for (const { http } of spec.rules)
      for (const { backend } of http.paths)
        need(serves(backend.service.name, backend.service.port.name), `Ingress ${metadata.name}`)
    for (const { secretName } of spec.tls ?? [])
      need(external.has(secretName), `Ingress ${metadata.name}: ${secretName}`)
  }
  for (const { metadata, spec } of ofKind(manifests, 'HTTPRoute'))
    for (const { backendRefs } of spec.rules)
      for (const { name, port } of backendRefs) need(serves(name, port), `HTTPRoute ${metadata.name}`)
  for (const { metadata, spec } of ofKind(manifests, 'NetworkPolicy')) {
    need(
      pods.some(({ labels }) => isSubset(spec.podSelector.matchLabels, labels)),
      `Policy ${metadata.name}`,
    )
    for (const { podSelector } of [...(spec.egress ?? [])].flatMap(({ to = [] }) => to))
      if (podSelector?.matchLabels['app.kubernetes.io/component'])
        need(
          pods.some(({ labels }) => isSubset(podSelector.matchLabels, labels)),
          `Policy ${metadata.name}: egress peer`,
        )
  }
  return missing
}

const TREES = chartValues()
/** Names of external objects: those of `paraph secrets make`, the Secret of the topics, and those that files of ci/ name. */
const EXTERNAL = new Set([
  ...[...COMPONENTS, 'owners', 'topics', 'verify'].map((name) => `paraph-${name}`),
  'gateway-pooler',
  'gateway-kafka',
  'collector-headers',
  'kafka-ca',
  'company-ca',
  'postgres-client',
  'sign-example-com-tls',
])

it.each(CI_VALUES)('the manifests of %s refer only to existing objects [H32]', (ci) => {
  expect(danglingReferences(render(ci), EXTERNAL)).toEqual([])
})

/** Paths of all boolean values. */
const switches = (tree: unknown, path: string[] = []): string[][] =>
  typeof tree === 'boolean'
    ? [path]
    : typeof tree === 'object' && tree !== null && !Array.isArray(tree)
      ? Object.entries(tree).flatMap(([name, value]) => switches(value, [...path, name]))
      : []
const nest = (path: readonly string[], value: unknown): Values =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Values

const valueAt = (tree: unknown, path: readonly string[]): unknown =>
  path.reduce((inner, name) => (inner as Values)[name], tree)

/** Values that must change together with a switch. */
const WITH: Readonly<Record<string, Values>> = {
  'alerts.enabled': { alerts: { runbookBaseUrl: 'https://runbooks.example' } },
  'httpRoute.enabled': { ingress: { enabled: false }, httpRoute: { parentRefs: [{ name: 'public' }] } },
  'ingress.enabled': { httpRoute: { enabled: false } },
  'telemetry.metrics.enabled': { telemetry: { metrics: { podMonitor: { enabled: false } } } },
  'telemetry.metrics.podMonitor.enabled': { networkPolicy: { prometheusFrom: [{ podSelector: {} }] } },
  'telemetry.otlp.metrics': { telemetry: { otlp: { endpoint: 'http://collector:4318' } } },
}
const merged = (one: Values, other: Values): Values =>
  Object.fromEntries(
    [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) => {
      const [a, b] = [one[name], other[name]]
      return [name, typeof a === 'object' && typeof b === 'object' ? merged(a as Values, b as Values) : (b ?? a)]
    }),
  )

describe('the chart with one changed switch', () => {
  const SWITCHES = switches(TREES)

  it.each(
    ['default', 'everything-on'].flatMap((ci) =>
      SWITCHES.map((path) => [ci, path.join('.'), !valueAt(merged(TREES, ciValues(ci)), path)] as const),
    ),
  )('in the values %s, %s = %j, refers only to existing objects [H32]', (ci, path, to) => {
    const values = merged(WITH[path] ?? {}, nest(path.split('.'), to))
    expect(danglingReferences(render(ci, values), EXTERNAL)).toEqual([])
  })
})
