// Checks the network policies in both directions against the services' own list of callers.
import { describe, expect, it } from '@jest/globals'
import { EDGES, SERVICES } from '@paraph/protocol/services'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createNetwork, type Party } from './network-simulation.js'
import { COMPONENTS, environmentOf, notes, podOf, podsOf, refusal, render, type Pod, type Values } from './rendered.js'

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

/** The simulated network of a render, with one pod of each component. */
function networkOf(ci: string) {
  const manifests = render(ci)
  const pods = new Map(podsOf(manifests).map((pod) => [pod.component, pod]))
  return { ...createNetwork(manifests), pods, of: (component: string): Pod => pods.get(component)! }
}

/** `caller → callee:port` for every pair of pods of the release that `allows` accepts. */
function connections(
  { pods }: ReturnType<typeof networkOf>,
  allows: (from: Party, to: Party, port: number) => boolean,
): string[] {
  return [...pods]
    .flatMap(([caller, from]) =>
      [...pods].flatMap(([callee, to]) =>
        [PUBLIC, INTERNAL].flatMap((port) =>
          caller !== callee && allows(from, to, port) ? [`${caller} → ${callee}:${port}`] : [],
        ),
      ),
    )
    .sort()
}

it('the chart gives each component the addresses of exactly the services that it may call by the services’ list [H20, D44]', () => {
  const edges = SERVICES.flatMap((callee) => EDGES[callee].map((caller) => `${caller} → ${callee}`))
  for (const ci of CIS) {
    const addresses = COMPONENTS.flatMap((caller) =>
      [...environmentOf(podOf(render(ci), caller)).values()].flatMap(({ name, value }) => {
        const [, callee] = /^(CONTRACT|SIGNING|NOTIFICATION|GATEWAY)_URL$/.exec(name) ?? []
        if (callee) expect(value).toBe(`http://paraph-${callee.toLowerCase()}:${PUBLIC}`)
        return callee ? [`${caller} → ${callee.toLowerCase()}`] : []
      }),
    )
    expectWithMessage(addresses.sort(), ci).toEqual(edges.sort())
  }
})

it.each(CIS)(
  'the network policies of %s allow between pods only the edges of the services’ list and the gateway’s readiness queries, also by `helm test` [H20, D44, D45]',
  (ci) => {
    const edges = SERVICES.flatMap((callee) => EDGES[callee].map((caller) => `${caller} → ${callee}:${PUBLIC}`))
    const readiness = SERVICES.filter((service) => service !== 'gateway').map(
      (callee) => `gateway → ${callee}:${INTERNAL}`,
    )
    // The gateway's public port is open to clients, and `helm test` is a client, which also queries readiness.
    const ofTest = [...readiness.map((way) => way.replace('gateway', 'test')), `test → gateway:${PUBLIC}`]
    const expected = [...edges, ...readiness, ...ofTest].sort()
    const network = networkOf(ci)
    expect(connections(network, network.reaches)).toEqual(expected)
    expectWithMessage(connections(network, network.leaves), 'egress alone').toEqual(expected)
    const isPublic = (way: string): boolean => way.endsWith(`→ gateway:${PUBLIC}`)
    expect(connections(network, network.enters).filter((way) => !isPublic(way))).toEqual(
      expected.filter((way) => !isPublic(way)),
    )
  },
)

