// Checks which values the chart accepts, and which it refuses with an error message.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import {
  CHART,
  chartValues,
  environmentOf,
  findFor,
  notes,
  podsOf,
  refusal,
  render,
  runHelmTemplate,
  type Values,
} from './rendered.js'
import { openObjects, schema, unmatched } from './values-schema.js'

/** The values of a tree: numbers, texts, switches, lists, and empty maps. */
const leavesOf = (tree: unknown): unknown[] =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree) && Object.keys(tree).length > 0
    ? Object.values(tree).flatMap(leavesOf)
    : [tree]

it('the chart has at most 132 values', () => {
  const leaves = leavesOf(chartValues())
  expect(leaves.length).toBeLessThanOrEqual(132)
  expect(leaves.length).toBeGreaterThan(100)
})

describe('the schema', () => {
  it('is closed at every level with named properties, and names every value [H1]', () => {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(openObjects(schema, 'values')).toEqual([])
    expect(unmatched(schema, chartValues(), 'values')).toEqual([])
  })

  it.each<[string, Values, string]>([
    ['a component', { components: { gatway: { replicaCount: 1 } } }, "'gatway'"],
    ['a setting', { components: { gateway: { settings: { AUTO_APROVE: 'off' } } } }, "'AUTO_APROVE'"],
    ['another service’s setting', { components: { contract: { settings: { MAIL_DOMAIN: 'x' } } } }, "'MAIL_DOMAIN'"],
    ['a secret', { components: { signing: { secretOverrides: { SMTP_URL: { key: 'x' } } } } }, "'SMTP_URL'"],
    ['a field of resources', { defaults: { resources: { memory: '1Gi' } } }, "'memory'"],
    ['a value of Deployments on a Job', { migrations: { replicaCount: 2 } }, "'replicaCount'"],
    ['a value at the top', { ingres: { enabled: true } }, "'ingres'"],
    ['a removed value', { image: { registry: 'x' } }, "'registry'"],
  ])('refuses %s with an unknown name, and quotes the name [H1, H2]', (_, values, name) => {
    const message = refusal('default', values)
    expect(message).toContain('additional properties')
    expect(message).toContain(name)
  })

  it.each<[string, Values]>([
    ['an unknown option', { components: { gateway: { settings: { AUTO_APPROVE: 'yes' } } } }],
    ['a number out of range', { defaults: { settings: { DRAIN_SECONDS: 301 } } }],
    ['a public URL with a path', { publicUrl: 'https://sign.example.com/paraph' }],
    ['memory in bytes, which gives no heap size', { defaults: { resources: { limits: { memory: '500000000' } } } }],
    [
      'a password in place of a Secret',
      { components: { contract: { secretOverrides: { DATABASE_URL: 'postgres://x' } } } },
    ],
    ['a label of the chart’s own', { commonLabels: { 'app.kubernetes.io/name': 'other' } }],
    ['a broker without a port', { kafka: { brokers: 'kafka.example.com' } }],
  ])('refuses %s [H1]', (_, values) => {
    expect(refusal('default', values)).toContain('schema')
  })
})

describe('what sends data unencrypted [P39]', () => {
  it.each<[string, Values]>([
    ['a public URL', { publicUrl: 'http://sign.example.com' }],
    ['a URL of share links', { shareUrl: 'http://sign.example.com' }],
    ['a login at Kafka', { kafka: { brokers: 'kafka:9092', saslMechanism: 'PLAIN' } }],
  ])('is refused as %s unless allowInsecureTransport is on, and every pod then gets the setting', (_, values) => {
    expect(refusal('default', values)).toContain('schema')
    const all = { ...values, eventBus: 'kafka', verify: { enabled: true }, allowInsecureTransport: true }
    const pods = podsOf(render('default', { ...all, kafka: { brokers: 'kafka:9092', ...(values['kafka'] as object) } }))
    const without = pods.filter((pod) => environmentOf(pod).get('ALLOW_INSECURE_TRANSPORT')?.value !== 'yes')
    // The pod of `helm test` connects to the gateway only.
    expect(without.map(({ component }) => component)).toEqual(['test'])
  })

  it('is not refused by default: no pod gets the setting', () => {
    for (const pod of podsOf(render('everything-on')))
      expect(environmentOf(pod).has('ALLOW_INSECURE_TRANSPORT')).toBe(false)
  })
})

