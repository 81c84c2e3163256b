// The settings of the notification service; only this file reads the environment variables.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import {
  baseUrlSetting,
  checkConfig,
  configOrExit,
  directSettings,
  footNameSetting,
  keyringSetting,
  processSettings,
} from '@paraph/config/config'
import { readSmtpUrl } from './smtp/smtp-url.js'

/** The settings of `environment`, or one line per error. */
export const checkNotificationConfig = (environment: NodeJS.ProcessEnv) =>
  checkConfig(environment, busSettings, {
    ...processSettings,
    ...directSettings,
    /** The contract service's public port, which provides the data of a mail when it is sent. [D44] */
    CONTRACT_URL: baseUrlSetting,
    /** The signing service's public port, which provides the sealed PDF when its mail is sent. [D44] */
    SIGNING_URL: baseUrlSetting,
    /** The SMTP server: `smtp://` or `smtps://`, with `user:password@` if it requires a login. `?tls=off` allows a server without TLS. */
    SMTP_URL: z.string().transform((text, context) => {
      try {
        return readSmtpUrl(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is not an SMTP address' })
        return z.NEVER
      }
    }),
    /** The sender address of every mail; configure SPF, DKIM and DMARC for its domain. */
    MAIL_FROM_ADDRESS: z.email(),
    /** The right side of every Message-ID, and the name in EHLO. */
    MAIL_DOMAIN: z.hostname(),
    /** The base URL of share links; its host is in the last line of a code mail. */
    SHARE_BASE_URL: baseUrlSetting,
    /** The name in the foot of a mail with the brand of an account, after "via". Another name replaces the mark of Paraph. [D59] */
    FOOT_NAME: footNameSetting.default('Paraph'),
    /** Keys that encrypt one-time codes. [D42] */
    CODE_KEYS: keyringSetting,
    /** Notify a party who had signed when the contract is cancelled or expires. [D24] */
    OUTCOME_EMAIL: z.enum(['on', 'off']).default('on'),
    /** Mails of sandbox contracts are kept for the console; `send` also sends them. [D64] */
    SANDBOX_MAIL: z.enum(['capture', 'send']).default('capture'),
    /** Webhook endpoints at 127.0.0.1 and ::1, also without TLS: for a machine of its own. [D65] */
    WEBHOOKS_TO_LOOPBACK: z.enum(['on', 'off']).default('off'),
    /** Send the sealed PDF to every mailbox when everyone has signed. [D24] */
    COMPLETION_EMAIL: z.enum(['on', 'off']).default('on'),
    /**
     * After a restore: pauses the mails that were created before this instant, except codes, until the setting is removed
     * (held-mails.ts).
     */
    HOLD_MAILS_BEFORE: z.iso
      .datetime({ offset: true, error: 'must be an instant such as 2026-11-23T10:30:00Z' })
      .transform((text) => new Date(text))
      .optional(),
    /** Mails that this process sends to the SMTP server at the same time; one more slot is reserved for codes. */
    SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(50).default(5),
    /** Mails that this process starts to send per second, on average; a part of this rate is reserved for codes (token-bucket.ts). */
    SMTP_RATE_PER_SECOND: z.coerce.number().min(0.1).max(10_000).default(200),
  })

/** Reads and checks the settings. If any is invalid, prints every error and exits with status 1. */
export const readNotificationConfig = () => configOrExit(checkNotificationConfig(process.env))

export type NotificationConfig = ReturnType<typeof readNotificationConfig>
