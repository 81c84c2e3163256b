// The environment of the contract service; nothing else reads it.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import { baseUrlSetting, directSettings, keyringSetting, processSettings, readConfig } from '@paraph/config/config'

/** Reads and checks the environment; prints every error and exits with 1 if there is one. */
export const readContractConfig = () =>
  readConfig(busSettings, {
    ...processSettings,
    ...directSettings,
    /** Share links begin with this URL. */
    SHARE_BASE_URL: baseUrlSetting,
    /** Keys that encrypt the stored share tokens. [D46] */
    SHARE_TOKEN_KEYS: keyringSetting,
    /** Days after the end of a contract until its text, names and addresses are erased; not set: never. [D43] */
    KEEP_CONTRACTS_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
  })

export type ContractConfig = ReturnType<typeof readContractConfig>
