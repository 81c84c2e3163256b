// Which bus, and how it is reached, as settings: EVENT_BUS decides which of the others are required. [D50]
// Owns: the names and their checks. Reads no environment (each config.ts does) and opens nothing (open-event-bus.ts).
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { KafkaConnection } from './kafka-client.js'

const BROKER = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i

/** `host:port,host:port`: enough of the brokers to find the others by. */
const brokersSetting = z.string({ error: 'is required with EVENT_BUS=kafka' }).transform((text, context) => {
  const brokers = text.split(',').map((broker) => broker.trim())
  // By its place and not its value: somebody may have put a password into it.
  for (const [index, broker] of brokers.entries())
    if (!(Number(BROKER.exec(broker)?.[1]) <= 65_535))
      context.addIssue({ code: 'custom', message: `address ${index + 1} of ${brokers.length} is not host:port` })
  return brokers
})

/** PEM text, or the file that holds it. */
const pemSetting = z.string().transform((text, context) => {
  if (text.startsWith('-----BEGIN ')) return text
  try {
    const pem = readFileSync(text, 'utf8')
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return pem
    context.addIssue({ code: 'custom', message: 'names a file without a certificate in PEM' })
  } catch {
    context.addIssue({ code: 'custom', message: 'is neither PEM text nor a file that can be read' })
  }
  return z.NEVER
})

const kafkaShape = {
  KAFKA_BROKERS: brokersSetting,
  KAFKA_TLS: z.enum(['on', 'off']).default('off'),
  /** Who is trusted to have signed the brokers' certificates; without it, those whom Node trusts. */
  KAFKA_TLS_CA: pemSetting.optional(),
  KAFKA_SASL_MECHANISM: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['plain', 'scram-sha-256', 'scram-sha-512']))
    .optional(),
  KAFKA_SASL_USERNAME: z.string().min(1).optional(),
  KAFKA_SASL_PASSWORD: z.string().min(1).optional(),
}

const REQUIRES: readonly [setting: keyof typeof kafkaShape, required: keyof typeof kafkaShape][] = [
  ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME'],
  ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_PASSWORD'],
  ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_MECHANISM'],
  ['KAFKA_SASL_PASSWORD', 'KAFKA_SASL_MECHANISM'],
]

const kafka = z.object({ EVENT_BUS: z.literal('kafka'), ...kafkaShape }).superRefine(
  (settings, context) => {
    const missing = REQUIRES.filter(([setting, required]) => settings[setting] && settings[required] === undefined)
    for (const [setting, required] of missing)
      context.addIssue({ code: 'custom', path: [required], message: `is required with ${setting}` })
    // Whoever names a CA means to be encrypted: without TLS the password would travel in the clear.
    if (settings.KAFKA_TLS_CA !== undefined && settings.KAFKA_TLS === 'off')
      context.addIssue({ code: 'custom', path: ['KAFKA_TLS'], message: 'must be on with KAFKA_TLS_CA' })
  },
  // Also when a setting of its own is wrong: every fault is told at once.
  { when: () => true },
)

const error = 'must be postgres or kafka'
const postgres = z.literal('postgres').default('postgres')

/** What every service reads. */
export const busSettings = z.discriminatedUnion(
  'EVENT_BUS',
  [
    z.object({
      EVENT_BUS: postgres,
      /** The service's runtime role on the database of the bus, without a pooler. */
      BUS_DATABASE_URL: z.url({ error: 'must be the URL of the database of the bus, or EVENT_BUS be kafka' }),
    }),
    kafka,
  ],
  { error },
)

/** What those read who work on the brokers themselves, or know the database of the bus already. */
export const brokerSettings = z.discriminatedUnion('EVENT_BUS', [z.object({ EVENT_BUS: postgres }), kafka], { error })

export type BusSettings = Readonly<z.infer<typeof busSettings>>
export type KafkaSettings = Readonly<z.infer<typeof kafka>>

/** How the brokers are reached. @param clientId names us in their logs and quotas, such as `paraph-contract` */
export function kafkaConnectionOf(settings: KafkaSettings, clientId: string): KafkaConnection {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = settings
  return {
    brokers: settings.KAFKA_BROKERS,
    clientId,
    ...(settings.KAFKA_TLS === 'on' ? { tls: settings.KAFKA_TLS_CA ? { caPem: settings.KAFKA_TLS_CA } : {} } : {}),
    ...(mechanism && username && password ? { sasl: { mechanism, username, password } } : {}),
  }
}
