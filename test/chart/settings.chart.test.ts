// Checks that a pod's environment contains exactly the settings that its config.ts reads, and secrets only by reference.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readConfig as readLauncherConfig } from '@paraph/paraph/config'
import { installationSecrets } from '@paraph/paraph/installation/installation-secrets'
import { makeSecrets } from '@paraph/paraph/installation/secrets'
import { readContractConfig } from '@paraph/contract/config'
import { readGatewayConfig } from '@paraph/gateway/config'
import { readNotificationConfig } from '@paraph/notification/config'
import { readSigningConfig } from '@paraph/signing/config'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import {
  CI_VALUES,
  COMPONENTS,
  chartValues,
  environmentOf,
  ofKind,
  podOf,
  podsOf,
  render,
  type Component,
  type Manifest,
  type Pod,
  type Values,
} from './rendered.js'

const READERS: Readonly<Record<Component, () => unknown>> = {
  contract: readContractConfig,
  gateway: readGatewayConfig,
  notification: readNotificationConfig,
  signing: readSigningConfig,
}

/** Settings for tests and the local start, and HOST, because an image always listens on 0.0.0.0. */
const NOT_IN_CHART = ['FAIL_POINT_DIR', 'HOST', 'LOCAL_HOME_URL']
/** Variables of Node and OpenTelemetry, and those that they refer to. */
const PLATFORM_VARIABLE = /^(NODE_(ENV|OPTIONS|EXTRA_CA_CERTS)|OTEL_\w+|K8S_(NODE_NAME|POD_NAME|POD_UID))$/
/** Names of settings whose value must never be in a manifest. */
const SECRET =
  /(DATABASE_URL|DIRECT_URL|OWNER_URL|SMTP_URL|_KEYS?|_PEPPERS|_SECRET|_P12|_PASSWORD|_USERNAME|_CERTIFICATES?|_CERT|_CA|_HEADERS)$/

const KEYRING = `k1:${Buffer.alloc(32).toString('base64')}`
/** A valid value for a setting that comes from a Secret. */
function secretValue(name: string): string {
  if (name === 'SMTP_URL') return 'smtps://user:password@mail.example.com'
  if (name.endsWith('_URL')) return 'postgres://user:password@db.example.com/paraph?sslmode=verify-full'
  if (name === 'CALLER_PUBLIC_KEYS') return '{"gateway":["c3BraQ=="]}'
  if (/^KAFKA_TLS_(CA|CERT)$/.test(name)) return '-----BEGIN CERTIFICATE-----'
  if (name === 'KAFKA_TLS_KEY') return '-----BEGIN PRIVATE KEY-----'
  if (/^(CODE|SHARE_TOKEN)_(KEYS|PEPPERS)$/.test(name)) return KEYRING
  return Buffer.alloc(48).toString('base64')
}

const plain = (pod: Pod): Record<string, string> =>
  Object.fromEntries(pod.container.env.map(({ name, value }) => [name, value ?? secretValue(name)]))

/** Runs a config reader in a pod's environment. @returns the names that the reader reads, and its error if it refuses a value */
function read(reader: () => unknown, environment: Record<string, string>): { names: string[]; error?: string } {
  const names = new Set<string>()
  const record = (name: string | symbol): void => void (typeof name === 'string' && names.add(name))
  const { env, exit, stderr } = process
  const write = stderr.write.bind(stderr)
  const output: string[] = []
  process.env = new Proxy(environment, {
    get: (target, name) => (record(name), Reflect.get(target, name) as unknown),
    has: (target, name) => (record(name), Reflect.has(target, name)),
  })
  process.exit = () => {
    throw new Error('refused')
  }
  stderr.write = (text: string | Uint8Array) => output.push(String(text)) > 0
  try {
    reader()
    return { names: [...names].sort() }
  } catch (error) {
    return { names: [...names].sort(), error: output.join('') || String(error) }
  } finally {
    process.env = env
    process.exit = exit
    stderr.write = write
  }
}

