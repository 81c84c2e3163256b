// The environment of the contract service; nothing else reads it.
import { z } from 'zod'
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
    /** Days after its end in which a contract's text, names and addresses are kept; for ever where it is not set. [D43] */
    KEEP_CONTRACTS_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
  })

export type ContractConfig = ReturnType<typeof readContractConfig>
