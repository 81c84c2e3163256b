// Two kinds of samples taken alternately, and whether one kind is slower. Pure.
// The samples of each pair are compared with each other, because a busy machine slows both.

export interface Pair {
  /** Milliseconds of the first kind, and of the second, taken right after each other in random order. */
  one: number
  other: number
}

/** The share of pairs in which `one` was slower; a tie counts half. 0.5 shows no difference, 0 or 1 a certain one. */
export function slowerShare(pairs: readonly Pair[]): number {
  const slower = pairs.filter(({ one, other }) => one > other).length
  const ties = pairs.filter(({ one, other }) => one === other).length
  return (slower + ties / 2) / pairs.length
}

/** The share if each of the first kind had taken `ms` longer: the sensitivity of this measurement. */
export const slowerShareWith = (pairs: readonly Pair[], ms: number): number =>
  slowerShare(pairs.map(({ one, other }) => ({ one: one + ms, other })))

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
