// Reads the environment of the mailbox when it runs as a process of its own.
import { baseUrlSetting, checkConfig, configOrExit } from '@paraph/config/config'
import { z } from 'zod'

const port = z.coerce.number().int().min(1).max(65_535)

/** The settings. Prints all errors and exits with 1 if there are any. */
export const readMailboxConfig = () =>
  configOrExit(
    checkConfig(process.env, z.object({}), {
      /** Public URL of the gateway. */
      BASE_URL: baseUrlSetting,
      /** The port of the pages and the API, on 127.0.0.1. */
      PORT: port.default(8025),
      SMTP_PORT: port.default(1025),
      /** The folder of the messages; it may be missing. */
      MAIL_FOLDER: z.string().min(1),
      SANDBOX_KEY: z.string().min(1),
      /** Where the key is stored, for the home page. */
      SANDBOX_KEY_PATH: z.string().min(1),
      /** The mailboxes that may sign in to the console, for the home page. */
      SIGN_IN: z.string().min(1),
      ALLOW_INSECURE_TRANSPORT: z.enum(['yes', 'no']).default('no'),
    }),
  )
