// Decides which contracts a page of the list may have, if several sources restrict it. Pure. [D71]
import type { Position } from './list-sources.js'

/** The first contracts of a source in the direction of the list. */
export interface Window {
  found: readonly Position[]
  /** True if the source may have more. */
  isFull: boolean
}

export interface Candidates {
  /** In the order of the list. `isSure`: every source has this contract. Else the unchecked sources may or may not have it. */
  candidates: readonly { position: Position; isSure: boolean }[]
  /** Where the list may go on after the candidates; undefined at its end. */
  rest: Position | undefined
  /** The indexes of the windows that do not say of every candidate whether their source has it. */
  unchecked: readonly number[]
}

/**
 * The candidates are in a window that is complete, or else in the one that reaches furthest. Another window decides on a candidate
 * unless it is full and ends before the candidate.
 */
export function candidatesOf(windows: readonly Window[], isOlder: boolean): Candidates {
  const ends = windows.map(({ found }) => (found.at(-1)?.expiresAt.getTime() ?? 0) * (isOlder ? -1 : 1))
  const furthest = ends.indexOf(Math.max(...ends))
  const complete = windows.findIndex(({ isFull }) => !isFull)
  const lead = complete === -1 ? furthest : complete
  const ids = windows.map(({ found }) => new Set(found.map(({ id }) => id)))
  const { found = [], isFull = false } = windows[lead] ?? {}
  const candidates = found.flatMap((position) => {
    const silent = windows.flatMap((window, index) => (ids[index]?.has(position.id) ? [] : [{ ...window, index }]))
    // Contracts that expire in the millisecond of the end may be on either side of it.
    const isBeyond = ({ index }: { index: number }) =>
      position.expiresAt.getTime() * (isOlder ? -1 : 1) >= (ends[index] ?? 0)
    return silent.every((window) => window.isFull && isBeyond(window))
      ? [{ position, isSure: silent.length === 0 }]
      : []
  })
  return {
    candidates,
    rest: isFull ? found.at(-1) : undefined,
    unchecked: windows.flatMap((window, index) => (window.isFull && index !== lead ? [index] : [])),
  }
}
