// Gives each secret only to the process that needs it: as settings of a service, or as documents (Secrets or env files), one per reader,
// with a key per setting. Pure; secrets.ts creates the values. The chart and deploy/compose.yaml use the same names. [D45, D46, D50]
import { CALLERS, type ServiceName } from '@paraph/protocol/services'
import { DATABASES, type DatabaseName, type Secrets } from './secrets.js'

/** The secret settings of one service, without addresses. */
export function serviceSecrets(service: ServiceName, secrets: Secrets): Record<string, string> {
  return {
    CALLER_PRIVATE_KEY: secrets.callerKeys[service].private,
    CALLER_PUBLIC_KEYS: JSON.stringify(
      Object.fromEntries(CALLERS.map((caller) => [caller, [secrets.callerKeys[caller].public]])),
    ),
    ...ownSecrets(service, secrets),
  }
}

// The keys that only one service may know.
const ownSecrets = (service: ServiceName, secrets: Secrets): Record<string, string> =>
  ({
    gateway: {
      CODE_PEPPERS: secrets.consoleCodePeppers,
      CODE_KEYS: secrets.consoleCodeKeys,
      PAGE_SECRET: secrets.consolePageSecret,
    },
    contract: { SHARE_TOKEN_KEYS: secrets.shareTokenKeys },
    signing: {
      CODE_PEPPERS: secrets.codePeppers,
      CODE_KEYS: secrets.signingCodeKeys,
      PAGE_SECRET: secrets.pageSecret,
      ...keysOf(secrets.evidenceKeys.production, ''),
      ...keysOf(secrets.evidenceKeys.sandbox, 'SANDBOX_'),
    },
    notification: { CODE_KEYS: secrets.notificationCodeKeys },
  })[service]

const keysOf = (
  { evidenceKey, sealKey, sealCertificate }: Secrets['evidenceKeys']['production'],
  prefix: '' | 'SANDBOX_',
): Record<string, string> => ({
  [`${prefix}EVIDENCE_KEY`]: evidenceKey,
  [`${prefix}SEAL_KEY`]: sealKey,
  [`${prefix}SEAL_CERTIFICATE`]: sealCertificate,
})

/** The role of `paraph verify invariants`: reads every table and writes none. */
export const VERIFY_ROLE = 'paraph_verify'

interface Places {
  /** `postgres://host:port/?parameters` of the server; user, password and database are added. */
  postgres: string
  /** The same through a transaction pooler, if there is one. */
  pooler?: string | undefined
  smtp?: string | undefined
}

export type DocumentName = ServiceName | 'owners' | 'verify' | 'operator' | 'roles'

/**
 * Every secret document of an installation. A service's document holds only its own secrets. A key is the name of its setting, except those
 * of `owners`, where one document serves five programs.
 * @param verifyPassword of the role that reads all databases
 */
export function installationSecrets(
  secrets: Secrets,
  { postgres, pooler = postgres, smtp }: Places,
  verifyPassword: string,
): Record<DocumentName, Record<string, string>> {
  const { rolePasswords } = secrets
  const runtimeUrl = (service: ServiceName, server: string, database: DatabaseName) =>
    urlOf(server, database, `${service}_runtime`, rolePasswords[service].runtime)
  const settingsOf = (service: ServiceName): Record<string, string> => ({
    DATABASE_URL: runtimeUrl(service, pooler, service),
    DATABASE_DIRECT_URL: runtimeUrl(service, postgres, service),
    BUS_DATABASE_URL: runtimeUrl(service, postgres, 'bus'),
    ...serviceSecrets(service, secrets),
    ...(service === 'notification' && smtp !== undefined ? { SMTP_URL: smtp } : {}),
  })
  const eachDatabase = (entryOf: (name: DatabaseName) => Record<string, string>) =>
    Object.assign({}, ...DATABASES.map(entryOf)) as Record<string, string>
  return {
    gateway: settingsOf('gateway'),
    contract: settingsOf('contract'),
    signing: settingsOf('signing'),
    notification: settingsOf('notification'),
    owners: eachDatabase((name) => ({
      [`${name.toUpperCase()}_OWNER_URL`]: urlOf(postgres, name, `${name}_owner`, rolePasswords[name].owner),
    })),
    verify: eachDatabase((name) => ({
      [`PARAPH_VERIFY_${name.toUpperCase()}_DATABASE_URL`]: urlOf(postgres, name, VERIFY_ROLE, verifyPassword),
    })),
    operator: { PARAPH_OPERATOR_KEY: secrets.callerKeys.operator.private },
    roles: {
      ...eachDatabase((name) => ({
        [`${name.toUpperCase()}_OWNER_PASSWORD`]: rolePasswords[name].owner,
        [`${name.toUpperCase()}_RUNTIME_PASSWORD`]: rolePasswords[name].runtime,
      })),
      PARAPH_VERIFY_PASSWORD: verifyPassword,
    },
  }
}

function urlOf(server: string, database: DatabaseName, user: string, password: string): string {
  const url = new URL(server)
  url.username = user
  url.password = password
  url.pathname = `/${database}`
  return url.href
}

/**
 * A list of Kubernetes Secrets as JSON, which is YAML, for `kubectl create -f -`. `create` refuses existing Secrets and, unlike `apply`,
 * keeps no copy in an annotation.
 * @param name prefix of each document's name, as in `paraph-gateway`
 */
export function kubernetesSecrets(documents: Record<string, Record<string, string>>, name: string): string {
  const items = Object.entries(documents).map(([document, stringData]) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: { name: `${name}-${document}`, labels: { 'app.kubernetes.io/part-of': 'paraph' } },
    stringData,
  }))
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2)
}

/**
 * One document as an env file of Compose: single quotes keep every character, double quotes turn `\n` into a line break.
 * No value contains a quote, a backslash or a dollar that would need escaping.
 */
export function envFile(document: Record<string, string>): string {
  const line = ([key, value]: [string, string]): string =>
    value.includes('\n') ? `${key}="${value.replaceAll('\n', String.raw`\n`)}"` : `${key}='${value}'`
  return `${Object.entries(document).map(line).join('\n')}\n`
}
