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
import { everySetting } from './values-schema.js'

const READERS: Readonly<Record<Component, () => unknown>> = {
  contract: readContractConfig,
  gateway: readGatewayConfig,
  notification: readNotificationConfig,
  signing: readSigningConfig,
}

/** Settings for tests and the local start, and HOST, because an image always listens on 0.0.0.0. */
const NOT_IN_CHART = ['FAIL_POINT_DIR', 'HOST', 'LOCAL_HOME_URL', 'WEBHOOKS_TO_LOOPBACK']
/** Variables of Node and OpenTelemetry, those that they refer to, and the one that ci/ adds. */
const PLATFORM_VARIABLE = /^(TZ|NODE_(ENV|OPTIONS|EXTRA_CA_CERTS)|OTEL_\w+|K8S_(NODE_NAME|POD_NAME|POD_UID))$/
/** Names of settings whose value must never be in a manifest. */
const SECRET =
  /(DATABASE_URL|DIRECT_URL|OWNER_URL|SMTP_URL|STORE_URL|_KEYS?|_PEPPERS|_SECRET|_P12|_PASSWORD|_USERNAME|_CERTIFICATES?|_CERT|_CA|_HEADERS)$/

const KEYRING = `k1:${Buffer.alloc(32).toString('base64')}`
/** A valid value for a setting that comes from a Secret. */
function secretValue(name: string): string {
  if (name === 'SMTP_URL') return 'smtps://user:password@mail.example.com'
  if (name.endsWith('OBJECT_STORE_URL')) return 'https://key:secret@store.example.com/bucket'
  if (name === 'STRIPE_SECRET_KEY') return 'sk_live_1'
  if (name === 'STRIPE_WEBHOOK_SECRET') return 'whsec_1'
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

const everythingOn = (eventBus: 'postgres' | 'kafka', withP12?: boolean) =>
  render('default', { ...everySetting(withP12), eventBus })

describe.each(COMPONENTS)('%s', (component) => {
  it.each(CI_VALUES)('accepts the environment that the values %s give [H17]', (ci) => {
    expect(read(READERS[component], plain(podOf(render(ci), component))).error).toBeUndefined()
  })

  it.each(['postgres', 'kafka'] as const)('gets exactly the settings that it reads, on the %s bus [H17]', (bus) => {
    const given = new Set<string>()
    for (const withP12 of [false, true]) {
      const environment = plain(podOf(everythingOn(bus, withP12), component))
      const { names, error } = read(READERS[component], environment)
      expect(error).toBeUndefined()
      for (const name of Object.keys(environment)) if (!PLATFORM_VARIABLE.test(name)) given.add(name)
      if (!withP12) continue
      const settings = names.filter((name) => !NOT_IN_CHART.includes(name) && name !== 'NODE_ENV')
      expect(settings).toContain('DATABASE_URL')
      expect([...given].sort()).toEqual(settings)
    }
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

  it('have their own name as key, also in another Secret, and an optional one is used only if it is named [H17]', () => {
    const secretsOf = (gateway: Values) => {
      const environment = environmentOf(podOf(render('default', { components: { gateway } }), 'gateway'))
      return (name: string) => environment.get(name)?.valueFrom?.secretKeyRef
    }
    expect(secretsOf({})('WINDOW_DATABASE_URL')).toBeUndefined()
    const named = secretsOf({
      existingSecret: 'vault',
      secretOverrides: { WINDOW_DATABASE_URL: {}, PAGE_SECRET: { name: 'pages' }, CODE_KEYS: { key: 'codes' } },
    })
    expect(named('DATABASE_URL')).toEqual({ name: 'vault', key: 'DATABASE_URL' })
    expect(named('WINDOW_DATABASE_URL')).toEqual({ name: 'vault', key: 'WINDOW_DATABASE_URL' })
    expect(named('PAGE_SECRET')).toEqual({ name: 'pages', key: 'PAGE_SECRET' })
    expect(named('CODE_KEYS')).toEqual({ name: 'vault', key: 'codes' })
  })

  it('of a Job come from another Secret if the values say so [H17]', () => {
    const refsOf = (component: string, values: Values) =>
      podsOf(render('default', values))
        .filter((pod) => pod.component === component)
        .flatMap(({ container }) => container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []))
        .toSorted((a, b) => a.key.localeCompare(b.key))
    const migrations = { secretOverrides: { SIGNING_OWNER_URL: { name: 'signing-db', key: 'uri' } } }
    expect(refsOf('migrate', { migrations })).toEqual([
      { name: 'paraph-owners', key: 'BUS_OWNER_URL' },
      { name: 'paraph-owners', key: 'CONTRACT_OWNER_URL' },
      { name: 'paraph-owners', key: 'GATEWAY_OWNER_URL' },
      { name: 'paraph-owners', key: 'NOTIFICATION_OWNER_URL' },
      { name: 'signing-db', key: 'uri' },
    ])
    const verify = { enabled: true, existingSecret: 'readers' }
    expect(refsOf('verify', { verify }).map(({ name }) => name)).toEqual(Array(5).fill('readers'))
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
