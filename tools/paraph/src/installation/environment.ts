// The environment of each process of the stack, from ports and secrets. Pure. [D45]
// Owns: the values that each config.ts reads in the local start. Does not own: their meaning (each config.ts).
import type { ServiceName } from '@paraph/protocol/services'
import type { Ports } from './ports.js'
import { serviceSecrets } from './installation-secrets.js'
import type { DatabaseName, Secrets } from './secrets.js'

/** The owner of the demo account, and the operator. The local mailbox receives their mail. */
export const OWNER_EMAIL = 'owner@example.test'
export const OPERATOR_EMAIL = 'operator@example.test'

export interface Basis {
  ports: Ports
  secrets: Secrets
  /** With `kafka` the services inherit the Kafka settings of the launcher's environment. */
  eventBus?: 'postgres' | 'kafka'
}

/** A Postgres URL of the local server. */
export function databaseUrl(
  { ports, secrets }: Basis,
  database: DatabaseName,
  role: 'owner' | 'runtime',
  service = database,
): string {
  return `postgres://${service}_${role}:${secrets.rolePasswords[service][role]}@127.0.0.1:${ports.postgres}/${database}`
}

/** The superuser's URL of the local server. */
export function superuserUrl({ ports, secrets }: Basis): string {
  return `postgres://postgres:${secrets.superuserPassword}@127.0.0.1:${ports.postgres}/postgres`
}

/** The public URL of the gateway. */
export const baseUrl = (ports: Pick<Ports, 'gateway'>): string => `http://localhost:${ports.gateway}`

/** The internal address of a service on this machine. */
export function internalUrl(ports: Ports, service: ServiceName): string {
  return `http://127.0.0.1:${ports[`${service}Internal`]}`
}

/**
 * Node's options for a service: at most 8 MB for each half of the young generation instead of 16. Of the memory of a service under load,
 * most is this space and garbage beside it. The chart has the same number.
 */
export const NODE_ARGUMENTS = ['--max-semi-space-size=8'] as const

/** The environment of one service. */
export function serviceEnvironment(service: ServiceName, basis: Basis): Record<string, string> {
  const { ports, secrets, eventBus = 'postgres' } = basis
  const database = databaseUrl(basis, service, 'runtime')
  return {
    HOST: '127.0.0.1',
    PORT: String(ports[service]),
    INTERNAL_PORT: String(ports[`${service}Internal`]),
    DATABASE_URL: database,
    DATABASE_DIRECT_URL: database,
    EVENT_BUS: eventBus,
    ...(eventBus === 'kafka' ? {} : { BUS_DATABASE_URL: databaseUrl(basis, 'bus', 'runtime', service) }),
    ...serviceSecrets(service, secrets),
    CONTRACT_URL: `http://127.0.0.1:${ports.contract}`,
    SIGNING_URL: `http://127.0.0.1:${ports.signing}`,
    NOTIFICATION_URL: `http://127.0.0.1:${ports.notification}`,
    CONTRACT_INTERNAL_URL: internalUrl(ports, 'contract'),
    SIGNING_INTERNAL_URL: internalUrl(ports, 'signing'),
    NOTIFICATION_INTERNAL_URL: internalUrl(ports, 'notification'),
    BASE_URL: baseUrl(ports),
    SHARE_BASE_URL: baseUrl(ports),
    TRUSTED_PROXY_HOPS: '0',
    ...ownSettings(service, ports),
  }
}

function ownSettings(service: ServiceName, ports: Ports): Record<string, string> {
  if (service === 'gateway')
    return { OPERATOR_EMAILS: OPERATOR_EMAIL, LOCAL_HOME_URL: `http://localhost:${ports.mailbox}` }
  if (service !== 'notification') return {}
  return {
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    MAIL_FROM_ADDRESS: 'sign@mail.paraph.test',
    MAIL_DOMAIN: 'mail.paraph.test',
    SANDBOX_MAIL: 'send',
    WEBHOOKS_TO_LOOPBACK: 'on',
  }
}

/** True when the environment configures traces or metrics. Otherwise the services do not load OpenTelemetry. [D51] */
export const isExporting = (inherited: Readonly<Record<string, string>>): boolean =>
  ['', '_TRACES', '_METRICS'].some((of) => Boolean(inherited[`OTEL_EXPORTER_OTLP${of}_ENDPOINT`])) ||
  (inherited['OTEL_METRICS_EXPORTER'] ?? '').split(',').includes('prometheus')

/** Sets the name of the service and enables the metric of dropped spans [F24]; other OTEL_* variables are inherited. */
export function telemetryEnvironment(service: ServiceName, inherited: Readonly<Record<string, string>>) {
  const attributes = ['service.namespace=paraph', inherited['OTEL_RESOURCE_ATTRIBUTES']].filter(Boolean)
  return {
    OTEL_SERVICE_NAME: service,
    OTEL_RESOURCE_ATTRIBUTES: attributes.join(','),
    OTEL_NODE_EXPERIMENTAL_SDK_METRICS: 'true',
  }
}
