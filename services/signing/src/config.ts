// The environment of the signing service; nothing else reads it.
import { z } from 'zod'
import { calleeUrl, commonSettings, keyringSetting, readConfig } from '@paraph/service/config'

export const readSigningConfig = () =>
  readConfig({
    ...commonSettings,
    CONTRACT_URL: calleeUrl,
    NOTIFICATION_URL: calleeUrl,
    /** What people's browsers call us; decides cookies and HSTS. */
    SHARE_BASE_URL: z.url(),
    /** HMAC keys of one-time codes. [D16] */
    CODE_PEPPERS: keyringSetting,
    /** AES-GCM keys of codes on their way to notification. [D42] */
    CODE_KEYS: keyringSetting,
    /** Secret of form tokens and of the typed name kept over a new confirmation: at least 32 characters. */
    PAGE_SECRET: z.string().min(32),
  })

export type SigningConfig = ReturnType<typeof readSigningConfig>
