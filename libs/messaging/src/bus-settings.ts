// The settings of the bus: EVENT_BUS decides which of the others are required. [D50]
// Owns: their names and checks. Does not own: reading the environment (config.ts) and opening the bus (open-event-bus.ts).
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { databaseUrlSetting } from '@paraph/config/config'
import type { KafkaConnection } from './kafka/client.js'

const BROKER = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i

/** `host:port,host:port`: some brokers, from which the client learns the others. */
const brokersSetting = z.string({ error: 'is required with EVENT_BUS=kafka' }).transform((text, context) => {
  const brokers = text.split(',').map((broker) => broker.trim())
  // Names the position, not the value: it may contain a password.
  for (const [index, broker] of brokers.entries())
    if (!(Number(BROKER.exec(broker)?.[1]) <= 65_535))
      context.addIssue({ code: 'custom', message: `address ${index + 1} of ${brokers.length} is not host:port` })
  return brokers
})

/** PEM text, or the file that holds it. */
const pemSetting = (what: string, begin: RegExp) =>
  z.string().transform((text, context) => {
    if (text.startsWith('-----BEGIN ')) return text
    try {
      const pem = readFileSync(text, 'utf8')
      if (begin.test(pem)) return pem
      context.addIssue({ code: 'custom', message: `names a file without ${what} in PEM` })
    } catch {
      context.addIssue({ code: 'custom', message: 'is neither PEM text nor a file that can be read' })
    }
    return z.NEVER
  })
const certificateSetting = pemSetting('a certificate', /-----BEGIN CERTIFICATE-----/)

const kafkaShape = {
  /** Some brokers, `host:port,host:port`; the client learns the others from them. Required with `EVENT_BUS=kafka`. */
  KAFKA_BROKERS: brokersSetting,
  /** Connect to the brokers by TLS. */
  KAFKA_TLS: z.enum(['on', 'off']).default('off'),
  /** The CA of the brokers' certificates. By default the CAs that Node trusts. */
  KAFKA_TLS_CA: certificateSetting.optional(),
  /** Our client certificate with its issuers, for brokers that require one. */
  KAFKA_TLS_CERT: certificateSetting.optional(),
  /** The private key of KAFKA_TLS_CERT. */
  KAFKA_TLS_KEY: pemSetting('a private key', /-----BEGIN (?:EC |RSA )?PRIVATE KEY-----/).optional(),
  /** How clients authenticate: `plain`, `scram-sha-256` or `scram-sha-512`. If unset, they do not authenticate. */
  KAFKA_SASL_MECHANISM: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['plain', 'scram-sha-256', 'scram-sha-512']))
    .optional(),
  /** Required with KAFKA_SASL_MECHANISM. */
  KAFKA_SASL_USERNAME: z.string().min(1).optional(),
  /** Required with KAFKA_SASL_MECHANISM. */
  KAFKA_SASL_PASSWORD: z.string().min(1).optional(),
}

const REQUIRES: readonly [setting: keyof typeof kafkaShape, required: keyof typeof kafkaShape][] = [
  ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME'],
  ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_PASSWORD'],
  ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_MECHANISM'],
  ['KAFKA_SASL_PASSWORD', 'KAFKA_SASL_MECHANISM'],
  ['KAFKA_TLS_CERT', 'KAFKA_TLS_KEY'],
  ['KAFKA_TLS_KEY', 'KAFKA_TLS_CERT'],
]

const TLS_FILES = ['KAFKA_TLS_CA', 'KAFKA_TLS_CERT', 'KAFKA_TLS_KEY'] as const

const kafka = z.object({ EVENT_BUS: z.literal('kafka'), ...kafkaShape }).superRefine(
  (settings, context) => {
    const missing = REQUIRES.filter(([setting, required]) => settings[setting] && settings[required] === undefined)
    for (const [setting, required] of missing)
      context.addIssue({ code: 'custom', path: [required], message: `is required with ${setting}` })
    // A configured CA implies TLS: without it the password would travel in the clear.
    const tlsSetting = TLS_FILES.find((setting) => settings[setting] !== undefined)
    if (tlsSetting !== undefined && settings.KAFKA_TLS === 'off')
      context.addIssue({ code: 'custom', path: ['KAFKA_TLS'], message: `must be on with ${tlsSetting}` })
  },
  // Runs even when one setting is invalid, so that every error is reported together.
  { when: () => true },
)

const error = 'must be postgres or kafka'
const postgres = z.literal('postgres').default('postgres')

/** The bus settings of every service. */
export const busSettings = z.discriminatedUnion(
  'EVENT_BUS',
  [
    z.object({
      /** The event bus: `postgres`, a fifth database, or `kafka`. [D50] */
      EVENT_BUS: postgres,
      /** The URL of the service's runtime role on the bus database, without a pooler. Required with `EVENT_BUS=postgres`. */
      BUS_DATABASE_URL: z
        .string({ error: 'must be the URL of the database of the bus, or EVENT_BUS be kafka' })
        .pipe(databaseUrlSetting),
    }),
    kafka,
  ],
  { error },
)

/** For programs that work on the brokers directly, or already know the bus database. */
export const brokerSettings = z.discriminatedUnion('EVENT_BUS', [z.object({ EVENT_BUS: postgres }), kafka], { error })

export type BusSettings = Readonly<z.infer<typeof busSettings>>
export type KafkaSettings = Readonly<z.infer<typeof kafka>>

/** The connection settings for the brokers. @param clientId identifies the client in their logs and quotas, such as `paraph-contract` */
export function kafkaConnectionOf(settings: KafkaSettings, clientId: string): KafkaConnection {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = settings
  const { KAFKA_TLS_CA: caPem, KAFKA_TLS_CERT: certPem, KAFKA_TLS_KEY: keyPem } = settings
  return {
    brokers: settings.KAFKA_BROKERS,
    clientId,
    tls: settings.KAFKA_TLS === 'on' ? { caPem, certPem, keyPem } : undefined,
    sasl: mechanism && username && password ? { mechanism, username, password } : undefined,
  }
}
