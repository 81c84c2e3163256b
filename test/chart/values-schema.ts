// The schema of the chart's values, what it names, and values for all of it. Contains no assertions.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CHART, COMPONENTS, type Component, type Values } from './rendered.js'

export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  $ref?: string
}

export const schema = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')) as Schema & {
  $schema: string
  properties: Record<string, Schema>
  definitions: Record<string, Schema>
}

/** The schema that a reference leads to. */
export const resolved = (node: Schema): Schema =>
  node.$ref ? resolved(schema.definitions[node.$ref.split('/').at(-1)!]!) : node

/** Paths of the objects below `node` that accept unknown names. */
export function openObjects(node: Schema, path: string): string[] {
  const own = node.properties && node.additionalProperties !== false ? [path] : []
  return [
    ...own,
    ...Object.entries(node.properties ?? {}).flatMap(([name, inner]) =>
      openObjects(resolved(inner), `${path}.${name}`),
    ),
  ]
}

/** Paths below `value` that `node` does not name. */
export function unmatched(node: Schema, value: unknown, path: string): string[] {
  const { properties } = resolved(node)
  if (!properties || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    properties[name] ? unmatched(properties[name], inner, `${path}.${name}`) : [`${path}.${name}`],
  )
}

/** Values of settings that have no default in the chart. */
const FILLED: Readonly<Record<string, string | number>> = {
  ACCEPT_MIXED_RESTORE: 'yes',
  AUTO_APPROVE: 'trial',
  BILLING: 'stripe',
  DATABASE_POOL_MAX: 20,
  DOCUMENT_STORE: 's3',
  FOOT_NAME: 'Acme Sign',
  HOLD_MAILS_BEFORE: '2026-11-23T10:30:00Z',
  KEEP_CONTRACTS_DAYS: 30,
  LOG_LEVEL: 'debug',
  MAIL_DOMAIN: 'example.com',
  MAIL_FROM_ADDRESS: 'sign@example.com',
  OIDC_OPERATORS_CLIENT_ID: 'paraph',
  OIDC_OPERATORS_GROUP: 'paraph-operators',
  OIDC_OPERATORS_GROUPS_CLAIM: 'roles',
  OIDC_OPERATORS_ISSUER: 'https://sso.example.com/operators',
  OIDC_OPERATORS_SCOPES: 'openid email groups',
  OIDC_OWNERS_CLIENT_ID: 'paraph',
  OIDC_OWNERS_CODES: 'off',
  OIDC_OWNERS_ISSUER: 'https://sso.example.com/owners',
  OPERATOR_EMAILS: 'ops@example.com',
  OUTCOME_EMAIL: 'off',
  SANDBOX_MAIL: 'send',
  SIGN_UNSETTLED_SECONDS: 20,
  SMTP_CONNECTIONS: 4,
  SMTP_RATE_PER_SECOND: 0.5,
  STRIPE_API_URL: 'https://stripe.example.com',
  STRIPE_PRICES: 'price_1Ab=startup',
  TRUSTED_PROXY_HOPS: 2,
  WINDOW_STORE_MS_MAX: 30,
}

/** Values that set every setting that the schema names. @param withP12 name the PKCS#12 files, which replace keys and certificates */
export function everySetting(withP12 = false): Values {
  const namesOf = (component: Component, block: 'settings' | 'secretOverrides') =>
    Object.keys(schema.properties['components']!.properties![component]!.properties![block]!.properties!)
  const named = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => (name.includes('SEAL_P12') && !withP12 ? [] : [[name, {}]])))
  return {
    allowInsecureTransport: true,
    operatorAddress: 'help@example.com',
    statusUrl: 'https://status.example.com',
    defaults: { secretOverrides: { KAFKA_TLS_CA: {} } },
    components: Object.fromEntries(
      COMPONENTS.map((component) => [
        component,
        {
          secretOverrides: named(namesOf(component, 'secretOverrides')),
          settings: Object.fromEntries(
            namesOf(component, 'settings').flatMap((name) => (name in FILLED ? [[name, FILLED[name]]] : [])),
          ),
        },
      ]),
    ),
    kafka: {
      topics: { secretOverrides: { KAFKA_TLS_CERT: {}, KAFKA_TLS_KEY: {} } },
      tls: 'on',
      brokers: 'kafka:9092',
      saslMechanism: 'PLAIN',
    },
  }
}
