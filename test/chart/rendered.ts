// Renders of the chart by `helm template`, cached for each choice of values, and queries over their objects. Contains no assertions.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { runTool, type Ran } from './chart-tools.js'

export const CHART = fileURLToPath(new URL('../../charts/paraph', import.meta.url))
/** The files of ci/, by name: `default`, `everything-on` … */
export const CI_VALUES = readdirSync(join(CHART, 'ci')).map((file) => file.replace('-values.yaml', ''))
export const COMPONENTS = ['contract', 'gateway', 'notification', 'signing'] as const
export type Component = (typeof COMPONENTS)[number]

export type Labels = Readonly<Record<string, string>>
export interface Variable {
  name: string
  value?: string
  valueFrom?: { secretKeyRef?: { name: string; key: string }; fieldRef?: { fieldPath: string } }
}
interface Probe {
  httpGet: { path: string; port: string }
  periodSeconds: number
  failureThreshold: number
}
export interface Container {
  name: string
  image: string
  args: string[]
  command?: string[]
  env: Variable[]
  envFrom?: object[]
  ports?: { name: string; containerPort: number }[]
  resources: { requests: Record<string, string>; limits: Record<string, string> }
  restartPolicy?: string
  securityContext: Record<string, unknown>
  volumeMounts: { name: string; mountPath: string }[]
  startupProbe: Probe
  livenessProbe: Probe
  readinessProbe: Probe
  lifecycle?: { preStop: object }
}
export interface PodSpec {
  serviceAccountName: string
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  imagePullSecrets?: { name: string }[]
  securityContext: Record<string, unknown>
  terminationGracePeriodSeconds?: number
  topologySpreadConstraints?: { topologyKey: string; whenUnsatisfiable: string; matchLabelKeys: string[] }[]
  initContainers?: Container[]
  containers: Container[]
  volumes: {
    name: string
    emptyDir?: object
    configMap?: { name: string }
    secret?: { secretName: string }
    projected?: { sources: { secret: { name: string; items: { key: string; path: string }[] } }[] }
  }[]
}
/** A Kubernetes object; `spec` is untyped. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Labels; annotations?: Labels }
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- every kind has its own
  spec: any
  data?: Record<string, string>
  automountServiceAccountToken?: boolean
}

/** A tree of values that overrides a file of ci/. */
export type Values = Readonly<Record<string, unknown>>

const results = new Map<string, Ran>()

/** The result of `helm template`, even if it failed. Renders each choice of values once. @param release name of the release */
export function template(ci: string, values: Values = {}, release = 'paraph'): Ran {
  const choice = JSON.stringify([ci, values, release])
  let result = results.get(choice)
  if (!result) {
    const files = ['-f', join(CHART, 'ci', `${ci}-values.yaml`), '-f', '-']
    result = runTool('helm', ['template', release, CHART, '--namespace', 'signing', ...files], JSON.stringify(values))
    results.set(choice, result)
  }
  return result
}

/** The text of a render. @throws Error with helm's message */
export function renderText(ci: string, values?: Values): string {
  const { code, stdout, stderr } = template(ci, values)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

const rendered = new Map<string, readonly Manifest[]>()

/** The objects of a render. @throws Error with helm's message */
export function render(ci: string, values: Values = {}): readonly Manifest[] {
  const choice = JSON.stringify([ci, values])
  let manifests = rendered.get(choice)
  if (!manifests) rendered.set(choice, (manifests = manifestsOf(renderText(ci, values))))
  return manifests
}

/** The objects of a YAML text. */
export const manifestsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => (document.contents === null ? [] : [document.toJS() as Manifest]))

/** The objects that `helm template` renders with options such as `--set`. @throws Error with helm's message */
export function runHelmTemplate(ci: string, options: readonly string[]): readonly Manifest[] {
  const file = join(CHART, 'ci', `${ci}-values.yaml`)
  const { code, stdout, stderr } = runTool('helm', ['template', 'paraph', CHART, '-f', file, ...options])
  if (code !== 0) throw new Error(stderr)
  return manifestsOf(stdout)
}

