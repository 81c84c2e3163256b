// Reads a service's configuration from the environment, once. Every fault is printed at once, then the process ends:
// a service never starts half configured. Values are never printed: some are secrets.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { databaseUrlFault } from '@paraph/database/database-url'
import { CALLERS } from '@paraph/protocol/caller'
import { parseKeyring } from './keyring.js'

const port = z.coerce.number().int().min(0).max(65_535)

/** A URL that paths are put behind: without a slash at the end. */
export const baseUrlSetting = z.url().transform((url) => url.replace(/\/+$/, ''))

/** The URL of a database, whose connections are encrypted or plainly not (database-url.ts). */
export const databaseUrlSetting = z.string().superRefine((text, context) => {
  const message = databaseUrlFault(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/** A keyring: `id:base64,id:base64`, the first is current. */
export const keyringSetting = z.string().transform((text, context) => {
  try {
    return parseKeyring(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is not a keyring' })
    return z.NEVER
  }
})

const PAGE_SECRET_LENGTH_MIN = 32

/**
 * Secrets of pages: one, or two with a comma between while one takes the other's place. The first signs, both are believed. Each with an id
 * that says which it is and nothing of it.
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

/** What every service reads. A service adds its own. */
export const processSettings = {
  /** The address that both ports listen on. */
  HOST: z.string().default('0.0.0.0'),
  /** The public port: REST, pages, calls of the other services. */
  PORT: port,
  /** The second port, never public: health, metrics, the operator. [D45] */
  INTERNAL_PORT: port,
  /** From which level on a log line is written. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  /** Runtime role; may go through a transaction pooler. */
  DATABASE_URL: databaseUrlSetting,
  /** Base64 of a PKCS#8 DER Ed25519 key. [D45] */
  CALLER_PRIVATE_KEY: z.string().min(1),
  /** JSON: caller → base64 SPKI DER keys, two at a time while one is rotated. [D45] */
  CALLER_PUBLIC_KEYS: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown
      } catch {
        context.addIssue({ code: 'custom', message: 'must be JSON: {"gateway": ["<base64 SPKI>"], ...}' })
        return z.NEVER
      }
    })
    .pipe(z.partialRecord(z.enum(CALLERS), z.array(z.string()).min(1).max(2))),
  /**
   * Seconds that a service which was told to stop goes on serving whoever still comes: those who hear late that it goes, and those
   * whose connection lay idle. Longer than callers leave a connection idle (idle-connections.ts). [H12, H13]
   */
  LINGER_SECONDS: z.coerce.number().int().min(0).max(300).default(5),
  /** Seconds that requests under way get to finish after that. */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(15),
  /** For tests alone: a file in this folder ends the process where the point of its name stands (fail-point.ts). [F16] */
  FAIL_POINT_DIR: z.string().min(1).optional(),
}

/** For services that LISTEN or hold session locks. */
export const directSettings = {
  /** Runtime role, without a pooler: for what listens or holds locks as long as its session lives. [D48] */
  DATABASE_DIRECT_URL: databaseUrlSetting,
}

type Config<Choice extends z.ZodType, Shape extends z.ZodRawShape> = Readonly<
  z.infer<Choice> & z.infer<z.ZodObject<Shape>>
>

/**
 * Parses the environment; on faults prints all of them to standard error and exits with 1.
 * @param choice settings of which some are required only beside a certain value of another, such as bus-settings.ts
 * @param settings all others
 * @returns the parsed settings, frozen
 */
export function readConfig<Choice extends z.ZodType, Shape extends z.ZodRawShape>(
  choice: Choice,
  settings: Shape,
): Config<Choice, Shape> {
  const result = checkConfig(choice, settings, process.env)
  if ('config' in result) return result.config
  return refuseToStart(result.faults)
}

/** Prints what is wrong with the configuration, a line each, and ends the process with 1. */
export function refuseToStart(faults: readonly string[]): never {
  process.stderr.write(`The configuration is not complete:\n${faults.join('\n')}\n`)
  process.exit(1)
}

/** The parsed settings, or one line per fault. Reads nothing but files that settings name. */
export function checkConfig<Choice extends z.ZodType, Shape extends z.ZodRawShape>(
  choice: Choice,
  settings: Shape,
  environment: NodeJS.ProcessEnv,
): { config: Config<Choice, Shape> } | { faults: string[] } {
  const result = z.intersection(choice, z.object(settings)).safeParse(environment)
  const faults = result.error?.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`) ?? []
  if (environment['NODE_ENV'] === 'production' && environment['FAIL_POINT_DIR'] !== undefined) {
    faults.push('  FAIL_POINT_DIR: is for tests and must not be set in production')
  }
  return result.success && faults.length === 0 ? { config: Object.freeze(result.data) } : { faults }
}
