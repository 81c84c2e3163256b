// Connections to another of our services: how they are made, and how long they may lie idle.
import { Pool } from 'undici'
import { IDLE_CONNECTIONS } from './idle-connections.js'
import { createLookup } from './remembered-names.js'

/** Two lost packets; who is not there by then is asked for again (single-retry). */
const CONNECT_MS_MAX = 3_000
/** One memory for all pools of a process: they lead to the same few names. */
const lookup = createLookup()

/** @param connectMsMax for callers whose whole call must be shorter */
export const createServicePool = (
  url: string,
  { connectMsMax = CONNECT_MS_MAX, ...options }: Omit<Pool.Options, 'connect'> & { connectMsMax?: number } = {},
): Pool => new Pool(url, { ...IDLE_CONNECTIONS, ...options, connect: { timeout: connectMsMax, lookup } })