describe('the network policy for ingress', () => {
  it.each(CIS)('of %s lets configured peers, by default everybody, reach the public port of the gateway', (ci) => {
    const { reaches, of } = networkOf(ci)
    expect(reaches(INGRESS, of('gateway'), PUBLIC)).toBe(true)
    expect(reaches(STRANGER, of('gateway'), PUBLIC)).toBe(ci !== 'everything-on')
    for (const service of ['contract', 'signing', 'notification'])
      for (const party of [INGRESS, STRANGER, PROMETHEUS, { address: '203.0.113.7' }])
        expectWithMessage(reaches(party, of(service), PUBLIC), service).toBe(false)
  })

  it.each(CIS)(
    'of %s lets only Prometheus and the operator, if configured, reach the internal ports [H20, D45]',
    (ci) => {
      const { reaches, of } = networkOf(ci)
      const isNamed = ci === 'everything-on'
      for (const component of COMPONENTS) {
        expect(reaches(PROMETHEUS, of(component), INTERNAL)).toBe(isNamed)
        for (const party of [INGRESS, STRANGER, { address: '203.0.113.7' }])
          expectWithMessage(reaches(party, of(component), INTERNAL), component).toBe(false)
      }
      const operator = { ...of('gateway'), component: 'operator', labels: { app: 'paraph-operator' } }
      expect(reaches(operator, of('contract'), INTERNAL)).toBe(isNamed)
      expect(reaches(operator, of('contract'), PUBLIC)).toBe(false)
    },
  )
})

describe('the network policy for egress', () => {
  const addresses = { postgres: '10.20.0.9', contractsPostgres: '10.20.1.9', smtp: '10.30.0.25', kafka: '10.40.0.9' }
  const WORLD = { address: '93.184.216.34' }
  const ofComponents = (ci: string, to: Party, port: number, protocol?: string): string[] => {
    const { pods, reaches } = networkOf(ci)
    return [...pods].flatMap(([component, pod]) => (reaches(pod, to, port, protocol) ? [component] : [])).sort()
  }

  it.each(CIS)('of %s lets every pod query the DNS server of the cluster, and no other DNS server', (ci) => {
    const all = [...networkOf(ci).pods.keys()].sort()
    for (const protocol of ['UDP', 'TCP']) expect(ofComponents(ci, DNS, 53, protocol)).toEqual(all)
    expect(ofComponents(ci, WORLD, 53, 'UDP')).toEqual([])
  })

  it.each(CIS)('of %s lets only notification reach an SMTP server [H20]', (ci) => {
    for (const port of [25, 465, 587]) {
      const isOpen = ci === 'everything-on' ? port === 587 : port !== 25
      expect(ofComponents(ci, { address: addresses.smtp }, port)).toEqual(isOpen ? ['notification'] : [])
    }
  })

  it.each(CIS)('of %s lets only signing reach an object store, and only if it has one [H20, P43]', (ci) => {
    const expected = ci === 'everything-on' ? ['signing'] : []
    expect(ofComponents(ci, { address: '10.50.0.9' }, 443)).toEqual(expected)
  })

  it.each(CIS)(
    'of %s lets only the gateway reach an OpenID Connect provider, and only if it has one [H20, D73]',
    (ci) => {
      const expected = ci === 'everything-on' ? ['gateway'] : []
      expect(ofComponents(ci, { address: '10.60.0.7' }, 8443)).toEqual(expected)
    },
  )
  it.each(CIS)('of %s lets only the gateway reach Stripe, and only if accounts pay there [H20, D74]', (ci) => {
    const expected = ci === 'everything-on' ? ['gateway'] : []
    expect(ofComponents(ci, { address: '10.60.0.9' }, 443)).toEqual(expected)
  })

  it.each(CIS)('of %s lets no pod reach the internet or the Kubernetes API [H20]', (ci) => {
    for (const port of [80, 443, 6443, 10250]) expect(ofComponents(ci, WORLD, port)).toEqual([])
    expectWithMessage(ofComponents(ci, { address: '169.254.169.254' }, 80), 'the metadata service of a cloud').toEqual(
      [],
    )
  })

  it('lets each service reach its own database, lets migrations and the verifier reach all, and lets no pod reach an unlisted address [H20]', () => {
    const common = ['gateway', 'migrate', 'notification', 'signing', 'verify']
    expect(ofComponents('everything-on', { address: addresses.postgres }, 6432)).toEqual(common)
    expect(ofComponents('everything-on', { address: addresses.contractsPostgres }, 5432)).toEqual([
      'contract',
      'migrate',
      'verify',
    ])
    expect(ofComponents('everything-on', WORLD, 5432)).toEqual([])
    expect(ofComponents('default', WORLD, 5432)).toEqual(['contract', 'gateway', 'migrate', 'notification', 'signing'])
  })

  it('lets services and the topics Job reach Kafka, and services the collector, only if configured [H20]', () => {
    const services = [...COMPONENTS]
    expect(ofComponents('kafka', { address: addresses.kafka }, 9093)).toEqual([...services, 'topics'])
    expect(ofComponents('kafka', WORLD, 9093)).toEqual([])
    expect(ofComponents('default', { address: addresses.kafka }, 9092)).toEqual([])
    expect(ofComponents('everything-on', PROMETHEUS, 4318)).toEqual([...services, 'verify'])
    expect(ofComponents('default', PROMETHEUS, 4318)).toEqual([])
  })
})

