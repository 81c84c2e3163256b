// Connection pools to the other services: how connections are made, and how long they may be idle.
import { Pool } from 'undici'
import { IDLE_CONNECTIONS } from '@paraph/http/idle-connections'
import { createLookup } from './dns-cache.js'

/** Long enough for a connection to survive two lost packets; afterwards the caller retries once (edge/retry-once.ts). */
const CONNECT_MS_MAX = 3_000
/** One DNS cache for all pools of a process: they connect to the same few names. */
const lookup = createLookup()

/** @param connectMsMax the connect timeout, at most the timeout of the whole call */
export const createServicePool = (
  url: string,
  { connectMsMax = CONNECT_MS_MAX, ...options }: Omit<Pool.Options, 'connect'> & { connectMsMax?: number } = {},
): Pool => new Pool(url, { ...IDLE_CONNECTIONS, ...options, connect: { timeout: connectMsMax, lookup } })
