// Who may talk to whom, held against the services' own list of callers, in both directions.
import { describe, expect, it } from 'vitest'
import { EDGES, SERVICES } from '@paraph/protocol/caller'
import { createNetwork, type Party } from './network-simulation.js'
import { COMPONENTS, environmentOf, podOf, podsOf, render, type Pod } from './rendered.js'

const [PUBLIC, INTERNAL] = [8080, 8081]
const CIS = ['default', 'everything-on', 'kafka', 'no-crds'] as const

const podIn = (namespace: string, labels = {}): Party => ({
  namespace: { 'kubernetes.io/metadata.name': namespace },
  labels,
})
const STRANGER = podIn('elsewhere')
const INGRESS = podIn('ingress-nginx')
const PROMETHEUS = podIn('monitoring')
const DNS = podIn('kube-system', { 'k8s-app': 'kube-dns' })

/** One pod of each component. */
function partsOf(ci: string) {
  const manifests = render(ci)
  const pods = new Map(podsOf(manifests).map((pod) => [pod.component, pod]))
  return { ...createNetwork(manifests), pods, of: (component: string): Pod => pods.get(component)! }
}

/** `caller → callee:port` for every pair of pods of the release that `says` lets talk. */
function ways({ pods }: ReturnType<typeof partsOf>, says: (from: Party, to: Party, port: number) => boolean): string[] {
  return [...pods]
    .flatMap(([caller, from]) =>
      [...pods].flatMap(([callee, to]) =>
        [PUBLIC, INTERNAL].flatMap((port) =>
          caller !== callee && says(from, to, port) ? [`${caller} → ${callee}:${port}`] : [],
        ),
      ),
    )
    .sort()
}

it('has the services’ own list of callers, in addresses as in policies [H20, D44]', () => {
  const edges = SERVICES.flatMap((callee) => EDGES[callee].map((caller) => `${caller} → ${callee}`))
  for (const ci of CIS) {
    const addresses = COMPONENTS.flatMap((caller) =>
      [...environmentOf(podOf(render(ci), caller)).values()].flatMap(({ name, value }) => {
        const [, callee] = /^(CONTRACT|SIGNING|NOTIFICATION|GATEWAY)_URL$/.exec(name) ?? []
        if (callee) expect(value).toBe(`http://paraph-${callee.toLowerCase()}:${PUBLIC}`)
        return callee ? [`${caller} → ${callee.toLowerCase()}`] : []
      }),
    )
    expect(addresses.sort(), ci).toEqual(edges.sort())
  }
})

it.each(CIS)(
  'lets pods of %s talk along those edges, the gateway ask for readiness, and nothing else [H20, D44, D45]',
  (ci) => {
    const edges = SERVICES.flatMap((callee) => EDGES[callee].map((caller) => `${caller} → ${callee}:${PUBLIC}`))
    const asked = SERVICES.filter((service) => service !== 'gateway').map((callee) => `gateway → ${callee}:${INTERNAL}`)
    // The gateway's public port is the world's, and `helm test` is of the world.
    const wanted = [...edges, ...asked, `test → gateway:${PUBLIC}`].sort()
    const parts = partsOf(ci)
    expect(ways(parts, parts.reaches)).toEqual(wanted)
    expect(ways(parts, parts.leaves), 'each end by itself').toEqual(wanted)
    const isOfTheWorld = (way: string): boolean => way.endsWith(`→ gateway:${PUBLIC}`)
    expect(ways(parts, parts.enters).filter((way) => !isOfTheWorld(way))).toEqual(
      wanted.filter((way) => !isOfTheWorld(way)),
    )
  },
)