describe('the ports of the network policy [H20]', () => {
  const portsOf = (values: Values, to = { address: '10.40.0.9' }): number[] => {
    const pod = podOf(render('default', values), 'gateway')
    const { reaches } = createNetwork(render('default', values))
    return [80, 443, 4317, 4318, 9092, 9093, 9094, 9095].filter((port) => reaches(pod, to, port))
  }
  const kafka = (brokers: string, ports?: number[]) => ({
    eventBus: 'kafka',
    kafka: { brokers },
    ...(ports ? { networkPolicy: { kafka: { ports } } } : {}),
  })
  const otlp = (endpoint: string, more: Values = {}) => ({ telemetry: { otlp: { endpoint, ...more } } })

  it.each<[Values, number[]]>([
    [kafka('a.example.com:9093,b.example.com:9094, c.example.com:9093'), [9093, 9094]],
    [kafka('a.example.com:9093', [9095]), [9095]],
    [otlp('http://collector:4317', { protocol: 'grpc' }), [4317]],
    [otlp('http://collector:4318'), [4318]],
    [otlp('https://collector.example.com'), [443]],
    [otlp('http://collector.example.com/otlp'), [80]],
    [{ ...otlp('http://collector:4318'), networkPolicy: { otlp: { ports: [4317] } } }, [4317]],
  ])('follow from the addresses of the brokers and the collector, unless they are set: %j', (values, ports) => {
    expect(portsOf(values)).toEqual(ports)
  })
})

it('the chart names after an install each egress that is open to any address, and refuses an empty list of peers [H20]', () => {
  const open = (ci: string): string[] => {
    const [, names = ''] = /Name the addresses of your servers in: (.*)/.exec(notes(ci)) ?? []
    return names.split(', ').filter(Boolean)
  }
  const databases = COMPONENTS.map((component) => `components.${component}.postgres.to`)
  expect(open('default')).toEqual([...databases, 'networkPolicy.smtp.to'])
  expect(open('kafka')).toEqual([...databases, 'networkPolicy.smtp.to'])
  expect(open('everything-on')).toEqual([])
  const issuer = { OIDC_OWNERS_ISSUER: 'https://sso.example.com' }
  const withIssuer = notes('default', { components: { gateway: { settings: issuer } } })
  expect(withIssuer).toContain('networkPolicy.issuers.to')
  for (const to of [[], '', '10.20.0.0/24'])
    expect(refusal('default', { networkPolicy: { smtp: { to } } })).toContain('schema')
})

it('the chart renders no network policies if they are disabled, and policies that deny by default otherwise [H20, H32]', () => {
  expect(render('plain-jobs').filter(({ kind }) => kind === 'NetworkPolicy')).toEqual([])
  const bare = { ...podOf(render('default'), 'gateway'), component: 'new', labels: OURS }
  const { reaches, of } = networkOf('default')
  expect([
    reaches(bare, of('contract'), PUBLIC),
    reaches(bare, DNS, 53, 'UDP'),
    reaches(INGRESS, bare, PUBLIC),
  ]).toEqual([false, false, false])
})
const OURS = { 'app.kubernetes.io/name': 'paraph', 'app.kubernetes.io/instance': 'paraph' }
