// The gateway's settings. The only file here that reads the environment.
import { z } from 'zod'
import { baseUrlSetting, busSettings, directSettings, processSettings, readConfig } from '@paraph/service/config'

const settings = {
  ...processSettings,
  ...directSettings,
  ...busSettings,
  /** Public ports of the services behind. */
  CONTRACT_URL: baseUrlSetting,
  SIGNING_URL: baseUrlSetting,
  /** Internal ports: readiness, the contract service's part of the OpenAPI document. */
  CONTRACT_INTERNAL_URL: baseUrlSetting,
  SIGNING_INTERNAL_URL: baseUrlSetting,
  NOTIFICATION_INTERNAL_URL: baseUrlSetting,
  /** Where people and clients reach this installation, without a path: `https://sign.example.com`. */
  BASE_URL: baseUrlSetting,
  /** Proxies of ours in front, whose X-Forwarded-For is believed. [D9] */
  TRUSTED_PROXY_HOPS: z.coerce.number().int().min(0).max(10).default(0),
}

/** Reads the settings; on faults prints all of them and ends the process. */
export const readGatewayConfig = () => readConfig(settings)

export type GatewayConfig = ReturnType<typeof readGatewayConfig>
