import { expect, it } from '@jest/globals'
import { createTokenSigner, createTokenVerifier } from '@paraph/rpc/service-token'
import { parseKeyring } from '@paraph/config/keyring'
import { SERVICES, type Caller } from '@paraph/protocol/services'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { isExporting, serviceEnvironment, telemetryEnvironment } from './environment.js'
import { INNER_PORTS, type Ports } from './ports.js'
import { makeSecrets } from './secrets.js'

const secrets = await makeSecrets()
const ports = Object.fromEntries(
  ['gateway', 'mailbox', ...INNER_PORTS].map((name, at) => [name, 20_000 + at]),
) as unknown as Ports
const basis = { ports, secrets }
const escaped = (pem: string): string => JSON.stringify(pem).slice(1, -1)

it('each key is given to one service only [D45, D46]', () => {
  const secret = {
    contract: [secrets.shareTokenKeys],
    signing: [
      secrets.codePeppers,
      secrets.signingCodeKeys,
      secrets.pageSecret,
      ...Object.values(secrets.evidenceKeys).flatMap(({ evidenceKey, sealKey }) => [evidenceKey, sealKey].map(escaped)),
    ],
    notification: [secrets.notificationCodeKeys],
    gateway: [],
  }
  for (const service of SERVICES) {
    const text = JSON.stringify(serviceEnvironment(service, basis))
    for (const other of SERVICES) {
      const keys = [...secret[other], secrets.callerKeys[other].private, secrets.rolePasswords[other].runtime]
      for (const key of keys)
        expectWithMessage(text.includes(key), `${other}'s key in ${service}`).toBe(other === service)
      expect(text).not.toContain(secrets.rolePasswords[other].owner)
    }
    expect(text).not.toContain(secrets.superuserPassword)
    expect(text).not.toContain(secrets.callerKeys.operator.private)
  }
})

it('the contract service accepts the service tokens of the gateway and of the operator [D45]', async () => {
  const { CALLER_PUBLIC_KEYS = '' } = serviceEnvironment('contract', basis)
  const verify = createTokenVerifier('contract', JSON.parse(CALLER_PUBLIC_KEYS) as Record<Caller, string[]>)
  for (const caller of ['gateway', 'operator'] as const) {
    const token = await createTokenSigner(caller, secrets.callerKeys[caller].private).signCached('contract')
    expect((await verify(`Bearer ${token}`)).issuer).toBe(caller)
  }
})

it('the services can parse the keyrings [D46]', () => {
  for (const text of [
    secrets.shareTokenKeys,
    secrets.codePeppers,
    secrets.signingCodeKeys,
    secrets.notificationCodeKeys,
  ]) {
    expect(parseKeyring(text).currentId).toBe('k1')
  }
})

it('each service connects to its own database and to the bus, as its runtime role [D50]', () => {
  const environment = serviceEnvironment('signing', basis)
  expect(new URL(environment['DATABASE_URL'] ?? '')).toMatchObject({
    username: 'signing_runtime',
    pathname: '/signing',
  })
  expect(new URL(environment['BUS_DATABASE_URL'] ?? '')).toMatchObject({
    username: 'signing_runtime',
    pathname: '/bus',
  })
  expect(environment['SHARE_BASE_URL']).toBe('http://localhost:20000')
})

it('a service on Kafka has no access to the embedded bus [D50]', () => {
  const environment = serviceEnvironment('signing', { ...basis, eventBus: 'kafka' })
  expect(environment).toMatchObject({ EVENT_BUS: 'kafka' })
  expect(environment).not.toHaveProperty('BUS_DATABASE_URL')
})

it('a service exports telemetry only if a target is configured or requested, under a service name of its own [D51]', () => {
  expect(isExporting({ OTEL_SERVICE_NAME: 'mine', OTEL_TRACES_SAMPLER: 'always_on' })).toBe(false)
  expect(isExporting({ OTEL_METRICS_EXPORTER: 'none' })).toBe(false)
  expect(isExporting({ OTEL_METRICS_EXPORTER: 'otlp,prometheus' })).toBe(true)
  const inherited = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c.test:4318', OTEL_RESOURCE_ATTRIBUTES: 'site=north' }
  expect(isExporting(inherited)).toBe(true)
  expect(telemetryEnvironment('signing', inherited)).toEqual({
    OTEL_SERVICE_NAME: 'signing',
    OTEL_RESOURCE_ATTRIBUTES: 'service.namespace=paraph,site=north',
    OTEL_NODE_EXPERIMENTAL_SDK_METRICS: 'true',
  })
})