/** Values that set every setting. */
function everySetting(): Values {
  type Secrets = Record<string, { key: string }>
  const { components, kafka } = chartValues() as {
    components: Record<Component, { secrets: Secrets; settings: Record<string, unknown> }>
    kafka: { topics: { secrets: Secrets } }
  }
  const keyed = (secrets: Secrets) =>
    Object.fromEntries(Object.entries(secrets).map(([name, { key }]) => [name, { key: key || name }]))
  const filled = Object.entries(components).map(([name, { secrets, settings }]) => [
    name,
    {
      secrets: keyed(secrets),
      settings: Object.fromEntries(
        Object.entries(settings).flatMap(([each, value]) =>
          value === '' ? [[each, FILLED[each] ?? `no value for ${each}`]] : [],
        ),
      ),
    },
  ])
  return {
    allowInsecureTransport: true,
    acceptMixedRestore: true,
    operatorAddress: 'help@example.com',
    statusUrl: 'https://status.example.com',
    components: Object.fromEntries(filled) as object,
    kafka: {
      ...kafka,
      topics: { secrets: keyed(kafka.topics.secrets) },
      ca: { existingSecret: 'ca' },
      tls: 'on',
      brokers: 'kafka:9092',
      saslMechanism: 'PLAIN',
    },
  }
}
const FILLED: Readonly<Record<string, string | number>> = {
  KEEP_CONTRACTS_DAYS: 30,
  TRUSTED_PROXY_HOPS: 2,
  HOLD_MAILS_BEFORE: '2026-11-23T10:30:00Z',
  OPERATOR_EMAILS: 'ops@example.com',
  MAIL_FROM_ADDRESS: 'sign@example.com',
  MAIL_DOMAIN: 'example.com',
}
const everythingOn = (eventBus: 'postgres' | 'kafka') => render('default', { ...everySetting(), eventBus })

describe.each(COMPONENTS)('%s', (component) => {
  it.each(CI_VALUES)('accepts the environment that the values %s give [H17]', (ci) => {
    expect(read(READERS[component], plain(podOf(render(ci), component))).error).toBeUndefined()
  })

  it.each(['postgres', 'kafka'] as const)('gets exactly the settings that it reads, on the %s bus [H17]', (bus) => {
    const environment = plain(podOf(everythingOn(bus), component))
    const { names, error } = read(READERS[component], environment)
    expect(error).toBeUndefined()
    const settings = names.filter((name) => !NOT_IN_CHART.includes(name) && name !== 'NODE_ENV')
    expect(settings).toContain('DATABASE_URL')
    expect(
      Object.keys(environment)
        .filter((name) => !PLATFORM_VARIABLE.test(name))
        .sort(),
    ).toEqual(settings)
  })
})

describe('paraph', () => {
  const settingsOf = (manifests: readonly Manifest[], component: string) => {
    const pod = podsOf(manifests).find((each) => each.component === component)!
    return { pod, environment: plain(pod), argument: pod.container.args.filter((each) => !each.startsWith('--import')) }
  }

  it('gets every setting that `topics apply` reads [D50]', () => {
    const { environment, argument } = settingsOf(everythingOn('kafka'), 'topics')
    expect(argument).toEqual(['tools/paraph/paraph.mjs', 'topics', 'apply'])
    const { names, error } = read(readLauncherConfig, environment)
    expect(error).toBeUndefined()
    const ours = Object.keys(environment).filter((name) => !PLATFORM_VARIABLE.test(name))
    expect(ours.sort()).toEqual(names.filter((name) => /^(EVENT_BUS|KAFKA_|ALLOW_)/.test(name)))
  })

  it.each([
    ['everything-on', 5],
    ['kafka', 4],
  ] as const)('gets the URL of every database that it verifies: %s, %i databases [I1-I14]', (ci, databases) => {
    const { environment, argument } = settingsOf(render(ci), 'verify')
    expect(argument).toEqual(['tools/paraph/paraph.mjs', 'verify', 'invariants', '--since', '24h'])
    const { names, error } = read(readLauncherConfig, environment)
    expect(error).toBeUndefined()
    const ours = Object.keys(environment).filter((name) => !PLATFORM_VARIABLE.test(name))
    expect(ours).toHaveLength(databases)
    expect(names).toEqual(expect.arrayContaining(ours))
  })
})

