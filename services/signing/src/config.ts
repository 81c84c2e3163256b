// The settings of the signing service; only this file reads the environment.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import {
  baseUrlSetting,
  checkConfig,
  configOrExit,
  directSettings,
  footNameSetting,
  keyringSetting,
  pageSecretsSetting,
  processSettings,
} from '@paraph/config/config'
import { objectStoreSetting } from './documents/object-store-url.js'

const checkEach = (environment: NodeJS.ProcessEnv) =>
  checkConfig(environment, busSettings, {
    ...processSettings,
    ...directSettings,
    /** The contract service's public port. */
    CONTRACT_URL: baseUrlSetting,
    /** The notification service's public port, which accepts one-time codes. */
    NOTIFICATION_URL: baseUrlSetting,
    /** The base URL of share links; its scheme determines the cookie attributes and HSTS. */
    SHARE_BASE_URL: baseUrlSetting,
    /** HMAC keys of one-time codes and of stored client addresses. [D16, P8] */
    CODE_PEPPERS: keyringSetting,
    /** AES-GCM keys that encrypt codes until the notification service has accepted them. [D42] */
    CODE_KEYS: keyringSetting,
    /** Seconds after which signing asks the contract service for the missing outcome of a submitted signature. [D41] */
    SIGN_UNSETTLED_SECONDS: z.coerce.number().min(0).max(3_600).default(15),
    /** Secrets of form tokens, and of the cookie that keeps a typed name. [P9] */
    PAGE_SECRET: pageSecretsSetting,
    /** PKCS#8 PEM of the Ed25519 key that signs the evidence. [D30] */
    EVIDENCE_KEY: z.string().min(1),
    /** PKCS#8 PEM of the key that seals PDFs. Requires SEAL_CERTIFICATE; SEAL_P12 replaces both. [D30] */
    SEAL_KEY: z.string().min(1).optional(),
    /** PEM of the certificate for SEAL_KEY, followed by its issuers. */
    SEAL_CERTIFICATE: z.string().min(1).optional(),
    /** Key and certificates as PKCS#12, in base64. */
    SEAL_P12: z.base64().optional(),
    /** Password of SEAL_P12. */
    SEAL_P12_PASSWORD: z.string().default(''),
    /** Same as EVIDENCE_KEY, for sandbox contracts. Must be a different key. [D15] */
    SANDBOX_EVIDENCE_KEY: z.string().min(1),
    /** Same as SEAL_KEY, for sandbox contracts. */
    SANDBOX_SEAL_KEY: z.string().min(1).optional(),
    /** Same as SEAL_CERTIFICATE, for sandbox contracts. */
    SANDBOX_SEAL_CERTIFICATE: z.string().min(1).optional(),
    /** Same as SEAL_P12, for sandbox contracts. */
    SANDBOX_SEAL_P12: z.base64().optional(),
    /** Password of SANDBOX_SEAL_P12. */
    SANDBOX_SEAL_P12_PASSWORD: z.string().default(''),
    /** PEM of public keys that signed evidence earlier, each below a line `# <kid> retired-production:<last day>` or `retired-sandbox`. [P38] */
    EVIDENCE_RETIRED_KEYS: z.string().default(''),
    /** PEM of certificates that sealed PDFs earlier, each below a line like that with its SHA-256 fingerprint. [P38] */
    SEAL_RETIRED_CERTIFICATES: z.string().default(''),
    /** Where new signed PDFs and evidence files go: `postgres`, into the rows, or `s3`, into OBJECT_STORE_URL. [P43] */
    DOCUMENT_STORE: z.enum(['postgres', 's3']).default('postgres'),
    /**
     * A bucket of an S3-compatible store: `https://KEY_ID:SECRET@host/bucket?region=NAME`, with `%2F` for each `/` in the secret. Required
     * with `DOCUMENT_STORE=s3`. Without a key, the credentials of the pod or machine apply. With `DOCUMENT_STORE=postgres` the service
     * still reads the documents that are in the bucket. [P43]
     */
    OBJECT_STORE_URL: objectStoreSetting.optional(),
    /** Set as in the notification service: with `on`, the last page announces the mail with the sealed PDF. [D24] */
    COMPLETION_EMAIL: z.enum(['on', 'off']).default('on'),
    /** The operator's email address for misuse and personal data, on the help and privacy pages. */
    OPERATOR_ADDRESS: z.email().optional(),
    /** Set as in the notification service: the name in the foot of every page, and after "via" with the brand of an account. [D59] */
    FOOT_NAME: footNameSetting.default('Paraph'),
    /** The operator's status page, linked at the foot of every page. */
    STATUS_URL: z.url({ protocol: /^https?$/ }).optional(),
  })

/** The settings of `environment`, or one line per error. */
export function checkSigningConfig(environment: NodeJS.ProcessEnv): ReturnType<typeof checkEach> {
  const checked = checkEach(environment)
  const isStoreMissing =
    'config' in checked && checked.config.DOCUMENT_STORE === 's3' && checked.config.OBJECT_STORE_URL === undefined
  return isStoreMissing ? { errors: ['  OBJECT_STORE_URL: is required with DOCUMENT_STORE=s3'] } : checked
}

/** Reads and checks the settings; on an error, prints all of them and exits with 1. */
export const readSigningConfig = () => configOrExit(checkSigningConfig(process.env))

export type SigningConfig = ReturnType<typeof readSigningConfig>
