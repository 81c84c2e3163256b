// What reaches a pod's environment is what its config.ts reads: every setting, and no other; secrets by reference alone.
import { describe, expect, it } from 'vitest'
import { readConfig as readLauncherConfig } from '@paraph/local/config'
import { installationSecrets } from '@paraph/local/installation-secrets'
import { makeSecrets } from '@paraph/local/secrets'
import { readContractConfig } from '@paraph/contract/config'
import { readGatewayConfig } from '@paraph/gateway/config'
import { readNotificationConfig } from '@paraph/notification/config'
import { readSigningConfig } from '@paraph/signing/config'
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

/** For tests, the local start, and what an image listens on: 0.0.0.0, always. */
const NEVER = ['FAIL_POINT_DIR', 'HOST', 'LOCAL_HOME_URL']
/** Read by Node and by OpenTelemetry, and what those of OpenTelemetry are put together from. */
const OF_THE_PLATFORM = /^(NODE_(ENV|OPTIONS|EXTRA_CA_CERTS)|OTEL_\w+|K8S_(NODE_NAME|POD_NAME|POD_UID))$/
/** By their names: what may never be seen in a manifest. */
const SECRET =
  /(DATABASE_URL|DIRECT_URL|OWNER_URL|SMTP_URL|_KEYS?|_PEPPERS|_SECRET|_P12|_PASSWORD|_USERNAME|_CERTIFICATES?|_CERT|_CA|_HEADERS)$/

/** Values of the right kind for what comes from Secrets. */
const KEYRING = `k1:${Buffer.alloc(32).toString('base64')}`
function secretValue(name: string): string {
  if (name === 'SMTP_URL') return 'smtps://user:password@mail.example.com'
  if (name.endsWith('_URL')) return 'postgres://user:password@db.example.com/paraph'
  if (name === 'CALLER_PUBLIC_KEYS') return '{"gateway":["c3BraQ=="]}'
  if (/^KAFKA_TLS_(CA|CERT)$/.test(name)) return '-----BEGIN CERTIFICATE-----'
  if (name === 'KAFKA_TLS_KEY') return '-----BEGIN PRIVATE KEY-----'
  if (/^(CODE|SHARE_TOKEN)_(KEYS|PEPPERS)$/.test(name)) return KEYRING
  return Buffer.alloc(48).toString('base64')
}

const plain = (pod: Pod): Record<string, string> =>
  Object.fromEntries(pod.container.env.map(({ name, value }) => [name, value ?? secretValue(name)]))

/** Runs a reader of the environment on what a pod would have. @returns the names it asked for, and how it refused */
function read(reader: () => unknown, environment: Record<string, string>): { asked: string[]; refused?: string } {
  const asked = new Set<string>()
  const note = (name: string | symbol): void => void (typeof name === 'string' && asked.add(name))
  const { env, exit, stderr } = process
  const write = stderr.write.bind(stderr)
  const said: string[] = []
  process.env = new Proxy(environment, {
    get: (target, name) => (note(name), Reflect.get(target, name) as unknown),
    has: (target, name) => (note(name), Reflect.has(target, name)),
  })
  process.exit = () => {
    throw new Error('refused')
  }
  stderr.write = (text: string | Uint8Array) => said.push(String(text)) > 0
  try {
    reader()
    return { asked: [...asked].sort() }
  } catch (error) {
    return { asked: [...asked].sort(), refused: said.join('') || String(error) }
  } finally {
    process.env = env
    process.exit = exit
    stderr.write = write
  }
}

/** Values in which nothing is left empty. */
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
    ...{ operatorAddress: 'help@example.com', statusUrl: 'https://status.example.com' },
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
  it.each(CI_VALUES)('starts with what the values of %s give it [H17]', (ci) => {
    expect(read(READERS[component], plain(podOf(render(ci), component))).refused).toBeUndefined()
  })

  it.each(['postgres', 'kafka'] as const)(
    'can be given every setting that it reads, and no other, on %s [H17]',
    (bus) => {
      const environment = plain(podOf(everythingOn(bus), component))
      const { asked, refused } = read(READERS[component], environment)
      expect(refused).toBeUndefined()
      const settings = asked.filter((name) => !NEVER.includes(name) && name !== 'NODE_ENV')
      expect(settings).toContain('DATABASE_URL')
      expect(
        Object.keys(environment)
          .filter((name) => !OF_THE_PLATFORM.test(name))
          .sort(),
      ).toEqual(settings)
    },
  )
})