describe('from outside', () => {
  it.each(CIS)('%s: the public port of the gateway is reached by those whom the values name, or by all', (ci) => {
    const { reaches, of } = partsOf(ci)
    expect(reaches(INGRESS, of('gateway'), PUBLIC)).toBe(true)
    expect(reaches(STRANGER, of('gateway'), PUBLIC)).toBe(ci !== 'everything-on')
    for (const service of ['contract', 'signing', 'notification'])
      for (const party of [INGRESS, STRANGER, PROMETHEUS, { address: '203.0.113.7' }])
        expect(reaches(party, of(service), PUBLIC), service).toBe(false)
  })

  it.each(CIS)(
    '%s: internal ports are reached by Prometheus and the operator, where they are named, and never by ingress [H20, D45]',
    (ci) => {
      const { reaches, of } = partsOf(ci)
      const isNamed = ci === 'everything-on'
      for (const component of COMPONENTS) {
        expect(reaches(PROMETHEUS, of(component), INTERNAL)).toBe(isNamed)
        for (const party of [INGRESS, STRANGER, { address: '203.0.113.7' }])
          expect(reaches(party, of(component), INTERNAL), component).toBe(false)
      }
      const operator = { ...of('gateway'), component: 'operator', labels: { app: 'paraph-operator' } }
      expect(reaches(operator, of('contract'), INTERNAL)).toBe(isNamed)
      expect(reaches(operator, of('contract'), PUBLIC)).toBe(false)
    },
  )
})

describe('to the outside', () => {
  const addresses = { postgres: '10.20.0.9', contractsPostgres: '10.20.1.9', smtp: '10.30.0.25', kafka: '10.40.0.9' }
  const WORLD = { address: '93.184.216.34' }
  const ofComponents = (ci: string, to: Party, port: number, protocol?: string): string[] => {
    const { pods, reaches } = partsOf(ci)
    return [...pods].flatMap(([component, pod]) => (reaches(pod, to, port, protocol) ? [component] : [])).sort()
  }

  it.each(CIS)('%s: everybody asks for names, of the cluster alone', (ci) => {
    const all = [...partsOf(ci).pods.keys()].sort()
    for (const protocol of ['UDP', 'TCP']) expect(ofComponents(ci, DNS, 53, protocol)).toEqual(all)
    expect(ofComponents(ci, WORLD, 53, 'UDP')).toEqual([])
  })

  it.each(CIS)('%s: only notification reaches a mail server [H20]', (ci) => {
    for (const port of [25, 465, 587]) {
      const isOpen = ci === 'everything-on' ? port === 587 : port !== 25
      expect(ofComponents(ci, { address: addresses.smtp }, port)).toEqual(isOpen ? ['notification'] : [])
    }
  })

  it.each(CIS)('%s: nobody reaches the web [H20]', (ci) => {
    for (const port of [80, 443, 6443, 10250]) expect(ofComponents(ci, WORLD, port)).toEqual([])
    expect(ofComponents(ci, { address: '169.254.169.254' }, 80), 'what a cloud tells its machines').toEqual([])
  })

  it('takes each to its own database, migrations and the verifier to all, and nobody past those that are named [H20]', () => {
    const common = ['gateway', 'migrate', 'notification', 'signing', 'verify']
    expect(ofComponents('everything-on', { address: addresses.postgres }, 6432)).toEqual(common)
    expect(ofComponents('everything-on', { address: addresses.contractsPostgres }, 5432)).toEqual([
      ...['contract', 'migrate', 'verify'],
    ])
    expect(ofComponents('everything-on', WORLD, 5432)).toEqual([])
    expect(ofComponents('default', WORLD, 5432)).toEqual(['contract', 'gateway', 'migrate', 'notification', 'signing'])
  })

  it('takes services and topics to Kafka where that is the bus, and to the collector where there is one [H20]', () => {
    const services = [...COMPONENTS]
    expect(ofComponents('kafka', { address: addresses.kafka }, 9093)).toEqual([...services, 'topics'])
    expect(ofComponents('kafka', WORLD, 9093)).toEqual([])
    expect(ofComponents('default', { address: addresses.kafka }, 9092)).toEqual([])
    expect(ofComponents('everything-on', PROMETHEUS, 4318)).toEqual([...services, 'verify'])
    expect(ofComponents('default', PROMETHEUS, 4318)).toEqual([])
  })
})

it('leaves nothing behind where it is turned off, and denies first where it is on [H20, H32]', () => {
  expect(render('plain-jobs').filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([])
  const bare = { ...podOf(render('default'), 'gateway'), component: 'new', labels: OURS }
  const { reaches, of } = partsOf('default')
  expect([
    reaches(bare, of('contract'), PUBLIC),
    reaches(bare, DNS, 53, 'UDP'),
    reaches(INGRESS, bare, PUBLIC),
  ]).toEqual([...[false, false, false]])
})
const OURS = { 'app.kubernetes.io/name': 'paraph', 'app.kubernetes.io/instance': 'paraph' }
