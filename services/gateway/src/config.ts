// The gateway's settings. The only file here that reads the environment.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import { isMailAddress, mailboxOf } from '@paraph/protocol/text-rules'
import {
  baseUrlSetting,
  databaseUrlSetting,
  directSettings,
  keyringSetting,
  pageSecretsSetting,
  processSettings,
  readConfig,
} from '@paraph/config/config'

const settings = {
  ...processSettings,
  ...directSettings,
  /** The contract service's public port. */
  CONTRACT_URL: baseUrlSetting,
  /** The signing service's public port. */
  SIGNING_URL: baseUrlSetting,
  /** The notification service's public port. */
  NOTIFICATION_URL: baseUrlSetting,
  /** The contract service's internal port: whether it is ready, and its part of the OpenAPI document. */
  CONTRACT_INTERNAL_URL: baseUrlSetting,
  /** The signing service's internal port: whether it is ready. */
  SIGNING_INTERNAL_URL: baseUrlSetting,
  /** The notification service's internal port: whether it is ready. */
  NOTIFICATION_INTERNAL_URL: baseUrlSetting,
  /** Where people and clients reach this installation, without a path: `https://sign.example.com`. */
  BASE_URL: baseUrlSetting,
  /** Proxies of ours in front, whose X-Forwarded-For is believed. [D9] */
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  /** Where the sliding windows live: `memory` for one gateway, `postgres` for several that share them. [D27] */
  WINDOW_STORE: z.enum(['memory', 'postgres']).default('memory'),
  /** The gateway's database once more, where shared windows are to have a way of their own to it. By default DATABASE_URL. */
  WINDOW_DATABASE_URL: databaseUrlSetting.optional(),
  /** Milliseconds that shared windows get to answer before this gateway's own log decides. [D27] */
  WINDOW_STORE_MS_MAX: z.coerce.number().int().min(1).max(10_000).default(25),
  /** HMAC keys of the console's one-time codes, and of the clients' addresses that are counted. [D16, P8] */
  CODE_PEPPERS: keyringSetting,
  /** AES-GCM keys of those codes on their way to notification. [D42] */
  CODE_KEYS: keyringSetting,
  /** Secrets of the console's form tokens. [P9] */
  PAGE_SECRET: pageSecretsSetting,
  /** Mailboxes of the operators, a comma between: who proves one of them is an operator. Nobody else ever becomes one. */
  OPERATOR_EMAILS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((address) => address.trim()))
    .transform((list) => list.filter((address) => address !== ''))
    .refine((list) => list.every(isMailAddress), { error: 'must be plain e-mail addresses, a comma between.' })
    .transform((list) => list.map(mailboxOf)),
  /** `trial`: an application is approved at once, and a chosen tier begins as a trial with sandbox keys alone. [D38] */
  AUTO_APPROVE: z.enum(['off', 'trial']).default('off'),
  /** Where the operator reads mail; the console names it where only the operator can help. */
  OPERATOR_ADDRESS: z.email().optional(),
  /** The operator's status page, linked from every page. */
  STATUS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Where / leads on a local start, on this machine alone. Without it / says what this server is. */
  LOCAL_HOME_URL: z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/ }).optional(),
}

/** Reads the settings; on errors prints all of them and ends the process. */
export const readGatewayConfig = () => readConfig(busSettings, settings)

export type GatewayConfig = ReturnType<typeof readGatewayConfig>
