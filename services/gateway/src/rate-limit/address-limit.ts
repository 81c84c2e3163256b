// The window of requests without a valid key: 60 a minute per client address, per process. [Limits, D9]
// Refused keys and unknown paths count here; a valid key on a known path never does.
import { addressBlockOf } from '@paraph/http/address-block'
import { createMemoryWindows } from './memory-store.js'
import type { Admission, WindowState } from './sliding-window.js'

const ADDRESS_REQUESTS_PER_MINUTE = 60
/** A window of 60 takes up to 0.5 KiB: 25 MiB when all are full. */
const ADDRESSES_MAX = 50_000

/** @param nowMs a clock that never runs backwards */
export function createAddressWindow({ nowMs }: { nowMs?: () => number } = {}) {
  const windows = createMemoryWindows({ windowsMax: ADDRESSES_MAX, ...(nowMs ? { nowMs } : {}) })
  return {
    /** Counts a request of `address` if its window has a slot. */
    admit: (address: string): Admission => windows.admit(addressBlockOf(address), ADDRESS_REQUESTS_PER_MINUTE),
    /** The window of `address`; counts nothing. */
    peek: (address: string): WindowState => windows.peek(addressBlockOf(address), ADDRESS_REQUESTS_PER_MINUTE),
  }
}

export type AddressWindow = ReturnType<typeof createAddressWindow>
