// Reads the environment of the launcher and of `paraph`. No other file of either reads the environment. [local-stack]
import { userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { operatorNameSchema } from '@paraph/protocol/principal'
import { brokerSettings } from '@paraph/messaging/bus-settings'
import { topicSettings, type TopicSettings } from '@paraph/messaging/kafka/topic-settings'
import { readFileSettings } from '@paraph/config/file-settings'
import { insecureSettings } from '@paraph/config/insecure-transport'
import { objectStoreSetting } from '@paraph/signing/documents/object-store-url'
import { UserError } from '@paraph/config/refusal'

/** The root of the checkout. `src` and `dist` are at the same depth. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

const settings = z.object({
  PARAPH_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  PARAPH_MAILBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(8025),
  /** Longest pause before a dead process restarts. Tests that kill many processes shorten it. */
  PARAPH_RESTART_MS_MAX: z.coerce.number().int().min(0).max(600_000).default(30_000),
  PARAPH_DATA_DIR: z.string().min(1).default(join(ROOT, '.data')),
  PARAPH_GATEWAY_INTERNAL_URL: z.url().optional(),
  PARAPH_CONTRACT_INTERNAL_URL: z.url().optional(),
  PARAPH_SIGNING_INTERNAL_URL: z.url().optional(),
  PARAPH_NOTIFICATION_INTERNAL_URL: z.url().optional(),
  PARAPH_OPERATOR_KEY: z.string().min(1).optional(),
  /** Stands in the audit log beside each act on the command line. Absent: the name of the user in the operating system. */
  PARAPH_OPERATOR_NAME: operatorNameSchema.optional(),
  PARAPH_VERIFY_GATEWAY_DATABASE_URL: z.url().optional(),
  PARAPH_VERIFY_CONTRACT_DATABASE_URL: z.url().optional(),
  PARAPH_VERIFY_SIGNING_DATABASE_URL: z.url().optional(),
  PARAPH_VERIFY_NOTIFICATION_DATABASE_URL: z.url().optional(),
  /** Absent if the bus is Kafka. */
  PARAPH_VERIFY_BUS_DATABASE_URL: z.url().optional(),
  /** The object store of signed PDFs and evidence. Absent: its objects are not checked. [P43] */
  PARAPH_VERIFY_OBJECT_STORE_URL: objectStoreSetting.optional(),
  ...topicSettings,
})

/**
 * The launcher's configuration. Port 0 means any free port.
 * @throws UserError that names every invalid setting
 */
export function readConfig(given: NodeJS.ProcessEnv = process.env) {
  const names = [...Object.keys(settings.shape), ...brokerSettings.options.flatMap(({ shape }) => Object.keys(shape))]
  const { environment, errors } = readFileSettings(given, names)
  if (errors.length > 0) throw new UserError(errors.map((line) => `${line.trim()}.`).join('\n'))
  const parsed = z.intersection(brokerSettings, settings).safeParse(environment)
  if (!parsed.success) throw new UserError(errorsOf(parsed.error))
  const insecure = insecureSettings(ownOf(environment))
  if (insecure.length > 0) throw new UserError(insecure.map((line) => `${line.trim()}.`).join('\n'))
  const { data } = parsed
  return {
    port: data.PARAPH_PORT,
    mailboxPort: data.PARAPH_MAILBOX_PORT,
    dataFolder: resolve(data.PARAPH_DATA_DIR),
    restartMsMax: data.PARAPH_RESTART_MS_MAX,
    internal: {
      gatewayUrl: data.PARAPH_GATEWAY_INTERNAL_URL,
      contractUrl: data.PARAPH_CONTRACT_INTERNAL_URL,
      signingUrl: data.PARAPH_SIGNING_INTERNAL_URL,
      notificationUrl: data.PARAPH_NOTIFICATION_INTERNAL_URL,
      operatorKey: data.PARAPH_OPERATOR_KEY,
    },
    operatorName: data.PARAPH_OPERATOR_NAME ?? userName(),
    verifyUrls: {
      gateway: data.PARAPH_VERIFY_GATEWAY_DATABASE_URL,
      contract: data.PARAPH_VERIFY_CONTRACT_DATABASE_URL,
      signing: data.PARAPH_VERIFY_SIGNING_DATABASE_URL,
      notification: data.PARAPH_VERIFY_NOTIFICATION_DATABASE_URL,
      bus: data.PARAPH_VERIFY_BUS_DATABASE_URL,
    },
    verifyObjectStore: data.PARAPH_VERIFY_OBJECT_STORE_URL,
    /** The settings of the event bus. `topics` applies to Kafka only. */
    broker: data as Readonly<z.infer<typeof brokerSettings>>,
    topics: data as TopicSettings,
    inherited: inheritedFrom(given),
  }
}

export type LauncherConfig = ReturnType<typeof readConfig>

function errorsOf({ issues }: z.ZodError): string {
  const isOurs = ({ path }: z.core.$ZodIssue) => String(path[0]).startsWith('PARAPH_')
  const names = issues.filter(isOurs).map(({ path }) => path.join('.'))
  const own = `Invalid setting: ${names.join(' and ')}. A port is a number from 0 to 65535, an address is an http URL, an object store is https://KEY_ID:SECRET@host/bucket, a name has 1 to 64 visible characters.`
  const others = issues.filter((issue) => !isOurs(issue)).map(({ path, message }) => `${path.join('.')}: ${message}.`)
  return [...(names.length > 0 ? [own] : []), ...others].join('\n')
}

/** The settings that this program itself connects with: the others belong to the services, which check them. */
const ownOf = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => /^(PARAPH_VERIFY_|KAFKA_|EVENT_BUS$|ALLOW_INSECURE_)/.test(name)),
  )

/** The name of the user in the operating system; undefined in a container whose user has none. */
function userName(): string | undefined {
  try {
    return operatorNameSchema.safeParse(userInfo().username).data
  } catch {
    return undefined
  }
}

/** The environment that the services inherit: without the variables of npm and of the launcher. */
function inheritedFrom(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !/^(npm_|PARAPH_)/i.test(entry[0]),
    ),
  )
}
