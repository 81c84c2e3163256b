// charts/paraph-trial: the objects of the trial. setup.chart.test.ts covers the program that sets it up.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { VERSION } from '@paraph/protocol/version'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { parse } from 'yaml'
import { runTool, validate } from '../chart-tools.js'
import { componentOf, environmentOf, manifestsOf, notesOf, ofKind, podsOf, type Manifest } from '../rendered.js'
import { SECRETS, SERVICES, TRIAL } from './trial.js'

const IMAGE = ['--set', 'paraph.image.repository=images.example.com/paraph']

function renderText(...options: string[]): string {
  const { code, stdout, stderr } = runTool('helm', ['template', 'trial', TRIAL, ...IMAGE, ...options])
  if (code !== 0) throw new Error(stderr)
  return stdout
}
const text = renderText()
const manifests = manifestsOf(text)
const pods = podsOf(manifests)
const find = (kind: string, component: string): Manifest =>
  ofKind(manifests, kind).find((each) => componentOf(each) === component)!

it('the chart of the trial conforms to the schemas of Kubernetes, and helm lint finds nothing [H27]', () => {
  const found = validate({ default: text, storage: renderText('--set', 'postgres.storage=1Gi') })
  expect(found.filter(({ status }) => status !== 'statusValid')).toEqual([])
  expect(runTool('helm', ['lint', '--strict', TRIAL, ...IMAGE])).toMatchObject({ code: 0 })
})

it('the trial has the version of the product, and needs the chart paraph of the same version [H30]', () => {
  const chart = parse(readFileSync(join(TRIAL, 'Chart.yaml'), 'utf8')) as object
  const dependencies = [{ name: 'paraph', version: VERSION, repository: 'file://../paraph' }]
  expect(chart).toMatchObject({ version: VERSION, appVersion: VERSION, dependencies })
})

it.each([
  ['an unknown name', 'postgres.imagee=x'],
  ['a size without a unit', 'postgres.storage=1'],
  ['a value that the chart paraph refuses', 'paraph.replicas=1'],
])('the trial refuses %s [H1]', (_, value) => {
  expect(() => renderText('--set-string', value)).toThrow(/additional properties|does not match pattern/i)
})

it('the trial runs one pod of each service, one Postgres and one mailbox, all in plain objects: hooks would run before Postgres [H15]', () => {
  const controllers = [...ofKind(manifests, 'Deployment'), ...ofKind(manifests, 'StatefulSet')]
  expect(controllers.map(componentOf).sort()).toEqual([...SERVICES, 'mailbox', 'postgres'].sort())
  for (const { metadata, spec } of controllers) expectWithMessage(spec.replicas, metadata.name).toBe(1)
  const jobs = ofKind(manifests, 'Job')
  expect(jobs.map(componentOf).sort()).toEqual([...Array<string>(5).fill('migrate'), 'setup'])
  const hooks = manifests.flatMap(({ metadata }) => metadata.annotations?.['helm.sh/hook'] ?? [])
  expect(new Set(hooks)).toEqual(new Set(['test']))
  expect(environmentOf(podsOf([find('Deployment', 'gateway')])[0]!).get('WINDOW_STORE')?.value).toBe('memory')
})

it('the trial meets the restricted Pod Security Standard with every container, and gives a token to the setup alone [H18, H19]', () => {
  for (const { of, spec } of pods) {
    expectWithMessage(spec.securityContext, of).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    })
    for (const { name, securityContext } of [...spec.containers, ...(spec.initContainers ?? [])])
      expectWithMessage(securityContext, `${of} ${name}`).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    expectWithMessage(spec.automountServiceAccountToken, of).toBe(false)
    const isSetup = of.startsWith('Job/trial-paraph-setup')
    expectWithMessage(JSON.stringify(spec.volumes).includes('serviceAccountToken'), of).toBe(isSetup)
  }
})

it('the trial lets its setup create Secrets, and read those that it creates, and nothing else [H19]', () => {
  const [role, ...others] = ofKind(manifests, 'Role') as (Manifest & { rules: unknown })[]
  expect(others).toEqual([])
  expect(ofKind(manifests, 'ClusterRole')).toEqual([])
  expect(role!.rules).toEqual([
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    {
      apiGroups: [''],
      resources: ['secrets'],
      resourceNames: expect.arrayContaining(Object.keys(SECRETS)),
      verbs: ['get'],
    },
  ])
  expect((role!.rules as { resourceNames: string[] }[])[1]!.resourceNames).toHaveLength(Object.keys(SECRETS).length)
})

