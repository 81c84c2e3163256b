// The examples of other tools: each object passes the schema of its tool, the chart renders with each example's values, and both agree on
// every name. [H27]
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { topicsToBe } from '@paraph/messaging/kafka/topic-settings'
import { installationSecrets, kubernetesSecrets } from '@paraph/paraph/installation/installation-secrets'
import { DATABASES, makeSecrets } from '@paraph/paraph/installation/secrets'
import { TOPICS } from '@paraph/protocol/events'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { CONSUMERS, PRODUCERS } from '@paraph/verify/rows/outboxes'
import { parse, stringify } from 'yaml'
import { runTool, validate } from './chart-tools.js'
import { CHART, COMPONENTS, environmentOf, findFor, manifestsOf, ofKind, podsOf, type Manifest } from './rendered.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const FILES = readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => `examples/${file}`)
const VALUES_FILES = FILES.filter((file) => basename(file).startsWith('values'))
const OBJECTS = new Map(
  FILES.filter((file) => !VALUES_FILES.includes(file)).map((file) => [file, manifestsOf(read(file))]),
)
const objectsOf = (example: string, kind: string): Manifest[] =>
  [...OBJECTS].flatMap(([file, objects]) => (file.startsWith(`examples/${example}/`) ? ofKind(objects, kind) : []))
const objectOf = (example: string, kind: string): Manifest => {
  const [object, ...others] = objectsOf(example, kind)
  expect({ kind, others }).toEqual({ kind, others: [] })
  return object!
}
const nameOf = ({ metadata }: Manifest): string => metadata.name

/** What the chart renders with those files, or with `-` from `input`. @throws Error with helm's message */
function helmTemplate(files: readonly string[], input?: string): string {
  const paths = files.flatMap((file) => ['-f', file === '-' ? file : join(ROOT, file)])
  const { code, stdout, stderr } = runTool('helm', ['template', 'paraph', CHART, '-n', 'paraph', ...paths], input)
  if (code !== 0) throw new Error(stderr)
  return stdout
}
/** What it renders with the required values and those files. */
const renderFiles = (...files: string[]): string => helmTemplate(['charts/paraph/ci/default-values.yaml', ...files])
const rendered = (example: string, file = 'values.yaml'): Manifest[] =>
  manifestsOf(renderFiles(`examples/${example}/${file}`))

/** The settings of the pods that come from Secrets. */
const secretsOf = (manifests: readonly Manifest[]) =>
  podsOf(manifests).flatMap((pod) =>
    [...environmentOf(pod).values()].flatMap(({ name: setting, valueFrom }) => {
      const reference = valueFrom?.secretKeyRef
      return reference ? [{ pod: pod.component, setting, name: reference.name, key: reference.key }] : []
    }),
  )

it('every object passes the schema of its tool [H27]', () => {
  const found = validate(
    Object.fromEntries([...OBJECTS].map(([file], at) => [`${at}-${basename(file, '.yaml')}`, read(file)])),
  )
  expect(found.filter(({ status }) => status !== 'statusValid')).toEqual([])
  expect(found).toHaveLength([...OBJECTS.values()].flat().length)
})

it('the schema of each kind refuses an unknown field, in the specification and beside it [H27]', () => {
  const kinds = new Map([...OBJECTS.values()].flat().map((object) => [object.kind, object]))
  const broken = [...kinds].flatMap(([kind, object]): [string, string][] => [
    [`${kind}-unknown`, stringify({ ...object, spec: { ...object.spec, paraph: true } })],
    [`${kind}-outside`, stringify({ ...object, paraph: true })],
  ])
  const found = validate(Object.fromEntries(broken))
  expect(found.filter(({ status }) => status !== 'statusInvalid')).toEqual([])
  expect(found).toHaveLength(kinds.size * 2)
})

it('the chart renders valid objects with the values of each example, and with those of all together [H27]', () => {
  const together = VALUES_FILES.filter((file) => basename(file) === 'values.yaml')
  const renders = {
    ...Object.fromEntries(VALUES_FILES.map((file, at) => [`${at}`, renderFiles(file)])),
    together: renderFiles(...together),
    whole: helmTemplate(['-'], JSON.stringify(objectOf('argo-cd', 'Application').spec.source.helm.valuesObject)),
  }
  expect(together.length).toBeGreaterThan(4)
  expect(validate(renders).filter(({ status }) => status !== 'statusValid')).toEqual([])
})

