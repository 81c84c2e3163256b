// The environment of the contract service; nothing else reads it.
import { busSettings } from '@paraph/messaging/bus-settings'
import { baseUrlSetting, directSettings, keyringSetting, processSettings, readConfig } from '@paraph/service/config'

/** Reads and checks it; prints every fault and exits with 1 where something is missing. */
export const readContractConfig = () =>
  readConfig(busSettings, {
    ...processSettings,
    ...directSettings,
    /** Share links begin with this. */
    SHARE_BASE_URL: baseUrlSetting,
    /** Keys of the share tokens' ciphertext. [D46] */
    SHARE_TOKEN_KEYS: keyringSetting,
  })

export type ContractConfig = ReturnType<typeof readContractConfig>
