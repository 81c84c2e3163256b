// What may be asked of the chart, and what it refuses with a sentence.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { CHART, chartValues, refusal, render, type Values } from './rendered.js'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  $ref?: string
}
const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema & {
  $schema: string
  definitions: Record<string, Schema>
}
const resolved = (node: Schema): Schema => (node.$ref ? schema.definitions[node.$ref.split('/').at(-1)!]! : node)

/** Paths of the schema's objects that let anything in. */
function openPlaces(node: Schema, path: string): string[] {
  const own = node.properties && node.additionalProperties !== false ? [path] : []
  return [
    ...own,
    ...Object.entries(node.properties ?? {}).flatMap(([name, inner]) => openPlaces(resolved(inner), `${path}.${name}`)),
  ]
}

/** Paths of values that the schema does not name. */
function unmatched(node: Schema, value: unknown, path: string): string[] {
  const { properties } = resolved(node)
  if (!properties || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    properties[name] ? unmatched(properties[name], inner, `${path}.${name}`) : [`${path}.${name}`],
  )
}

describe('the schema', () => {
  it('is closed at every level that has names of ours, and names every value [H1]', () => {
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(openPlaces(schema, 'values')).toEqual([])
    expect(unmatched(schema, chartValues(), 'values')).toEqual([])
  })

  it.each<[string, Values, string]>([
    ['a component', { components: { gatway: { replicas: 1 } } }, "'gatway'"],
    ['a setting', { components: { gateway: { settings: { AUTO_APROVE: 'off' } } } }, "'AUTO_APROVE'"],
    ['another service’s setting', { components: { contract: { settings: { MAIL_DOMAIN: 'x' } } } }, "'MAIL_DOMAIN'"],
    ['a secret', { components: { signing: { secrets: { SMTP_URL: { key: 'x' } } } } }, "'SMTP_URL'"],
    ['a value at the top', { ingres: { enabled: true } }, "'ingres'"],
    ['a value that was taken away', { image: { registry: 'x' } }, "'registry'"],
  ])('refuses %s that it does not know, and names it [H1, H2]', (_, values, named) => {
    const said = refusal('default', values)
    expect(said).toContain('additional properties')
    expect(said).toContain(named)
  })

  it.each<[string, Values]>([
    ['a word', { components: { gateway: { settings: { AUTO_APPROVE: 'yes' } } } }],
    ['a number', { defaults: { settings: { DRAIN_SECONDS: 301 } } }],
    ['a path behind the address', { publicUrl: 'https://sign.example.com/paraph' }],
    ['memory in bytes, of which no heap can be reckoned', { defaults: { resources: { memory: '500000000' } } }],
    ['a password in place of a Secret', { components: { contract: { secrets: { DATABASE_URL: 'postgres://x' } } } }],
  ])('refuses %s that no service would take [H1]', (_, values) => {
    expect(refusal('default', values)).toContain('schema')
  })
})

describe('a refusal says what to do', () => {
  it.each<[string, Values, string]>([
    ['without a tag', { image: { tag: '' } }, 'image.tag is empty'],
    ['with the tag latest', { image: { tag: 'latest' } }, 'name the version'],
    ['without an image', { image: { repository: '' } }, 'image.repository is empty'],
  ])('of an image %s [H29]', (_, values, said) => {
    expect(refusal('default', values)).toContain(said)
  })

  it.each<[string, Values, string]>([
    ['no address of the installation', { publicUrl: '' }, 'publicUrl is empty'],
    ['no sender', { components: { notification: { settings: { MAIL_FROM_ADDRESS: '' } } } }, 'MAIL_FROM_ADDRESS'],
    ['Kafka without brokers', { eventBus: 'kafka' }, 'kafka.brokers is empty'],
    ['an authority without TLS', { kafka: { ca: { existingSecret: 'x' } } }, 'set kafka.tls to on'],
    ['more copies in sync than there are', { kafka: { topics: { replicas: 1 } } }, 'no event could be published'],
    ['two ways in', { ingress: { enabled: true }, httpRoute: { enabled: true } }, 'choose one way'],
    ['a route of no Gateway', { httpRoute: { enabled: true } }, 'name the Gateway'],
    [
      'a monitor of nothing',
      { telemetry: { metrics: { enabled: false, podMonitor: { enabled: true } } } },
      'nothing to scrape',
    ],
    ['metrics to nowhere', { telemetry: { otlp: { metrics: true } } }, 'say where to send them'],
    ['no Secret', { components: { signing: { existingSecret: '' } } }, 'No Secret is named for'],
  ])('of %s [H32]', (_, values, said) => {
    expect(refusal('default', values)).toContain(said)
  })

  it('of windows that each of several gateways would keep for itself [D27]', () => {
    const memory = { components: { gateway: { settings: { WINDOW_STORE: 'memory' } } } }
    expect(refusal('default', memory)).toContain('Set it to postgres')
    expect(refusal('single-replica', { defaults: { autoscaling: { enabled: true } } })).toContain('Set it to postgres')
    expect(() => render('single-replica')).not.toThrow()
  })

  it('of more consumers than the bus has partitions, on either bus [H23]', () => {
    const upTo = (maxReplicas: number, topics = {}) => ({
      kafka: { topics },
      components: { notification: { autoscaling: { enabled: true, maxReplicas } } },
    })
    expect(refusal('default', upTo(9))).toContain('the bus has 8 partitions')
    expect(() => render('default', upTo(8))).not.toThrow()
    expect(refusal('kafka', upTo(17))).toContain('the bus has 16 partitions')
    expect(() => render('kafka', upTo(17, { partitions: 17 }))).not.toThrow()
  })

  it('of no pod at all: relay and sweeps live in them [H23]', () => {
    expect(refusal('default', { defaults: { replicas: 0 } })).toContain('replicas')
    expect(refusal('default', { defaults: { autoscaling: { minReplicas: 0 } } })).toContain('minReplicas')
  })
})

describe('Chart.yaml', () => {
  const chart = parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')) as Record<string, unknown> & {
    annotations: Record<string, string>
  }

  it('says what Artifact Hub shows, and versions that are those of the product [H30]', () => {
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
