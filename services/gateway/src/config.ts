// The gateway's settings. The only file here that reads the environment.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import { issuerErrors, issuerSetting } from './console/issuers/settings.js'
import { isMailAddress, mailboxOf } from '@paraph/protocol/text-rules'
import {
  baseUrlSetting,
  checkConfig,
  configOrExit,
  databaseUrlSetting,
  directSettings,
  keyringSetting,
  pageSecretsSetting,
  parsedSetting,
  processSettings,
} from '@paraph/config/config'
import { parsePrices } from './billing/prices.js'

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
  /**
   * AES-GCM keys that encrypt the console's one-time codes until the notification service has accepted them. They also encrypt the tokens
   * of sessions at an OpenID Connect provider. [D42, D73]
   */
  CODE_KEYS: keyringSetting,
  /** Secrets of the console's form tokens. [P9] */
  PAGE_SECRET: pageSecretsSetting,
  /**
   * The operators' email addresses, separated by commas. A person who signs in by a code to one of them is an operator; nobody else is.
   * With OIDC_OPERATORS_ISSUER the setting has no effect.
   */
  OPERATOR_EMAILS: z
    .string()
    .default('')
    .transform((list) => list.split(',').map((address) => address.trim()))
    .transform((list) => list.filter((address) => address !== ''))
    .refine((list) => list.every(isMailAddress), {
      error: 'must be email addresses without names, separated by commas.',
    })
    .transform((list) => list.map(mailboxOf)),
  /** The issuer URL of the OpenID Connect provider with which owners sign in (docs/how-to/operators/single-sign-on.md). [D73] */
  OIDC_OWNERS_ISSUER: issuerSetting.optional(),
  /** The client id of this installation at the owners' provider. */
  OIDC_OWNERS_CLIENT_ID: z.string().min(1).optional(),
  /** The client secret of this installation at the owners' provider. */
  OIDC_OWNERS_CLIENT_SECRET: z.string().min(1).optional(),
  /** `off`: nobody signs in by a one-time code. Needs a provider for owners and one for operators. [D73] */
  OIDC_OWNERS_CODES: z.enum(['allowed', 'off']).default('allowed'),
  /** The issuer URL of the OpenID Connect provider with which operators sign in. With it, a code makes nobody an operator. [D73] */
  OIDC_OPERATORS_ISSUER: issuerSetting.optional(),
  /** The client id of this installation at the operators' provider. */
  OIDC_OPERATORS_CLIENT_ID: z.string().min(1).optional(),
  /** The client secret of this installation at the operators' provider. */
  OIDC_OPERATORS_CLIENT_SECRET: z.string().min(1).optional(),
  /** The group whose members are operators, as the provider names it in OIDC_OPERATORS_GROUPS_CLAIM. */
  OIDC_OPERATORS_GROUP: z.string().min(1).optional(),
  /** The claim with the groups of a person. */
  OIDC_OPERATORS_GROUPS_CLAIM: z.string().min(1).default('groups'),
  /** The scopes that the operators' sign-in asks for. Some providers give groups or refresh tokens only for a scope of their own. */
  OIDC_OPERATORS_SCOPES: z
    .string()
    .regex(/^openid( [\x21-\x7e]+)*$/, { error: 'must be scopes separated by spaces, openid first' })
    .default('openid email'),
  /** `trial`: the gateway approves applications immediately, and a chosen tier begins as a trial with sandbox keys only. [D38] */
  AUTO_APPROVE: z.enum(['off', 'trial']).default('off'),
  /** The operator's email address, which the console shows when only the operator can help. */
  OPERATOR_ADDRESS: z.email().optional(),
  /** The URL of the operator's status page, to which every page links. */
  STATUS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** How accounts pay: `manual`, the operator writes invoices and grants plans; `stripe`, owners pay at Stripe. [D74] */
  BILLING: z.enum(['manual', 'stripe']).default('manual'),
  /** The secret or restricted key of Stripe's interface: `sk_live_…` or `rk_live_…`. Required with `BILLING=stripe`. */
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^[sr]k_(test|live)_\w+$/, { error: 'must begin with sk_live_, rk_live_, sk_test_ or rk_test_' })
    .optional(),
  /** The signing secret of the webhook endpoint: `whsec_…`; two with a comma during a rotation. Required with `BILLING=stripe`. */
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_\w+(,whsec_\w+)?$/, { error: 'must be one or two secrets that begin with whsec_, a comma between' })
    .transform((secrets) => secrets.split(','))
    .optional(),
  /** Which price of Stripe buys which tier: `price_1Ab=startup,price_2Cd=growth`. Required with `BILLING=stripe`. */
  STRIPE_PRICES: parsedSetting(parsePrices).optional(),
  /** The address of Stripe's interface. */
  STRIPE_API_URL: baseUrlSetting.default('https://api.stripe.com'),
  /** The URL on this machine to which / redirects on a local start. Without this setting, / describes this server. */
  LOCAL_HOME_URL: z.url({ protocol: /^http$/, hostname: /^(localhost|127\.0\.0\.1)$/ }).optional(),
}

const checkEach = (environment: NodeJS.ProcessEnv) => checkConfig(environment, busSettings, settings)

/** The settings of `environment`, or one line per error. */
export function checkGatewayConfig(environment: NodeJS.ProcessEnv): ReturnType<typeof checkEach> {
  const checked = checkEach(environment)
  const errors = [...issuerErrors(environment), ...('config' in checked ? stripeErrors(checked.config) : [])]
  if (errors.length === 0) return checked
  return { errors: [...('errors' in checked ? checked.errors : []), ...errors] }
}

/** One line for each setting that Stripe needs and that is missing. */
function stripeErrors(config: Extract<ReturnType<typeof checkEach>, { config: unknown }>['config']): string[] {
  if (config.BILLING === 'manual') return []
  return (['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES'] as const)
    .filter((name) => config[name] === undefined)
    .map((name) => `  ${name}: is required with BILLING=stripe`)
}

/** Reads the settings; on errors prints all of them and ends the process. */
export const readGatewayConfig = () => configOrExit(checkGatewayConfig(process.env))

export type GatewayConfig = ReturnType<typeof readGatewayConfig>
