// Finds the settings to check: in a file, in this process's environment (in a container of a service), or in the data folder of the local
// stack.
import { readFileSync } from 'node:fs'
import { UserError } from '@paraph/config/refusal'
import { readFileSettings } from '@paraph/config/file-settings'
import { readJsonFile } from '@paraph/config/private-file'
import { SERVICES, type ServiceName } from '@paraph/protocol/services'
import { z } from 'zod'
import type { LauncherConfig } from '../../config.js'
import { pathsOf } from '../../installation/data-folder.js'
import { databaseUrl, serviceEnvironment } from '../../installation/environment.js'
import type { Ports } from '../../installation/ports.js'
import { DATABASES, secretsSchema } from '../../installation/secrets.js'
import { composeSchema, readCompose } from './compose.js'
import type { Installation, ServiceSettings, Settings } from './installation.js'
import { kubernetesSchema, readKubernetes } from './kubernetes.js'

/** A setting that only this service has. */
const OWN_SETTING: Readonly<Record<ServiceName, string>> = {
  gateway: 'BASE_URL',
  contract: 'SHARE_TOKEN_KEYS',
  signing: 'EVIDENCE_KEY',
  notification: 'SMTP_URL',
}

const stackSchema = z.object({ eventBus: z.enum(['postgres', 'kafka']) })

type Config = Pick<LauncherConfig, 'dataFolder' | 'inherited' | 'verifyUrls' | 'broker'>

/** @param from a file, or `-` for standard input @throws UserError that says what to give */
export async function findInstallation(config: Config, from: string | undefined): Promise<Installation> {
  if (from !== undefined) return readDocument(from)
  return findOwn(config) ?? (await findLocal(config)) ?? refuse(config.dataFolder)
}

function readDocument(from: string): Installation {
  let document: unknown
  try {
    document = JSON.parse(readFileSync(from === '-' ? 0 : from, 'utf8'))
  } catch {
    throw new UserError('--from must name a file with JSON that can be read, or be - for standard input.')
  }
  const kubernetes = kubernetesSchema.safeParse(document)
  const compose = composeSchema.safeParse(document)
  const found = kubernetes.success
    ? readKubernetes(kubernetes.data)
    : compose.success
      ? readCompose(compose.data)
      : undefined
  if (found !== undefined && Object.keys(found.services).length > 0) return found
  throw new UserError(
    '--from must contain the services of Paraph: what `kubectl get deployments,secrets -o json` or `docker compose config --format json` prints.',
  )
}

/** The environment of this process, if it is that of a service. */
function findOwn({ inherited, verifyUrls }: Config): Installation | undefined {
  const names = Object.keys(inherited).map((name) => name.replace(/_FILE$/, ''))
  const service = SERVICES.find((each) => names.includes('DATABASE_URL') && names.includes(OWN_SETTING[each]))
  if (service === undefined) return undefined
  return {
    services: { [service]: withFiles(inherited) },
    owners: {},
    verifiers: withoutAbsent(verifyUrls),
    isElsewhere: false,
  }
}

/** The settings of the local stack; undefined unless the data folder belongs to one. */
async function findLocal({ dataFolder, inherited, broker }: Config): Promise<Installation | undefined> {
  const paths = pathsOf(dataFolder)
  const [secrets, ports] = [
    secretsSchema.safeParse(await readJsonFile(paths.secrets).catch(() => undefined)),
    z.record(z.string(), z.int()).safeParse(await readJsonFile(paths.ports).catch(() => undefined)),
  ]
  if (!secrets.success || !ports.success) return undefined
  // A stack that runs says which bus it was started with.
  const stack = stackSchema.safeParse(await readJsonFile(paths.stack).catch(() => undefined))
  const eventBus = stack.data?.eventBus ?? broker.EVENT_BUS
  const basis = { ports: ports.data as Ports, secrets: secrets.data, eventBus }
  const databases = DATABASES.filter((name) => name !== 'bus' || eventBus === 'postgres')
  return {
    services: eachOf(SERVICES, (service) => withFiles({ ...inherited, ...serviceEnvironment(service, basis) })),
    owners: eachOf(databases, (name) => databaseUrl(basis, name, 'owner')),
    verifiers: {},
    isElsewhere: false,
  }
}

function refuse(dataFolder: string): never {
  throw new UserError(
    `There is nothing to check here: no stack uses the data folder ${dataFolder}, and this is no container of a service. Give the installation with --from (docs/how-to/operators/doctor.md).`,
  )
}

/** The settings that the doctor itself reads; the services' own rules read all others. */
const READ =
  /^((BUS_|WINDOW_)?DATABASE(_DIRECT)?_URL|SMTP_URL|KAFKA_\w+|CALLER_\w+|CODE_(PEPPERS|KEYS)|PAGE_SECRET|SHARE_TOKEN_KEYS)$/

function withFiles(given: Settings): ServiceSettings {
  const names = Object.keys(given).flatMap((name) => /^(.+)_FILE$/.exec(name)?.[1] ?? [])
  const { environment } = readFileSettings(
    given,
    names.filter((name) => READ.test(name)),
  )
  return { given, settings: withoutAbsent(environment) }
}

const eachOf = <Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>

const withoutAbsent = <Value>(values: Readonly<Record<string, Value | undefined>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, Value] => entry[1] !== undefined))
