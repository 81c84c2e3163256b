// The environment of the signing service; nothing else reads it.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import { baseUrlSetting, keyringSetting, processSettings, readConfig } from '@paraph/service/config'

/** Reads and checks it; prints every fault and exits with 1 where something is missing. */
export const readSigningConfig = () =>
  readConfig(busSettings, {
    ...processSettings,
    CONTRACT_URL: baseUrlSetting,
    NOTIFICATION_URL: baseUrlSetting,
    /** What people's browsers call us; decides cookies and HSTS. */
    SHARE_BASE_URL: baseUrlSetting,
    /** HMAC keys of one-time codes, and of the clients' addresses that are counted. [D16, P8] */
    CODE_PEPPERS: keyringSetting,
    /** AES-GCM keys of codes on their way to notification. [D42] */
    CODE_KEYS: keyringSetting,
    /** How long a submitted signature waits for the contract service's answer before it is asked about. [D41] */
    SIGN_UNSETTLED_SECONDS: z.coerce.number().min(0).max(3_600).default(15),
    /** Secret of form tokens, and of the cookie that keeps a typed name: at least 32 characters. [P9] */
    PAGE_SECRET: z.string().min(32),
    /** Where the operator reads mail about misuse and personal data; named on the help and privacy pages. */
    OPERATOR_ADDRESS: z.email().optional(),
    /** The operator's status page, linked at the foot of every page. */
    STATUS_URL: z.url({ protocol: /^https?$/ }).optional(),
  })

export type SigningConfig = ReturnType<typeof readSigningConfig>
