import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { z } from 'zod'
import { checkConfig } from '@paraph/config/config'
import { busSettings, kafkaConnectionOf } from './bus-settings.js'

const folder = mkdtempSync(join(tmpdir(), 'paraph-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileOf = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const PEM = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'
const KEY = '-----BEGIN PRIVATE KEY-----\nKey\n-----END PRIVATE KEY-----\n'
const check = (environment: Record<string, string>) => checkConfig(environment, busSettings, { OTHER: z.url() })
const OTHER = 'http://other.test'

/** Setting → error. */
function errorsOf(environment: Record<string, string>): Record<string, string> {
  const result = check({ OTHER, ...environment })
  return 'config' in result
    ? {}
    : Object.fromEntries(result.errors.map((error) => error.trim().split(/: (.*)/s) as [string, string]))
}

function connectionOf(environment: Record<string, string>) {
  const result = check({ OTHER, EVENT_BUS: 'kafka', ...environment })
  if (!('config' in result) || result.config.EVENT_BUS !== 'kafka') throw new Error(JSON.stringify(result))
  return kafkaConnectionOf(result.config, 'paraph-test')
}

it('the bus is the embedded one by default, and then requires its database URL [D50]', () => {
  const BUS_DATABASE_URL = 'postgres://bus.test/bus'
  expect(check({ OTHER, BUS_DATABASE_URL, KAFKA_SASL_MECHANISM: 'GSSAPI' })).toEqual({
    config: { OTHER, EVENT_BUS: 'postgres', BUS_DATABASE_URL },
  })
  expect(Object.keys(errorsOf({}))).toEqual(['BUS_DATABASE_URL'])
})

it('EVENT_BUS=kafka requires brokers and no database URL [D50]', () => {
  expect(connectionOf({ KAFKA_BROKERS: 'a.test:9092, [::1]:9093' })).toEqual({
    brokers: ['a.test:9092', '[::1]:9093'],
    clientId: 'paraph-test',
  })
  expect(errorsOf({ EVENT_BUS: 'kafka' })).toEqual({ KAFKA_BROKERS: 'is required with EVENT_BUS=kafka' })
})

it('one error lists every invalid setting, of the bus and of everything else', () => {
  const result = check({ EVENT_BUS: 'kafka', KAFKA_BROKERS: 'a.test', KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512' })
  expect('errors' in result && result.errors.map((error) => error.trim().split(':')[0]).toSorted()).toEqual([
    'KAFKA_BROKERS',
    'KAFKA_SASL_PASSWORD',
    'KAFKA_SASL_USERNAME',
    'OTHER',
  ])
})

it.each([
  [{ EVENT_BUS: 'rabbit' }, { EVENT_BUS: 'must be postgres or kafka' }],
  [{ KAFKA_BROKERS: '' }, { KAFKA_BROKERS: /address 1 of 1 is not host:port/ }],
  [{ KAFKA_BROKERS: 'a.test:9092,b.test:99999' }, { KAFKA_BROKERS: /address 2 of 2 is not host:port/ }],
  [{ KAFKA_BROKERS: 'kafka://u:p@a.test:9092' }, { KAFKA_BROKERS: /^address 1 of 1 is not host:port$/ }],
  [{ KAFKA_TLS: 'yes' }, { KAFKA_TLS: /on/ }],
  [{ KAFKA_TLS_CA: PEM }, { KAFKA_TLS: 'must be on with KAFKA_TLS_CA' }],
  [{ KAFKA_TLS: 'on', KAFKA_TLS_CA: '/nowhere' }, { KAFKA_TLS_CA: /neither PEM text nor a file/ }],
  [{ KAFKA_TLS: 'on', KAFKA_TLS_CA: fileOf('no.pem', 'x') }, { KAFKA_TLS_CA: /without a certificate/ }],
  [{ KAFKA_TLS: 'on', KAFKA_TLS_CERT: PEM }, { KAFKA_TLS_KEY: 'is required with KAFKA_TLS_CERT' }],
  [{ KAFKA_TLS: 'on', KAFKA_TLS_KEY: KEY }, { KAFKA_TLS_CERT: 'is required with KAFKA_TLS_KEY' }],
  [{ KAFKA_TLS_CERT: PEM, KAFKA_TLS_KEY: KEY }, { KAFKA_TLS: 'must be on with KAFKA_TLS_CERT' }],
  [
    { KAFKA_TLS: 'on', KAFKA_TLS_CERT: PEM, KAFKA_TLS_KEY: fileOf('not-a-key.pem', PEM) },
    { KAFKA_TLS_KEY: /without a private key/ },
  ],
  [{ KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' }, { KAFKA_SASL_MECHANISM: /is required with/ }],
  [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' }, { KAFKA_SASL_PASSWORD: /is required with/ }],
  [
    { KAFKA_SASL_MECHANISM: 'GSSAPI', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' },
    { KAFKA_SASL_MECHANISM: /"plain"\|"scram-sha-256"\|"scram-sha-512"/ },
  ],
])('the bus settings refuse %j with an error message', (environment, errors) => {
  const expected = Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [name, expect.stringMatching(error) as unknown as string]),
  )
  expect(errorsOf({ EVENT_BUS: 'kafka', KAFKA_BROKERS: 'a.test:9092', ...environment })).toEqual(expected)
})

it.each([
  ['as text', PEM],
  ['as a file', fileOf('ca.pem', PEM)],
])('the client trusts the certificate authority of the brokers, given %s', (_, KAFKA_TLS_CA) => {
  const KAFKA_BROKERS = 'a.test:9092'
  expect(connectionOf({ KAFKA_BROKERS, KAFKA_TLS: 'on' }).tls).toEqual({})
  expect(connectionOf({ KAFKA_BROKERS, KAFKA_TLS: 'on', KAFKA_TLS_CA }).tls).toEqual({ caPem: PEM })
})

it('the client presents our certificate to the brokers, given as text or as files [D50]', () => {
  const settings = { KAFKA_BROKERS: 'a.test:9092', KAFKA_TLS: 'on' }
  const wanted = { certPem: PEM, keyPem: KEY }
  expect(connectionOf({ ...settings, KAFKA_TLS_CERT: PEM, KAFKA_TLS_KEY: KEY }).tls).toEqual(wanted)
  const files = { KAFKA_TLS_CERT: fileOf('client.pem', PEM), KAFKA_TLS_KEY: fileOf('client.key', KEY) }
  expect(connectionOf({ ...settings, ...files }).tls).toEqual(wanted)
})

it('the settings accept the mechanism in the spelling of Kafka, and an error never contains a password [I14]', () => {
  const sasl = { KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'hush-hush' }
  expect(connectionOf({ KAFKA_BROKERS: 'a.test:9092', ...sasl }).sasl).toEqual({
    mechanism: 'scram-sha-512',
    username: 'u',
    password: 'hush-hush',
  })
  expect(JSON.stringify(errorsOf({ ...sasl, EVENT_BUS: 'kafka', KAFKA_TLS: 'x' }))).not.toContain('hush')
})
