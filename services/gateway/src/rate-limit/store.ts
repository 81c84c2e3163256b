// What the edge asks of a sliding window, wherever its log lives. [Limits, D10, D27]
// Two stores keep the same promises (window-store-fixture.ts): `memory` for one gateway, `postgres` for several.
import type { WindowState } from './rate-limit.js'

export interface Admission {
  admitted: boolean
  /** The window when the reply is written, not when the request came. */
  state(): WindowState
}

export interface WindowStore {
  /**
   * Asks for a slot in the window `name`: of an account in one environment. [D10]
   * @param limit requests per minute
   */
  admit(name: string, limit: number): Admission | Promise<Admission>
}
