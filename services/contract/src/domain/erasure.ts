// When an owner's request erases a contract, and what keeps a contract. Pure: no clock, no I/O. [D43, P32]
import { isFinal, type Contract } from './contract.js'

/** Time from an owner's request to the erasure, in which every owner hears of it and can take it back. */
export const ERASURE_DELAY_MS = 7 * 24 * 3_600_000

/** `request` and `keep` are an owner's; `hold` and `release` an operator's. */
export type ErasureCommand = 'request' | 'keep' | 'hold' | 'release'

type ErasureState = Pick<Contract, 'eraseDueAt' | 'isHeld'>
export type ErasureRefusal = 'erased' | 'held' | 'not_final'

/**
 * The state after `command`, or the reason why it changes nothing. A repeated request keeps the time of the first. A hold ends a pending
 * request, so that after the release seven days pass again before an erasure.
 */
export function decideErasure(
  { status, isErased, isHeld, eraseDueAt }: Contract,
  command: ErasureCommand,
  now: Date,
): { next: ErasureState } | { refusal: ErasureRefusal } {
  if (isErased) return { refusal: 'erased' }
  switch (command) {
    case 'request':
      if (isHeld) return { refusal: 'held' }
      if (!isFinal(status)) return { refusal: 'not_final' }
      return { next: { isHeld, eraseDueAt: eraseDueAt ?? new Date(now.getTime() + ERASURE_DELAY_MS) } }
    case 'keep':
      return { next: { isHeld, eraseDueAt: null } }
    case 'hold':
      return { next: { isHeld: true, eraseDueAt: null } }
    case 'release':
      return { next: { isHeld: false, eraseDueAt } }
    default:
      return command satisfies never
  }
}
