// Reads a service's configuration from the environment, once. Every fault is printed at once, then the process ends:
// a service never starts half configured. Values are never printed: some are secrets.
import { z } from 'zod'
import { CALLERS } from '@paraph/protocol/caller'
import { parseKeyring } from './keyring.js'

const port = z.coerce.number().int().min(0).max(65_535)
const url = z.url()

/** A keyring: `id:base64,id:base64`, the first is current. */
export const keyringSetting = z.string().transform((text, context) => {
  try {
    return parseKeyring(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is not a keyring' })
    return z.NEVER
  }
})

/** What every service reads. A service extends it with its own. */
export const commonSettings = {
  HOST: z.string().default('0.0.0.0'),
  PORT: port,
  INTERNAL_PORT: port,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  /** Runtime role; may go through a transaction pooler. */
  DATABASE_URL: url,
  /** Runtime role, without a pooler: LISTEN and session locks. [D48] */
  DATABASE_DIRECT_URL: url,
  EVENT_BUS: z.literal('postgres').default('postgres'),
  BUS_DATABASE_URL: url,
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
  /** Seconds that requests under way get to finish when the service is told to stop. */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(15),
}

/** A caller's callees, for the services that call others. */
export const calleeUrl = url

/**
 * Parses `environment` by `settings`; on faults prints all of them to standard error and exits with 1.
 * @returns the parsed settings, frozen
 */
export function readConfig<Shape extends z.ZodRawShape>(
  settings: Shape,
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<z.infer<z.ZodObject<Shape>>> {
  const result = z.object(settings).safeParse(environment)
  if (result.success) return Object.freeze(result.data)
  const faults = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  process.stderr.write(`The configuration is not complete:\n${faults.join('\n')}\n`)
  process.exit(1)
}