describe('secrets', () => {
  it.each(CI_VALUES)('of %s appear in no manifest, and no manifest creates a Secret [H17]', (ci) => {
    const manifests = render(ci)
    expect(ofKind(manifests, 'Secret')).toEqual([])
    for (const pod of podsOf(manifests))
      for (const { name, value, valueFrom } of pod.container.env)
        if (SECRET.test(name)) expectWithMessage(valueFrom?.secretKeyRef, `${name} of ${pod.of}`).toBeDefined()
        else expectWithMessage(value ?? '', `${name} of ${pod.of}`).not.toMatch(/:\/\/[^/]*:[^/]*@/)
  })

  it('are files instead of variables with secretsAsFiles, and every program accepts them [H17]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'paraph-secrets-'))
    const choices = { ...everySetting(), eventBus: 'kafka', verify: { enabled: true } }
    const variables = podsOf(render('default', choices))
    for (const pod of podsOf(render('default', { ...choices, secretsAsFiles: true }))) {
      const before = variables.find(({ of }) => of === pod.of)!.container.env
      const secrets = before.filter(({ valueFrom }) => valueFrom?.secretKeyRef)
      if (secrets.length === 0) continue
      const files = pod.spec.volumes.flatMap(({ projected }) => projected?.sources ?? [])
      expectWithMessage(
        files.map(({ secret: { name, items } }) => [items[0]!.path, name, items[0]!.key]).toSorted(),
        pod.of,
      ).toEqual(
        secrets
          .map(({ name, valueFrom: from }) => [name, from!.secretKeyRef!.name, from!.secretKeyRef!.key])
          .toSorted(),
      )
      expect(pod.container.volumeMounts).toContainEqual(
        expect.objectContaining({ name: 'secrets', mountPath: '/etc/paraph/secrets', readOnly: true }),
      )
      expect(pod.container.env.filter(({ valueFrom }) => valueFrom?.secretKeyRef)).toEqual([])

      // The program reads the files where the pod has them.
      const environment = Object.fromEntries(
        pod.container.env.map(({ name, value = '' }) => [name, value.replace('/etc/paraph/secrets', folder)]),
      )
      for (const { name } of secrets) await writeFile(join(folder, name), `${secretValue(name)}\n`)
      const reader = READERS[pod.component as Component] ?? readLauncherConfig
      if (pod.component !== 'migrate') expectWithMessage(read(reader, environment).error, pod.of).toBeUndefined()
    }
    await rm(folder, { recursive: true })
  })

  it('come from the component’s own Secret, unless the values name another Secret [H17]', () => {
    const environment = environmentOf(podOf(render('everything-on'), 'gateway'))
    const of = (name: string) => environment.get(name)?.valueFrom?.secretKeyRef
    expect(of('DATABASE_URL')).toEqual({ name: 'gateway-pooler', key: 'uri' })
    expect(of('DATABASE_DIRECT_URL')).toEqual({ name: 'paraph-gateway', key: 'DATABASE_DIRECT_URL' })
    const signing = environmentOf(podOf(render('everything-on'), 'signing'))
    expect([signing.has('SEAL_P12'), signing.has('SEAL_KEY')]).toEqual([true, false])
  })

  it('have the names and keys that `paraph secrets make` creates [H17]', async () => {
    const servers = { postgres: 'postgres://db.example.com/', smtp: 'smtp://mail.example.com' }
    const secrets = installationSecrets(await makeSecrets(), servers, 'password')
    const available = Object.entries(secrets).flatMap(([name, keys]) =>
      Object.keys(keys).map((key) => `paraph-${name}/${key}`),
    )
    const required = podsOf(render('default', { verify: { enabled: true } })).flatMap(({ container }) =>
      container.env.flatMap(({ valueFrom }) =>
        valueFrom?.secretKeyRef ? [`${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`] : [],
      ),
    )
    expect(required.filter((each) => !available.includes(each))).toEqual([])
    // No pod reads the operator's key and the passwords of the roles, which are for people.
    const left = available.filter((each) => !required.includes(each)).map((each) => each.split('/')[0])
    expect(new Set(left)).toEqual(new Set(['paraph-operator', 'paraph-roles']))
  })

  it('of the database owners reach only the migrations [H15, H17]', () => {
    const readers = podsOf(render('everything-on')).filter(({ container }) =>
      container.env.some(({ valueFrom }) => valueFrom?.secretKeyRef?.name === 'paraph-owners'),
    )
    expect(new Set(readers.map(({ component }) => component))).toEqual(new Set(['migrate']))
  })
})
