// Reads and checks a service's environment at start. All errors are printed together and the process exits: a service never starts
// half configured. Values are never printed, because some are secrets.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { CALLERS } from '@paraph/protocol/services'
import { nameError } from '@paraph/protocol/text-rules'
import { databaseUrlError } from './database-url.js'
import { readFileSettings } from './file-settings.js'
import { insecureSettings } from './insecure-transport.js'
import { parseKeyring } from './keyring.js'

const port = z.coerce.number().int().min(0).max(65_535)

const POOL_SIZE = { error: 'must be a whole number of connections, from 2 to 100' }

/** A URL to which paths are appended: its scheme and host in lower case, and without slashes at its end. */
export const baseUrlSetting = z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).href.replace(/\/+$/, ''))

/** The URL of a database, with encryption explicitly on or off (database-url.ts). */
export const databaseUrlSetting = z.string().superRefine((text, context) => {
  const message = databaseUrlError(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/** @param message the message of the issue when `parse` throws; by default that of the error */
export const parsedSetting = <Parsed>(parse: (text: string) => Parsed, message?: string) =>
  z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: message ?? (error as Error).message })
      return z.NEVER
    }
  })

/** A keyring: `id:base64,id:base64`, the first is current. */
export const keyringSetting = parsedSetting(parseKeyring)

const FOOT_NAME_LENGTH_MAX = 40

/** The name of the installation in the foot of what shows the brand of an account. [D59] */
export const footNameSetting = z.string().superRefine((name, context) => {
  const message = name === name.trim() ? nameError(name, FOOT_NAME_LENGTH_MAX) : 'must not begin or end with a space'
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

const PAGE_SECRET_LENGTH_MIN = 32

/**
 * Secrets that sign page data: one, or two separated by a comma during a rotation. The first signs, both verify. The id of a secret
 * does not reveal the secret.
 */
export const pageSecretsSetting = z
  .string()
  .transform((text) => text.split(','))
  .refine((secrets) => secrets.length <= 2 && secrets.every(({ length }) => length >= PAGE_SECRET_LENGTH_MIN), {
    error: `must be one or two secrets of at least ${PAGE_SECRET_LENGTH_MIN} characters, a comma between`,
  })
  .transform((secrets) =>
    secrets.map((secret) => ({
      id: createHash('sha256').update(`page secret\n${secret}`).digest('base64url').slice(0, 6),
      secret,
    })),
  )

/** The settings of every service; each adds its own. */
export const processSettings = {
  /** The address that both ports listen on. */
  HOST: z.string().default('0.0.0.0'),
  /** The public port: REST, pages, calls from other services. */
  PORT: port,
  /** The internal port, never public: health, metrics, the operator. [D45] */
  INTERNAL_PORT: port,
  /** The lowest level of log lines that are written. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  /** The database, as the runtime role; a transaction pooler may be in between. */
  DATABASE_URL: databaseUrlSetting,
  /** The most connections of this process's main pool on DATABASE_URL, from 2 to 100. Its small pools have fixed sizes (docs/reference/ports-and-transport.md). */
  DATABASE_POOL_MAX: z.coerce.number(POOL_SIZE).int(POOL_SIZE).min(2, POOL_SIZE).max(100, POOL_SIZE).default(10),
  /**
   * `yes` allows plain text to another machine. Without it, the service refuses `http://` as a public URL or for an object store, a
   * database without TLS, and a login at Kafka without TLS. [P39]
   */
  ALLOW_INSECURE_TRANSPORT: z.enum(['yes', 'no']).default('no'),
  /** `yes` lets the service start although one database was restored alone. Use it for one start only (docs/how-to/operators/backup-restore.md). [P40] */
  ACCEPT_MIXED_RESTORE: z.enum(['yes', 'no']).default('no'),
  /** The key that signs service tokens: base64 of a PKCS#8 DER Ed25519 key. [D45] */
  CALLER_PRIVATE_KEY: z.string().min(1),
  /** The keys that verify service tokens. JSON: caller → base64 SPKI DER keys, two of them during a rotation. [D45] */
  CALLER_PUBLIC_KEYS: parsedSetting(
    (text) => JSON.parse(text) as unknown,
    'must be JSON: {"gateway": ["<base64 SPKI>"], ...}',
  ).pipe(z.partialRecord(z.enum(CALLERS), z.array(z.string()).min(1).max(2))),
  /**
   * Seconds for which a stopping service still accepts requests, because some callers learn of the stop late or send on an idle connection.
   * Must exceed the time for which callers keep a connection idle (3 s, idle-connections.ts). [H12, H13]
   */
  LINGER_SECONDS: z.coerce.number().int().min(0).max(300).default(5),
  /** Seconds after LINGER_SECONDS in which open requests can finish. */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(15),
  /** For tests only: a file in this folder kills the process at the fail point of the same name (fail-point.ts). [F16] */
  FAIL_POINT_DIR: z.string().min(1).optional(),
}

/** The settings of services that use LISTEN or session locks. */
export const directSettings = {
  /** The database, as the runtime role and without a pooler: for LISTEN and session locks. [D48] */
  DATABASE_DIRECT_URL: databaseUrlSetting,
}

type Config<Choice extends z.ZodType, Shape extends z.ZodRawShape> = Readonly<
  z.infer<Choice> & z.infer<z.ZodObject<Shape>>
>

/** The parsed settings; prints all errors to standard error and exits with 1 if there are any. */
export const configOrExit = <Parsed>(checked: { config: Parsed } | { errors: string[] }): Parsed =>
  'config' in checked ? checked.config : refuseToStart(checked.errors)

/** Prints the errors in the configuration, one per line, and exits with 1. */
export function refuseToStart(errors: readonly string[]): never {
  process.stderr.write(`The configuration is not complete:\n${errors.join('\n')}\n`)
  process.exit(1)
}

/**
 * Parses an environment. Reads only files that settings name.
 * @param choice the settings of which some depend on the value of another, such as bus-settings.ts
 * @param settings all other settings
 * @returns the parsed settings, frozen, or one line per error
 */
export function checkConfig<Choice extends z.ZodType, Shape extends z.ZodRawShape>(
  environment: NodeJS.ProcessEnv,
  choice: Choice,
  settings: Shape,
): { config: Config<Choice, Shape> } | { errors: string[] } {
  const { environment: read, errors: unread } = readFileSettings(environment, [
    ...Object.keys(settings),
    ...namesIn(choice),
  ])
  const result = z.intersection(choice, z.object(settings)).safeParse(read)
  // A file that cannot be read is one error, not also a missing setting.
  const isUnread = (name: string): boolean => unread.some((line) => line.startsWith(`  ${name}_FILE:`))
  const issues = (result.error?.issues ?? []).filter(({ path }) => !isUnread(path.join('.')))
  const errors = [...unread, ...issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)]
  if (environment['NODE_ENV'] === 'production' && environment['FAIL_POINT_DIR'] !== undefined)
    errors.push('  FAIL_POINT_DIR: is for tests and must not be set in production')
  errors.push(...insecureSettings(read))
  return result.success && errors.length === 0 ? { config: Object.freeze(result.data) } : { errors }
}

/** The names of the settings in `choice`: an object, or several of which one setting chooses. */
function namesIn(choice: z.ZodType): string[] {
  if (choice instanceof z.ZodObject) return Object.keys(choice.shape as object)
  return choice instanceof z.ZodDiscriminatedUnion ? choice.options.flatMap((each) => namesIn(each as z.ZodType)) : []
}
