// The environment of the contract service; nothing else reads it.
import { z } from 'zod'
import { commonSettings, keyringSetting, readConfig } from '@paraph/service/config'

export const readContractConfig = () =>
  readConfig({
    ...commonSettings,
    /** Share links begin with this; no slash at the end. */
    SHARE_BASE_URL: z.url(),
    /** Keys of the share tokens' ciphertext. [D46] */
    SHARE_TOKEN_KEYS: keyringSetting,
  })

export type ContractConfig = ReturnType<typeof readContractConfig>
