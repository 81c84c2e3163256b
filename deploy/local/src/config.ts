// Reads the environment of the launcher and of `paraph`. The only file here that does. [local-stack]
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Refusal } from './refusal.js'

/** The checkout. `src` and `dist` lie equally deep. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

const settings = z.object({
  PARAPH_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  PARAPH_MAILBOX_PORT: z.coerce.number().int().min(0).max(65_535).default(8025),
  /** Longest pause before a process that died starts again. Tests that kill many make it short. */
  PARAPH_RESTART_MS_MAX: z.coerce.number().int().min(0).max(600_000).default(30_000),
  PARAPH_DATA_DIR: z.string().min(1).default(join(ROOT, '.data')),
  PARAPH_GATEWAY_INTERNAL_URL: z.url().optional(),
  PARAPH_CONTRACT_INTERNAL_URL: z.url().optional(),
  PARAPH_SIGNING_INTERNAL_URL: z.url().optional(),
  PARAPH_OPERATOR_KEY: z.string().min(1).optional(),
})

/**
 * The launcher's configuration. Port 0 means any free port.
 * @throws Refusal that names every setting that is wrong
 */
export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const parsed = settings.safeParse(environment)
  if (!parsed.success) {
    const names = parsed.error.issues.map((issue) => issue.path.join('.')).join(' and ')
    throw new Refusal(`The setting ${names} is not right. A port is a number from 0 to 65535, an address an http URL.`)
  }
  const { data } = parsed
  return {
    port: data.PARAPH_PORT,
    mailboxPort: data.PARAPH_MAILBOX_PORT,
    dataFolder: resolve(data.PARAPH_DATA_DIR),
    restartMsMax: data.PARAPH_RESTART_MS_MAX,
    gatewayInternalUrl: data.PARAPH_GATEWAY_INTERNAL_URL,
    contractInternalUrl: data.PARAPH_CONTRACT_INTERNAL_URL,
    signingInternalUrl: data.PARAPH_SIGNING_INTERNAL_URL,
    operatorKey: data.PARAPH_OPERATOR_KEY,
    inherited: inheritedFrom(environment),
  }
}

export type LauncherConfig = ReturnType<typeof readConfig>

/** What the services get of our environment: all but what npm added and what is meant for the launcher. */
function inheritedFrom(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !/^(npm_|PARAPH_)/i.test(entry[0]),
    ),
  )
}
