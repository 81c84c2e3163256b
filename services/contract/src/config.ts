// The environment of the contract service; nothing else reads it.
import {
  baseUrlSetting,
  busSettings,
  directSettings,
  keyringSetting,
  processSettings,
  readConfig,
} from '@paraph/service/config'

/** Reads and checks it; prints every fault and exits with 1 where something is missing. */
export const readContractConfig = () =>
  readConfig({
    ...processSettings,
    ...directSettings,
    ...busSettings,
    /** Share links begin with this. */
    SHARE_BASE_URL: baseUrlSetting,
    /** Keys of the share tokens' ciphertext. [D46] */
    SHARE_TOKEN_KEYS: keyringSetting,
  })

export type ContractConfig = ReturnType<typeof readContractConfig>