describe('a value from the command line', () => {
  const versionOf = (args: readonly string[]) =>
    findFor(runHelmTemplate('default', args), 'Deployment', 'contract').spec.template.metadata.annotations

  it('of secretsVersion may be a number, however large [H17]', () => {
    expect(versionOf(['--set', 'secretsVersion=2'])).toEqual({ 'paraph/secrets-version': '2' })
    expect(versionOf(['--set', 'secretsVersion=20261127'])).toEqual({ 'paraph/secrets-version': '20261127' })
    expect(
      findFor(render('default', { secretsVersion: 20261127 }), 'Deployment', 'contract').spec.template.metadata,
    ).toMatchObject({ annotations: { 'paraph/secrets-version': '20261127' } })
  })

  it('removes an id with null, so that OpenShift chooses it [H18]', () => {
    const pods = podsOf(
      runHelmTemplate('default', [
        '--set',
        'defaults.podSecurityContext.runAsUser=null,defaults.podSecurityContext.runAsGroup=null',
      ]),
    )
    expect(pods.length).toBeGreaterThan(9)
    for (const { spec } of pods)
      expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
  })
})

describe('after an install, the chart prints', () => {
  it('the ports that mails may use, which may miss that of SMTP_URL [H20]', () => {
    expect(notes('default')).toContain('the ports 465, 587 only')
    expect(notes('default', { networkPolicy: { smtp: { ports: [2525] } } })).toContain('the ports 2525 only')
    expect(notes('plain-jobs')).not.toContain('SMTP_URL')
  })

  it('that nobody may scrape, if alerts need it [H20]', () => {
    const alerts = { enabled: true, runbookBaseUrl: 'https://runbooks.example' }
    expect(notes('default', { alerts })).toContain('set networkPolicy.prometheusFrom')
    expect(notes('default', { alerts, networkPolicy: { prometheusFrom: [{ podSelector: {} }] } })).not.toContain(
      'prometheusFrom',
    )
    expect(notes('default')).not.toContain('prometheusFrom')
  })
})

