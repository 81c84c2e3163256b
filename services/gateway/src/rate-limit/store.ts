// The interface of a store of sliding windows. [Limits, D10, D27]
// Two stores keep the same promises (window-store-fixture.ts): `memory` for one gateway, `postgres` for several.
import type { WindowState } from './sliding-window.js'

export interface Admission {
  admitted: boolean
  /** The window at the time of this call, which is when the reply is written. */
  state(): WindowState
}

export interface WindowStore {
  /**
   * Takes a slot in the window `name`, of an account in one environment, if one is free. [D10]
   * @param limit requests per minute
   */
  admit(name: string, limit: number): Admission | Promise<Admission>
}
