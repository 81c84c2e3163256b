// Reads the settings of an installation from `kubectl get deployments,secrets -o json`. Pure.
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { z } from 'zod'
import { DATABASES, type DatabaseName } from '../../installation/secrets.js'
import type { Installation, ServiceSettings, Settings } from './installation.js'

const COMPONENT = 'app.kubernetes.io/component'

const reference = z.object({ name: z.string(), key: z.string() })
const variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.object({ secretKeyRef: reference.optional() }).optional(),
})
const container = z.object({
  env: z.array(variable).default([]),
  envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }).optional() })).default([]),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })).default([]),
})
/** `secretsAsFiles` of the chart mounts the keys of Secrets as files. */
const projected = z.object({
  name: z.string(),
  items: z.array(z.object({ key: z.string(), path: z.string() })).default([]),
})
const volume = z.object({
  name: z.string(),
  projected: z.object({ sources: z.array(z.object({ secret: projected.optional() })) }).optional(),
})
const podSpec = z.object({ containers: z.array(container).min(1), volumes: z.array(volume).default([]) })
const deployment = z.object({
  kind: z.literal('Deployment'),
  metadata: z.object({
    labels: z.object({ 'app.kubernetes.io/part-of': z.literal('paraph'), [COMPONENT]: z.enum(SERVICES) }),
  }),
  spec: z.object({ template: z.object({ spec: podSpec }) }),
})
const secret = z.object({
  kind: z.literal('Secret'),
  metadata: z.object({ name: z.string() }),
  data: z.record(z.string(), z.string()).default({}),
})

/** A list in which other objects, and Deployments of other products, have no part. */
export const kubernetesSchema = z.object({
  kind: z.literal('List'),
  items: z.array(z.union([deployment, secret, z.unknown().transform(() => undefined)])),
})

type Secrets = ReadonlyMap<string, Settings>

export function readKubernetes({ items }: z.infer<typeof kubernetesSchema>): Installation {
  const secrets: Secrets = new Map(
    items.flatMap((item) => (item?.kind === 'Secret' ? [[item.metadata.name, decode(item.data)] as const] : [])),
  )
  const deployments = items.flatMap((item) => (item?.kind === 'Deployment' ? [item] : []))
  const services: Partial<Record<ServiceName, ServiceSettings>> = {}
  for (const { metadata, spec } of deployments) {
    const settings = settingsOf(spec.template.spec, secrets)
    services[metadata.labels[COMPONENT]] ??= { given: settings, settings }
  }
  return {
    services,
    owners: urlsIn(secrets, (database) => `${database}_OWNER_URL`),
    verifiers: urlsIn(secrets, (database) => `PARAPH_VERIFY_${database}_DATABASE_URL`),
    isElsewhere: true,
  }
}

/** The environment of a pod, with its files. A reference to a Secret or a key that does not exist leaves its setting out. */
function settingsOf({ containers, volumes }: z.infer<typeof podSpec>, secrets: Secrets): Settings {
  const settings: Record<string, string> = {}
  for (const { env, envFrom, volumeMounts } of containers) {
    const files = new Map<string, z.infer<typeof reference>>(
      volumeMounts.flatMap(({ name, mountPath }) => filesOf(volumes, name, mountPath)),
    )
    for (const { secretRef } of envFrom) Object.assign(settings, secrets.get(secretRef?.name ?? ''))
    for (const { name, value, valueFrom } of env) {
      const file = name.endsWith('_FILE') ? files.get(value ?? '') : undefined
      const at = file ?? valueFrom?.secretKeyRef
      const found = at === undefined ? value : secrets.get(at.name)?.[at.key]
      if (found === undefined) continue
      if (file === undefined) settings[name] = found
      else settings[name.replace(/_FILE$/, '')] = found.replace(/\r?\n$/, '')
    }
  }
  return settings
}

/** The files of a mounted volume that are keys of Secrets: path → Secret and key. */
const filesOf = (volumes: readonly z.infer<typeof volume>[], volumeName: string, mountPath: string) =>
  volumes
    .filter(({ name }) => name === volumeName)
    .flatMap((each) => each.projected?.sources ?? [])
    .flatMap(({ secret: from }) => from ?? [])
    .flatMap(({ name, items }) => items.map(({ key, path }) => [`${mountPath}/${path}`, { name, key }] as const))

/** The URL of each database, under the key that `keyOf` makes of the database's name in capitals. */
function urlsIn(secrets: Secrets, keyOf: (database: string) => string): Partial<Record<DatabaseName, string>> {
  return Object.fromEntries(
    DATABASES.flatMap((name) => {
      const key = keyOf(name.toUpperCase())
      const url = [...secrets.values()].map((each) => each[key]).find((each) => each !== undefined)
      return url === undefined ? [] : [[name, url]]
    }),
  )
}

const decode = (data: Readonly<Record<string, string>>): Settings =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]))
