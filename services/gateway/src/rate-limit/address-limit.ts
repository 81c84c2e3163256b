// The window of those who show no valid key: 60 a minute per client address. [Limits, D9]
// Refused keys and unknown paths count here; a valid key on a known path never meets it. Per process, bounded.
import { addressBlockOf } from '@paraph/service/address-block'
import type { WindowState } from './rate-limit.js'
import { createMemoryWindows } from './memory-windows.js'
import type { Admission } from './window-store.js'

const ADDRESS_REQUESTS_PER_MINUTE = 60
/** A window of 60 takes about 0.5 KiB at most: 25 MiB when all are full. */
const ADDRESSES_MAX = 50_000

/** @param nowMs a clock that never runs backwards */
export function createAddressWindow({ nowMs }: { nowMs?: () => number } = {}) {
  const windows = createMemoryWindows({ windowsMax: ADDRESSES_MAX, ...(nowMs ? { nowMs } : {}) })
  return {
    /** Counts a request of `address`, if its window has a slot. */
    admit: (address: string): Admission => windows.admit(addressBlockOf(address), ADDRESS_REQUESTS_PER_MINUTE),
    /** The window of `address`; counts nothing. */
    look: (address: string): WindowState => windows.look(addressBlockOf(address), ADDRESS_REQUESTS_PER_MINUTE),
  }
}

export type AddressWindow = ReturnType<typeof createAddressWindow>