it('the trial refers only to Secrets and keys that the setup creates [H32]', () => {
  for (const pod of pods) {
    for (const { name, valueFrom } of environmentOf(pod).values()) {
      const from = valueFrom?.secretKeyRef
      if (from) expectWithMessage(SECRETS[from.name], `${pod.of}: ${name}`).toContain(from.key)
    }
    for (const { secretRef } of (pod.container.envFrom ?? []) as { secretRef: { name: string } }[])
      expect(SECRETS).toHaveProperty(secretRef.name)
  }
})

it('the trial starts nothing before the Secrets of its environment: Postgres, then migrations and services, then the mailbox', () => {
  const secretsOf = (component: string) => {
    const own = pods.filter((pod) => pod.component === component)
    return new Set(
      own.flatMap((pod) => [
        ...[...environmentOf(pod).values()].flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []),
        ...((pod.container.envFrom ?? []) as { secretRef: { name: string } }[]).map(({ secretRef }) => secretRef.name),
      ]),
    )
  }
  expect(secretsOf('postgres')).toEqual(new Set(['paraph-roles']))
  expect(secretsOf('migrate')).toEqual(new Set(['paraph-owners']))
  for (const service of SERVICES) expect(secretsOf(service)).toEqual(new Set([`paraph-${service}`]))
  expect(secretsOf('mailbox')).toEqual(new Set(['paraph-sandbox-key']))
  expect(secretsOf('setup')).toEqual(new Set())
})

it('the trial gives its setup addresses that Services serve [H32]', () => {
  const services = new Map(ofKind(manifests, 'Service').map((each) => [each.metadata.name, each]))
  const setup = podsOf([find('Job', 'setup')])[0]!
  const urls = [...environmentOf(setup).values()].filter(({ name }) => /_URL$/.test(name) && name !== 'KUBERNETES_URL')
  expect(urls).toHaveLength(6)
  for (const { name, value } of urls) {
    const [, host, port] = /^\w+:\/\/([\w-]+):(\d+)/.exec(value!)!
    const service = services.get(host!)
    expectWithMessage(
      service?.spec.ports.map((each: { port: number }) => each.port),
      name,
    ).toContain(Number(port))
    const selected = pods.filter(({ labels }) =>
      Object.entries(service!.spec.selector as object).every(([label, is]) => labels[label] === is),
    )
    const ports = selected.flatMap(({ container }) => container.ports ?? []).map((each) => each.name)
    const target = service!.spec.ports.find((each: { port: number }) => each.port === Number(port)).targetPort
    expectWithMessage(ports, name).toContain(target)
  }
})

it('the trial keeps the data of Postgres in the pod, or in a volume that ends with the release', () => {
  const volumesOf = (each: readonly Manifest[]) => podsOf(each).find(({ component }) => component === 'postgres')!.spec
  expect(volumesOf(manifests).volumes).toContainEqual({ name: 'data', emptyDir: {} })
  const kept = manifestsOf(renderText('--set', 'postgres.storage=1Gi'))
  expect(volumesOf(kept).volumes.map(({ name }) => name)).not.toContain('data')
  expect(ofKind(kept, 'StatefulSet')[0]!.spec).toMatchObject({
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete' },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { resources: { requests: { storage: '1Gi' } } } }],
  })
})

it('the trial gives its Postgres no init container of the services', () => {
  const proxy = '[{"name":"proxy","image":"images.example.com/proxy:1"}]'
  const documents = renderText('--set-json', `paraph.defaults.initContainers=${proxy}`).split(/^---$/m)
  expect(documents.find((each) => each.includes('kind: StatefulSet'))).not.toContain('name: proxy')
})

it('the trial prints the address, how to read the key, the mailbox, and the ports to forward', () => {
  const said = notesOf(TRIAL, IMAGE)
  for (const part of [
    'rollout status deployment/paraph-mailbox',
    'port-forward deployment/paraph-gateway 8080',
    'port-forward deployment/paraph-mailbox 8025',
    'http://localhost:8080/api/external/v2',
    'http://localhost:8025/mailbox',
    `get secret paraph-sandbox-key -o go-template='{{.data.SANDBOX_KEY | base64decode}}'`,
  ])
    expect(said).toContain(part)
})
