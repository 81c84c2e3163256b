// The settings of the notification service; only this file reads the environment.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import { baseUrlSetting, directSettings, keyringSetting, processSettings, readConfig } from '@paraph/config/config'
import { readSmtpUrl } from './smtp/smtp-url.js'

/** Reads and checks the settings; on an error, prints all of them and exits with 1. */
export const readNotificationConfig = () =>
  readConfig(busSettings, {
    ...processSettings,
    ...directSettings,
    /** The contract service's public port; asked for the facts of a mail when it is sent. [D44] */
    CONTRACT_URL: baseUrlSetting,
    /** The signing service's public port; asked for the sealed PDF when its mail is sent. [D44] */
    SIGNING_URL: baseUrlSetting,
    /** `smtp://` or `smtps://`, with `user:password@` where the relay asks for it; `?tls=off` allows a relay without TLS. */
    SMTP_URL: z.string().transform((text, context) => {
      try {
        return readSmtpUrl(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is not an SMTP address' })
        return z.NEVER
      }
    }),
    /** Every mail comes from this address; SPF, DKIM and DMARC are set up for its domain. */
    MAIL_FROM_ADDRESS: z.email(),
    /** Right side of every Message-ID and the name in EHLO. */
    MAIL_DOMAIN: z.hostname(),
    /** Share links begin with this; its host goes into the last line of a code mail. */
    SHARE_BASE_URL: baseUrlSetting,
    /** Keys of the one-time codes' ciphertext. [D42] */
    CODE_KEYS: keyringSetting,
    /** Tell a party who had signed that the contract was cancelled or expired. [D24] */
    OUTCOME_EMAIL: z.enum(['on', 'off']).default('on'),
    /** Send the sealed PDF to every mailbox when everyone has signed. [D24] */
    COMPLETION_EMAIL: z.enum(['on', 'off']).default('on'),
    /**
     * After a restore: mails made before this instant, codes excepted, are held as long as it is set (held-mails.ts). Left behind it
     * holds nothing new.
     */
    HOLD_MAILS_BEFORE: z.iso
      .datetime({ offset: true, error: 'must be an instant such as 2026-11-23T10:30:00Z' })
      .transform((text) => new Date(text))
      .optional(),
    /** Mails on their way to the relay at once; one more is kept free for codes. */
    SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(50).default(5),
    /** Mails that this process starts to send in a second, in the long run; a part of it is kept for codes (token-bucket.ts). */
    SMTP_RATE_PER_SECOND: z.coerce.number().min(0.1).max(10_000).default(200),
  })

export type NotificationConfig = ReturnType<typeof readNotificationConfig>
