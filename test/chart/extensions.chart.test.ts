// What an operator adds to the chart: variables, volumes, containers, places, labels, objects, and an authority. [H32]
import { describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import {
  COMPONENTS,
  environmentOf,
  findFor,
  ofKind,
  podOf,
  podsOf,
  render,
  type Manifest,
  type Pod,
} from './rendered.js'

const everything = render('everything-on')
const isJob = ({ of }: Pod): boolean => /^(Job|CronJob)\//.test(of)

describe('each Deployment and Job has the operator’s', () => {
  const pods = podsOf(everything).filter(({ component }) => component !== 'test')

  it.each(pods.map((pod) => [pod.of, pod] as const))('variables, volumes and init containers: %s', (_, pod) => {
    expect(environmentOf(pod).get('TZ')).toEqual({ name: 'TZ', value: 'UTC' })
    expect(pod.container.envFrom).toEqual([{ configMapRef: { name: 'company-environment' } }])
    expect(pod.container.volumeMounts).toContainEqual(
      expect.objectContaining({ name: 'client-certificate', mountPath: '/etc/paraph/client' }),
    )
    expect(pod.spec.volumes).toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ secretName: 'postgres-client' }) }),
    )
    expect(pod.spec.initContainers?.map(({ name, restartPolicy }) => [name, restartPolicy])).toEqual([
      ['database-proxy', 'Always'],
    ])
  })

  it('place in the cluster, because a Job needs the same nodes', () => {
    for (const { of, spec } of pods)
      expectWithMessage(spec, of).toMatchObject({
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        tolerations: [{ key: 'dedicated' }],
        priorityClassName: 'important',
        runtimeClassName: 'gvisor',
        dnsConfig: { options: [{ name: 'ndots', value: '2' }] },
        hostAliases: [{ ip: '10.20.0.9', hostnames: ['db.internal'] }],
      })
  })

  it('containers beside its own only where they cannot keep a Job from ending', () => {
    const beside = pods.filter(({ spec }) => spec.containers.length > 1)
    expect(beside.map(({ of }) => of)).toEqual(['Deployment/paraph-gateway'])
    expect(pods.some(isJob)).toBe(true)
  })
})

it('the pod of `helm test` has none of it, because it needs no database [H26]', () => {
  const [pod] = podsOf(ofKind(everything, 'Pod'))
  expect(environmentOf(pod!).has('TZ')).toBe(false)
  expect(pod!.container).not.toHaveProperty('envFrom')
  expect(pod!.spec).not.toHaveProperty('initContainers')
  expect(pod!.spec).toMatchObject({ tolerations: [{ key: 'dedicated' }] })
})

it('a Job overrides the values of its pod', () => {
  const manifests = render('everything-on', { migrations: { initContainers: [], nodeSelector: { pool: 'jobs' } } })
  const [migration] = podsOf(ofKind(manifests, 'Job'))
  expect(migration!.spec).not.toHaveProperty('initContainers')
  expect(migration!.spec).toMatchObject({ nodeSelector: { 'kubernetes.io/os': 'linux', pool: 'jobs' } })
})

it('every object and pod has the common labels, and no selector has them [H3]', () => {
  for (const { kind, metadata } of everything)
    expectWithMessage(metadata.labels, `${kind} ${metadata.name}`).toMatchObject({ team: 'contracts' })
  for (const { of, labels } of podsOf(everything)) expectWithMessage(labels, of).toMatchObject({ team: 'contracts' })
  const selectors = everything.flatMap(({ kind, spec }: Manifest) =>
    kind === 'Service' ? [spec.selector] : ['Deployment'].includes(kind) ? [spec.selector.matchLabels] : [],
  )
  expect(selectors).toHaveLength(8)
  for (const selector of selectors) expect(selector).not.toHaveProperty('team')
})

it('Services have annotations, and Deployments keep as many old versions as the values say', () => {
  for (const component of COMPONENTS) {
    expect(findFor(everything, 'Service', component).metadata.annotations).toEqual({ 'example.com/team': 'contracts' })
    expect(findFor(everything, 'Deployment', component).spec.revisionHistoryLimit).toBe(3)
  }
  const none = render('default', { defaults: { revisionHistoryLimit: 0 } })
  for (const component of COMPONENTS) expect(findFor(none, 'Deployment', component).spec.revisionHistoryLimit).toBe(0)
})

it('objects of the operator belong to the release, and their texts are templates', () => {
  const extraObjects = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-extra' }, data: { key: 'value' } },
    { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name: 'scale' }, spec: { minReplicaCount: 2 } },
  ]
  const manifests = render('default', { extraObjects })
  const named = (name: string) => manifests.filter(({ metadata }) => metadata.name === name)
  expect(named('paraph-extra')).toEqual([{ ...extraObjects[0], metadata: { name: 'paraph-extra' } }])
  expect(named('scale')).toEqual([extraObjects[1]])
})

it.each([
  ['existingSecret', { secret: { secretName: 'authority', items: [{ key: 'ca.crt', path: 'ca.crt' }] } }],
  ['existingConfigMap', { configMap: { name: 'authority' } }],
])('every pod trusts the authority of caBundle.%s [H17]', (name, source) => {
  for (const pod of podsOf(render('default', { caBundle: { [name]: 'authority' }, verify: { enabled: true } }))) {
    expectWithMessage(pod.spec.volumes, pod.of).toContainEqual({ name: 'ca', ...source })
    expect(pod.container.volumeMounts).toContainEqual({ name: 'ca', mountPath: '/etc/paraph/ca', readOnly: true })
    expect(environmentOf(pod).get('NODE_EXTRA_CA_CERTS')?.value).toBe('/etc/paraph/ca/ca.crt')
  }
})

it('security contexts follow the values, also with false, and keep the rest of the restricted standard [H18]', () => {
  const manifests = render('default', {
    defaults: {
      podSecurityContext: { runAsUser: 1000, fsGroup: 1000 },
      securityContext: { readOnlyRootFilesystem: false },
    },
  })
  for (const { spec, container } of podsOf(manifests)) {
    expect(spec.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 65532,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: false,
      capabilities: { drop: ['ALL'] },
    })
  }
})

it('resources have Kubernetes’ own form: a CPU limit, another memory request, other kinds [H22]', () => {
  const resources = {
    requests: { cpu: '2', memory: '256Mi', 'ephemeral-storage': '1Gi' },
    limits: { cpu: 4, memory: '1Gi' },
  }
  const pod = podOf(render('default', { components: { contract: { resources } } }), 'contract')
  expect(pod.container.resources).toEqual(resources)
  expect(environmentOf(pod).get('NODE_OPTIONS')?.value).toBe('--max-old-space-size=768 --max-semi-space-size=8')
})

it('spreads as Kubernetes’ own field says, with the selector of the component unless it names another [H21]', () => {
  const spreadOf = (topologySpreadConstraints: readonly object[]) =>
    podOf(render('default', { defaults: { topologySpreadConstraints } }), 'signing').spec.topologySpreadConstraints
  expect(spreadOf([])).toBeUndefined()
  const zone = { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule' }
  const own = { ...zone, labelSelector: { matchLabels: { app: 'mine' } } }
  expect(spreadOf([zone, own])).toEqual([
    expect.objectContaining({
      ...zone,
      labelSelector: { matchLabels: expect.objectContaining({ 'app.kubernetes.io/component': 'signing' }) },
      matchLabelKeys: ['pod-template-hash'],
    }),
    own,
  ])
})