it('CloudNativePG creates the databases and roles of deploy/databases.sql', () => {
  const sql = read('deploy/databases.sql')
  const [, wanted] = /insert into wanted_role values([^;]+);/.exec(sql)!
  const roles = [...wanted!.matchAll(/\('(\w+)'/g)].map(([, name]) => name!)
  const cluster = objectOf('cloudnative-pg', 'Cluster')
  const managed: { name: string; login: boolean; inRoles?: string[] }[] = cluster.spec.managed.roles
  expect(managed.map(({ name }) => name).sort()).toEqual(roles.sort())
  expect(managed.filter(({ login }) => !login)).toEqual([])
  const memberships = [...sql.matchAll(/'grant (\w+) to (\w+)'/g)].map(([, group, role]) => [role!, group!])
  expect(managed.flatMap(({ name, inRoles = [] }) => inRoles.map((group) => [name, group]))).toEqual(memberships)
  const databases = objectsOf('cloudnative-pg', 'Database').map(({ spec }) => spec)
  expect(databases).toEqual(
    DATABASES.map((name) => ({ name, owner: `${name}_owner`, cluster: { name: nameOf(cluster) } })),
  )
  expect(sql).toContain(`array[${DATABASES.map((name) => `'${name}'`).join(', ')}]`)
})

it('CloudNativePG archives and backs up that server, and Paraph trusts and reaches it', () => {
  const cluster = objectOf('cloudnative-pg', 'Cluster')
  const [plugin] = cluster.spec.plugins
  expect(plugin.parameters.barmanObjectName).toBe(nameOf(objectOf('cloudnative-pg', 'ObjectStore')))
  expect(objectOf('cloudnative-pg', 'ScheduledBackup').spec).toMatchObject({
    cluster: { name: nameOf(cluster) },
    pluginConfiguration: { name: plugin.name },
  })
  const manifests = rendered('cloudnative-pg')
  for (const { of, spec } of podsOf(manifests).filter(({ component }) => component !== 'test'))
    expectWithMessage(spec.volumes, of).toContainEqual(
      expect.objectContaining({ secret: expect.objectContaining({ secretName: `${nameOf(cluster)}-ca` }) }),
    )
  for (const component of COMPONENTS)
    expectWithMessage(findFor(manifests, 'NetworkPolicy', component).spec.egress, component).toContainEqual({
      to: [{ podSelector: { matchLabels: { 'cnpg.io/cluster': nameOf(cluster) } } }],
      ports: [{ port: 5432, protocol: 'TCP' }],
    })
})

it('the ExternalSecrets have the names and keys that `paraph secrets make` writes and the pods read [H17]', async () => {
  const places = { postgres: 'postgres://db.test/', smtp: 'smtps://mail.test' }
  const { items } = JSON.parse(
    kubernetesSecrets(installationSecrets(await makeSecrets(), places, 'password'), 'paraph'),
  ) as { items: { metadata: { name: string }; stringData: Record<string, string> }[] }
  const keysByName = Object.fromEntries(
    objectsOf('external-secrets', 'ExternalSecret').map((each) => [
      nameOf(each),
      each.spec.data.map(({ secretKey }: { secretKey: string }) => secretKey).sort(),
    ]),
  )
  expect(keysByName).toEqual(
    Object.fromEntries(items.map(({ metadata, stringData }) => [metadata.name, Object.keys(stringData).sort()])),
  )
  for (const each of objectsOf('external-secrets', 'ExternalSecret'))
    for (const { secretKey, remoteRef } of each.spec.data)
      expect(remoteRef).toEqual({ key: nameOf(each).replace('-', '/'), property: secretKey })
  const references = secretsOf(rendered('external-secrets'))
  expect(references.filter(({ name, key }) => !keysByName[name]?.includes(key))).toEqual([])
  expect(references.length).toBeGreaterThan(30)
})

it('the topics of Strimzi are those of `paraph topics apply` with the values of the example', () => {
  const job = podsOf(rendered('strimzi')).find(({ component }) => component === 'topics')!
  const numberOf = (name: string): number => Number(environmentOf(job).get(name)!.value)
  const wanted = topicsToBe({
    KAFKA_TOPIC_PARTITIONS: numberOf('KAFKA_TOPIC_PARTITIONS'),
    KAFKA_TOPIC_REPLICAS: numberOf('KAFKA_TOPIC_REPLICAS'),
    KAFKA_TOPIC_IN_SYNC_REPLICAS: numberOf('KAFKA_TOPIC_IN_SYNC_REPLICAS'),
    KAFKA_TOPIC_RETENTION_DAYS: numberOf('KAFKA_TOPIC_RETENTION_DAYS'),
  })
  const found = objectsOf('strimzi', 'KafkaTopic').map(({ metadata, spec: { partitions, replicas, config } }) => ({
    topic: metadata.name,
    partitions,
    replicas,
    configs: Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
  }))
  expect(found).toEqual(wanted)
})

it('the users of Strimzi have the rights of each producer and consumer, and no other [D50]', () => {
  const rightsOf = (name: string): string[] => {
    const user = objectsOf('strimzi', 'KafkaUser').find((each) => nameOf(each) === `paraph-kafka-${name}`)!
    const acls: { resource: { type: string; name: string }; operations: string[] }[] = user.spec.authorization.acls
    return acls.map(({ resource, operations }) => `${resource.type} ${resource.name}: ${operations.join()}`).sort()
  }
  for (const service of COMPONENTS) {
    const consumers = CONSUMERS.filter((consumer) => consumer.service === service)
    const rights = [
      ...PRODUCERS.filter((producer) => producer.service === service).map(({ topic }) => `topic ${topic}: Write`),
      ...consumers.flatMap(({ topics }) => topics.map((topic) => `topic ${topic}: Read`)),
      ...consumers.map(({ group }) => `group ${group}: Read`),
    ]
    expectWithMessage(rightsOf(service), service).toEqual(rights.sort())
  }
  const [, row] = /^\| `paraph topics apply`.*the four topics +\| (.+?) +\|$/m.exec(
    read('docs/how-to/operators/kafka.md'),
  )!
  const operations = row!.replaceAll(/[` ]/g, '')
  expect(rightsOf('topics')).toEqual(
    Object.keys(TOPICS)
      .map((topic) => `topic ${topic}: ${operations}`)
      .sort(),
  )
  expect(objectsOf('strimzi', 'KafkaUser')).toHaveLength(COMPONENTS.length + 1)
})

it('each pod on Kafka has the certificate of its own user of Strimzi, and trusts that cluster', () => {
  const clusters = new Set(
    ['KafkaTopic', 'KafkaUser'].flatMap((kind) =>
      objectsOf('strimzi', kind).map(({ metadata }) => metadata.labels['strimzi.io/cluster']),
    ),
  )
  expect([...clusters]).toHaveLength(1)
  const [cluster] = clusters
  const references = secretsOf(rendered('strimzi')).filter(({ setting }) => setting.startsWith('KAFKA_'))
  const expected = [...COMPONENTS, 'topics'].flatMap((pod) => [
    { pod, setting: 'KAFKA_TLS_CA', name: `${cluster}-cluster-ca-cert`, key: 'ca.crt' },
    { pod, setting: 'KAFKA_TLS_CERT', name: `paraph-kafka-${pod}`, key: 'user.crt' },
    { pod, setting: 'KAFKA_TLS_KEY', name: `paraph-kafka-${pod}`, key: 'user.key' },
  ])
  expect(references).toHaveLength(expected.length)
  expect(references).toEqual(expect.arrayContaining(expected))
})

it('KEDA scales the Deployment of signing, to which the chart then gives no number, by a metric of signing [H4, H23]', () => {
  const { spec } = objectOf('keda', 'ScaledObject')
  const { autoscaling } = parse(read('examples/keda/values.yaml')).components.signing
  expect(spec).toMatchObject({ minReplicaCount: autoscaling.minReplicas, maxReplicaCount: autoscaling.maxReplicas })
  const manifests = rendered('keda')
  const deployment = findFor(manifests, 'Deployment', 'signing')
  expect(nameOf(deployment)).toBe(spec.scaleTargetRef.name)
  expect(deployment.spec).not.toHaveProperty('replicas')
  expect(ofKind(manifests, 'HorizontalPodAutoscaler')).toEqual([])
  const [, metric] = /^max\((\w+)\{namespace="paraph"\}\)$/.exec(spec.triggers[0].metadata.query)!
  expect(read('docs/reference/metrics.md')).toMatch(new RegExp(`^### \`${metric}\`\\n\\n.* from signing\\.`, 'm'))
})

it('cert-manager writes the certificate that the Ingress or the Gateway of the HTTPRoute serves', () => {
  const issuer = nameOf(objectOf('cert-manager', 'Issuer'))
  const [ingress] = ofKind(rendered('cert-manager'), 'Ingress')
  const gateway = objectOf('cert-manager', 'Gateway')
  for (const { metadata } of [ingress!, gateway]) expect(metadata.annotations?.['cert-manager.io/issuer']).toBe(issuer)
  const [route] = ofKind(rendered('cert-manager', 'values-http-route.yaml'), 'HTTPRoute')
  const [{ name, sectionName }] = route!.spec.parentRefs
  expect(name).toBe(nameOf(gateway))
  const listener = gateway.spec.listeners.find((each: { name: string }) => each.name === sectionName)
  expect(route!.spec.hostnames).toEqual([listener.hostname])
  const [{ secretName }] = ingress!.spec.tls
  expect(listener.tls.certificateRefs).toEqual([{ name: secretName }])
  const [byIngress, byGateway] = objectOf('cert-manager', 'Issuer').spec.acme.solvers
  expect(byIngress.http01.ingress.ingressClassName).toBe(ingress!.spec.ingressClassName)
  expect(byGateway.http01.gatewayHTTPRoute.parentRefs).toEqual([{ kind: 'Gateway', name: nameOf(gateway) }])
})

it('Argo CD and Flux install this version of the chart, under the name that is in the names of its Secrets', () => {
  const { name, version } = parse(read('charts/paraph/Chart.yaml'))
  const { source } = objectOf('argo-cd', 'Application').spec
  expect(source).toMatchObject({ chart: name, targetRevision: version, helm: { releaseName: 'paraph' } })
  const repository = objectOf('flux', 'OCIRepository')
  expect(repository.spec).toMatchObject({ ref: { tag: version }, url: `oci://${source.repoURL}/${name}` })
  const release = objectOf('flux', 'HelmRelease').spec
  expect(release).toMatchObject({ releaseName: 'paraph', chartRef: { name: nameOf(repository) } })
  expect(release.values).toEqual(source.helm.valuesObject)
})
