// The environment variables of the contract service. Its other files do not read them.
import { z } from 'zod'
import { busSettings } from '@paraph/messaging/bus-settings'
import {
  baseUrlSetting,
  checkConfig,
  configOrExit,
  directSettings,
  keyringSetting,
  processSettings,
} from '@paraph/config/config'

/** The settings of `environment`, or one line per error. */
export const checkContractConfig = (environment: NodeJS.ProcessEnv) =>
  checkConfig(environment, busSettings, {
    ...processSettings,
    ...directSettings,
    /** Share links begin with this URL. */
    SHARE_BASE_URL: baseUrlSetting,
    /** Keys that encrypt the stored share tokens. [D46] */
    SHARE_TOKEN_KEYS: keyringSetting,
    /** Days after the end of a contract until its text, names and addresses are erased. If unset, they are never erased. [D43] */
    KEEP_CONTRACTS_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
  })

/** Reads and checks the environment variables. If any is invalid, prints every error and exits with status 1. */
export const readContractConfig = () => configOrExit(checkContractConfig(process.env))

export type ContractConfig = ReturnType<typeof readContractConfig>
