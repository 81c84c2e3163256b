// Decides which contracts a page of the list checks one by one, if several sources or conditions restrict it. Pure. [D71]
import type { Position } from './list-sources.js'

/** The first contracts of a source in the direction of the list. */
export interface Window {
  found: readonly Position[]
  /** True if the source may have more. */
  isFull: boolean
}

export interface Candidates {
  /** In the order of the list. Every contract of the list that is not beyond the last of them is among them. */
  candidates: readonly Position[]
  /** True if contracts beyond the last candidate may be in the list. */
  mayHaveMore: boolean
  /** The indexes of the windows that have not been checked. */
  unchecked: readonly number[]
}

/**
 * The contracts that complete windows agree on; without a complete one, those of the window that reaches furthest. Contracts that are not
 * in a full window may still be in its source, so these sources are unchecked.
 */
export function candidatesOf(windows: readonly Window[], isOlder: boolean): Candidates {
  const complete = windows.filter(({ isFull }) => !isFull)
  const unchecked = windows.flatMap(({ isFull }, index) => (isFull ? [index] : []))
  const [first, ...others] = complete
  if (first) {
    const ids = others.map(({ found }) => new Set(found.map(({ id }) => id)))
    return {
      candidates: first.found.filter(({ id }) => ids.every((set) => set.has(id))),
      mayHaveMore: false,
      unchecked,
    }
  }
  const reach = ({ found }: Window): number => (found.at(-1)?.expiresAt.getTime() ?? 0) * (isOlder ? -1 : 1)
  const furthest = windows.reduce((best, each) => (reach(each) > reach(best) ? each : best))
  return {
    candidates: furthest.found,
    mayHaveMore: true,
    unchecked: unchecked.filter((index) => windows[index] !== furthest),
  }
}