/** What helm prints after an install. */
export const notes = (ci: string, values: Values = {}): string =>
  notesOf(CHART, ['-f', join(CHART, 'ci', `${ci}-values.yaml`), '-f', '-'], JSON.stringify(values))

/**
 * What helm prints after an install of a chart. `helm template` leaves NOTES.txt out, so a copy of the chart renders it into a ConfigMap.
 * @param options of `helm template`, for a release `paraph` @param input its standard input
 */
export function notesOf(chart: string, options: readonly string[], input?: string): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'paraph-chart-')), 'chart')
  try {
    cpSync(chart, copy, { recursive: true })
    const text = readFileSync(join(copy, 'templates/NOTES.txt'), 'utf8')
    const manifest =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: notes }\ndata:\n  text: {{ include "notes" . | quote }}\n'
    writeFileSync(join(copy, 'templates/notes.yaml'), `{{- define "notes" }}${text}{{ end -}}\n${manifest}`)
    const only = ['--show-only', 'templates/notes.yaml']
    const { code, stdout, stderr } = runTool('helm', ['template', 'paraph', copy, ...options, ...only], input)
    if (code !== 0) throw new Error(stderr)
    return manifestsOf(stdout)[0]!.data!['text']!
  } finally {
    rmSync(join(copy, '..'), { recursive: true, force: true })
  }
}

/** The error message of helm, on one line. @throws Error if helm renders the values */
export function refusal(ci: string, values: Values): string {
  const { code, stderr } = template(ci, values)
  if (code === 0) throw new Error('helm rendered the values.')
  return stderr.replaceAll(/\s+/g, ' ')
}

export const ofKind = (manifests: readonly Manifest[], kind: string): Manifest[] =>
  manifests.filter((manifest) => manifest.kind === kind)

export const componentOf = ({ metadata }: Manifest): string | undefined =>
  metadata.labels['app.kubernetes.io/component']

/** @throws Error if no such object was rendered */
export function findFor(manifests: readonly Manifest[], kind: string, component: string): Manifest {
  const found = ofKind(manifests, kind).find((manifest) => componentOf(manifest) === component)
  if (!found) throw new Error(`No ${kind} of ${component} was rendered.`)
  return found
}

export interface Pod {
  /** Kind and name, such as `Deployment/paraph-gateway`. */
  of: string
  component: string
  labels: Labels
  spec: PodSpec
  container: Container
}

/** One pod for each object that creates pods. */
export function podsOf(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((manifest): Pod[] => {
    const { kind, metadata, spec } = manifest
    const template = podTemplateOf(kind, metadata, spec)
    if (!template) return []
    const labels = template.metadata.labels
    const component = labels['app.kubernetes.io/component']!
    const of = `${kind}/${metadata.name}`
    return [{ of, component, labels, spec: template.spec, container: template.spec.containers[0]! }]
  })
}

interface Template {
  metadata: { labels: Labels; annotations?: Labels }
  spec: PodSpec
}
function podTemplateOf(kind: string, metadata: Manifest['metadata'], spec: Manifest['spec']): Template | undefined {
  switch (kind) {
    case 'Deployment':
    case 'StatefulSet':
    case 'Job':
      return (spec as { template: Template }).template
    case 'CronJob':
      return (spec as { jobTemplate: { spec: { template: Template } } }).jobTemplate.spec.template
    case 'Pod':
      return { metadata, spec: spec as PodSpec }
    default:
      return undefined
  }
}

/** The pod of a service. @throws Error if no such pod was rendered */
export function podOf(manifests: readonly Manifest[], component: Component): Pod {
  return podsOf([findFor(manifests, 'Deployment', component)])[0]!
}

/** Name of a variable → its value or source. */
export const environmentOf = ({ container }: Pod): ReadonlyMap<string, Variable> =>
  new Map(container.env.map((variable) => [variable.name, variable]))

/** The default values of the chart. */
export const chartValues = (): Record<string, unknown> =>
  parse(readFileSync(join(CHART, 'values.yaml'), 'utf8')) as Record<string, unknown>

/** The values of a file of ci/. */
export const ciValues = (ci: string): Values =>
  parse(readFileSync(join(CHART, 'ci', `${ci}-values.yaml`), 'utf8')) as Values
