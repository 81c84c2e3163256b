// Two kinds of samples taken in turns, and whether one kind is slower. Pure.
// Each pair is compared with itself, so that a machine that is busy for a while slows both of a pair.

export interface Pair {
  /** Milliseconds of the first kind, and of the second, taken right after each other in random order. */
  one: number
  other: number
}

/** The share of pairs in which `one` was slower; a tie counts half. 0.5 tells nothing, 0 or 1 everything. */
export function slowerShare(pairs: readonly Pair[]): number {
  const slower = pairs.filter(({ one, other }) => one > other).length
  const ties = pairs.filter(({ one, other }) => one === other).length
  return (slower + ties / 2) / pairs.length
}

/** The share that there would be had each of the first kind taken `ms` longer: how fine this measurement is. */
export const slowerShareWith = (pairs: readonly Pair[], ms: number): number =>
  slowerShare(pairs.map(({ one, other }) => ({ one: one + ms, other })))

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