describe('paraph', () => {
  const settingsOf = (manifests: readonly Manifest[], component: string) => {
    const pod = podsOf(manifests).find((each) => each.component === component)!
    return { pod, environment: plain(pod), argument: pod.container.args.filter((each) => !each.startsWith('--import')) }
  }

  it('finds all that it reads of the topics [D50]', () => {
    const { environment, argument } = settingsOf(everythingOn('kafka'), 'topics')
    expect(argument).toEqual(['deploy/local/paraph.mjs', 'topics', 'apply'])
    const { asked, refused } = read(readLauncherConfig, environment)
    expect(refused).toBeUndefined()
    const ours = Object.keys(environment).filter((name) => !OF_THE_PLATFORM.test(name))
    expect(ours.sort()).toEqual(asked.filter((name) => /^(EVENT_BUS|KAFKA_)/.test(name)))
  })

  it.each([
    ['everything-on', 5],
    ['kafka', 4],
  ] as const)('finds all databases that it verifies: with %s %i of them [I1-I14]', (ci, databases) => {
    const { environment, argument } = settingsOf(render(ci), 'verify')
    expect(argument).toEqual(['deploy/local/paraph.mjs', 'verify', 'invariants', '--since', '24h'])
    const { asked, refused } = read(readLauncherConfig, environment)
    expect(refused).toBeUndefined()
    const ours = Object.keys(environment).filter((name) => !OF_THE_PLATFORM.test(name))
    expect(ours).toHaveLength(databases)
    expect(asked).toEqual(expect.arrayContaining(ours))
  })
})

describe('secrets', () => {
  it.each(CI_VALUES)('of %s stand in no manifest, and no manifest makes one [H17]', (ci) => {
    const manifests = render(ci)
    expect(ofKind(manifests, 'Secret')).toEqual([])
    for (const pod of podsOf(manifests))
      for (const { name, value, valueFrom } of pod.container.env)
        if (SECRET.test(name)) expect(valueFrom?.secretKeyRef, `${name} of ${pod.of}`).toBeDefined()
        else expect(value ?? '', `${name} of ${pod.of}`).not.toMatch(/:\/\/[^/]*:[^/]*@/)
  })

  it('come from the component’s own Secret, or from the one that a key names [H17]', () => {
    const environment = environmentOf(podOf(render('everything-on'), 'gateway'))
    const of = (name: string) => environment.get(name)?.valueFrom?.secretKeyRef
    expect(of('DATABASE_URL')).toEqual({ name: 'gateway-pooler', key: 'uri' })
    expect(of('DATABASE_DIRECT_URL')).toEqual({ name: 'paraph-gateway', key: 'DATABASE_DIRECT_URL' })
    const signing = environmentOf(podOf(render('everything-on'), 'signing'))
    expect([signing.has('SEAL_P12'), signing.has('SEAL_KEY')]).toEqual([true, false])
  })

  it('are those that `paraph secrets make` makes, name for name and key for key [H17]', async () => {
    const places = { postgres: 'postgres://db.example.com/', smtp: 'smtp://mail.example.com' }
    const made = installationSecrets(await makeSecrets(), places, 'password')
    const there = Object.entries(made).flatMap(([name, keys]) =>
      Object.keys(keys).map((key) => `paraph-${name}/${key}`),
    )
    const wanted = podsOf(render('default', { verify: { enabled: true } })).flatMap(({ container }) =>
      container.env.flatMap(({ valueFrom }) =>
        valueFrom?.secretKeyRef ? [`${valueFrom.secretKeyRef.name}/${valueFrom.secretKeyRef.key}`] : [],
      ),
    )
    expect(wanted.filter((each) => !there.includes(each))).toEqual([])
    // What is made and not asked for is for people: the operator's key, and the passwords of roles.
    const left = there.filter((each) => !wanted.includes(each)).map((each) => each.split('/')[0])
    expect(new Set(left)).toEqual(new Set(['paraph-operator', 'paraph-roles']))
  })

  it('of the databases’ owners reach the migrations and nobody else [H15, H17]', () => {
    const readers = podsOf(render('everything-on')).filter(({ container }) =>
      container.env.some(({ valueFrom }) => valueFrom?.secretKeyRef?.name === 'paraph-owners'),
    )
    expect(new Set(readers.map(({ component }) => component))).toEqual(new Set(['migrate']))
  })
})