describe('with the remedy in its message, the chart refuses', () => {
  it.each<[string, Values, string]>([
    ['without a tag', { image: { tag: '' } }, 'image.tag is empty'],
    ['with the tag latest', { image: { tag: 'latest' } }, 'set it to a version'],
    ['without an image', { image: { repository: '' } }, 'image.repository is empty'],
  ])('an image %s [H29]', (_, values, message) => {
    expect(refusal('default', values)).toContain(message)
  })

  it.each<[string, Values, string]>([
    ['an empty public URL', { publicUrl: '' }, 'publicUrl is empty'],
    ['no mail sender', { components: { notification: { settings: { MAIL_FROM_ADDRESS: '' } } } }, 'MAIL_FROM_ADDRESS'],
    ['Kafka without brokers', { eventBus: 'kafka' }, 'kafka.brokers is empty'],
    ['an authority without TLS', { defaults: { secretOverrides: { KAFKA_TLS_CA: {} } } }, 'set kafka.tls to on'],
    ['two authorities', { caBundle: { existingSecret: 'x', existingConfigMap: 'y' } }, 'remove one of them'],
    ['no memory limit', { defaults: { resources: { limits: { memory: null } } } }, 'resources.limits.memory is empty'],
    [
      'a monitor of pods that nobody may scrape',
      { telemetry: { metrics: { podMonitor: { enabled: true } } } },
      'networkPolicy.prometheusFrom is empty',
    ],
    ['more in-sync replicas than replicas', { kafka: { topics: { replicas: 1 } } }, 'no event could be published'],
    [
      'an Ingress beside an HTTPRoute',
      { ingress: { enabled: true }, httpRoute: { enabled: true } },
      'disable one of them',
    ],
    ['a route without a Gateway', { httpRoute: { enabled: true } }, 'set it to the Gateway'],
    [
      'a monitor without metrics',
      { telemetry: { metrics: { enabled: false, podMonitor: { enabled: true } } } },
      'enable telemetry.metrics',
    ],
    ['alerts without runbooks', { alerts: { enabled: true } }, 'alerts.runbookBaseUrl is empty'],
    [
      'exported metrics without an endpoint',
      { telemetry: { otlp: { metrics: true } } },
      'set the endpoint of the collector',
    ],
    [
      'documents in an object store without its URL',
      { components: { signing: { settings: { DOCUMENT_STORE: 's3' } } } },
      'secretOverrides does not name OBJECT_STORE_URL',
    ],
    [
      'payment at Stripe without its secrets',
      { components: { gateway: { settings: { BILLING: 'stripe', STRIPE_PRICES: 'price_1Ab=startup' } } } },
      'secretOverrides does not name STRIPE_SECRET_KEY',
    ],
    [
      'payment at Stripe without prices',
      {
        components: {
          gateway: {
            settings: { BILLING: 'stripe' },
            secretOverrides: { STRIPE_SECRET_KEY: {}, STRIPE_WEBHOOK_SECRET: {} },
          },
        },
      },
      'STRIPE_PRICES is empty',
    ],
  ])('%s [H32]', (_, values, message) => {
    expect(refusal('default', values)).toContain(message)
  })

  it('in-memory windows with several gateways [D27]', () => {
    const memory = { components: { gateway: { settings: { WINDOW_STORE: 'memory' } } } }
    expect(refusal('default', memory)).toContain('Set it to postgres')
    expect(refusal('single-replica', { defaults: { autoscaling: { enabled: true } } })).toContain('Set it to postgres')
    expect(() => render('single-replica')).not.toThrow()
  })

  it('more consumers than partitions, on either bus [H23]', () => {
    const upTo = (maxReplicas: number, topics = {}) => ({
      kafka: { topics },
      components: { notification: { autoscaling: { enabled: true, maxReplicas } } },
    })
    expect(refusal('default', upTo(9))).toContain('the bus has 8 partitions')
    expect(() => render('default', upTo(8))).not.toThrow()
    expect(refusal('kafka', upTo(17))).toContain('the bus has 16 partitions')
    expect(() => render('kafka', upTo(17, { partitions: 17 }))).not.toThrow()
  })

  it('no number of signing pods, because they share the queue of seals [H23]', () => {
    const signing = { autoscaling: { enabled: true, maxReplicas: 30 } }
    expect(() => render('default', { components: { signing } })).not.toThrow()
  })

  it('zero pods, because the relay and the sweeps run in the pods [H23]', () => {
    expect(refusal('default', { defaults: { replicaCount: 0 } })).toContain('replicaCount')
    expect(refusal('default', { defaults: { autoscaling: { minReplicas: 0 } } })).toContain('minReplicas')
  })
})

describe('Chart.yaml', () => {
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Record<string, unknown> & {
    annotations: Record<string, string>
  }

  it('has the metadata for Artifact Hub and the version of the product [H30]', () => {
    const { version } = JSON.parse(readFileSync(join(CHART, '../../package.json'), 'utf8')) as { version: string }
    expect(chart).toMatchObject({ type: 'application', version, appVersion: version, kubeVersion: '>=1.30.0-0' })
    expect((chartValues()['image'] as { tag: string }).tag).toBe(version)
    expect(chart.annotations).toMatchObject({ 'artifacthub.io/license': 'Apache-2.0' })
    const changes = parse(chart.annotations['artifacthub.io/changes']!) as { kind: string; description: string }[]
    expect(changes.length).toBeGreaterThan(0)
    for (const { kind, description } of changes) {
      expect(['added', 'changed', 'deprecated', 'removed', 'fixed', 'security']).toContain(kind)
      expect(description).toMatch(/\.$/)
    }
  })
})
