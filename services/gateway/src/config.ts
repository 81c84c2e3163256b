// The gateway's settings. The only file here that reads the environment.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import { isMailAddress, mailboxOf } from '@paraph/protocol/text-rules'
import {
  baseUrlSetting,
  checkConfig,
  configOrExit,
  databaseUrlSetting,
  directSettings,
  keyringSetting,
  pageSecretsSetting,
  processSettings,
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
  /** The contract service's internal port, for its readiness and its part of the OpenAPI document. */
  CONTRACT_INTERNAL_URL: baseUrlSetting,
  /** The signing service's internal port, for its readiness. */
  SIGNING_INTERNAL_URL: baseUrlSetting,
  /** The notification service's internal port, for its readiness. */
  NOTIFICATION_INTERNAL_URL: baseUrlSetting,
  /** The public URL of this installation, without a path: `https://sign.example.com`. */
  BASE_URL: baseUrlSetting,
  /** The number of the operator's proxies in front of the gateway, whose X-Forwarded-For entries the gateway trusts. [D9] */
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
  /** The store of the sliding windows: `memory` for one gateway, `postgres` for several gateways that share the windows. [D27] */
  WINDOW_STORE: z.enum(['memory', 'postgres']).default('memory'),
  /** A separate URL of the gateway's database for the shared windows. Default: DATABASE_URL. */
  WINDOW_DATABASE_URL: databaseUrlSetting.optional(),
  /** Time limit of the shared windows in milliseconds. After this time, the gateway's own windows decide. [D27] */
  WINDOW_STORE_MS_MAX: z.coerce.number().int().min(1).max(10_000).default(25),
  /** HMAC keys of the console's one-time codes and of stored client addresses. [D16, P8] */
  CODE_PEPPERS: keyringSetting,
  /** AES-GCM keys that encrypt the console's one-time codes until the notification service has accepted them. [D42] */
  CODE_KEYS: keyringSetting,
  /** Secrets of the console's form tokens. [P9] */
  PAGE_SECRET: pageSecretsSetting,
  /** The operators' email addresses, separated by commas. A person who signs in with one of them is an operator; nobody else is. */
  OPERATOR_EMAILS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((address) => address.trim()))
    .transform((list) => list.filter((address) => address !== ''))
    .refine((list) => list.every(isMailAddress), {
      error: 'must be email addresses without names, separated by commas.',
    })
    .transform((list) => list.map(mailboxOf)),
  /** `trial`: the gateway approves applications immediately, and a chosen tier begins as a trial with sandbox keys only. [D38] */
  AUTO_APPROVE: z.enum(['off', 'trial']).default('off'),
  /** The operator's email address, which the console shows when only the operator can help. */
  OPERATOR_ADDRESS: z.email().optional(),
  /** The URL of the operator's status page, to which every page links. */
  STATUS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The URL on this machine to which / redirects on a local start. Without this setting, / describes this server. */
  LOCAL_HOME_URL: z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/ }).optional(),
}

/** The settings of `environment`, or one line per error. */
export const checkGatewayConfig = (environment: NodeJS.ProcessEnv) => checkConfig(environment, busSettings, settings)

/** Reads the settings; on errors prints all of them and ends the process. */
export const readGatewayConfig = () => configOrExit(checkGatewayConfig(process.env))

export type GatewayConfig = ReturnType<typeof readGatewayConfig>
