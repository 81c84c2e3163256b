// Decides from pairs of time measurements whether one kind of call is slower than another. Pure.
// Compares the two times of each pair with each other, because a busy machine slows both.

export interface Pair {
  /** Milliseconds of a call of the first kind and of the second, measured one after the other in random order. */
  one: number
  other: number
}

/** The share of pairs in which `one` was slower; a tie counts half. 0.5 means no difference, 0 or 1 a certain difference. */
export function slowerShare(pairs: readonly Pair[]): number {
  const slower = pairs.filter(({ one, other }) => one > other).length
  const ties = pairs.filter(({ one, other }) => one === other).length
  return (slower + ties / 2) / pairs.length
}

/** The share if every `one` had taken `ms` longer, which shows the sensitivity of the measurement. */
export const slowerShareWith = (pairs: readonly Pair[], ms: number): number =>
  slowerShare(pairs.map(({ one, other }) => ({ one: one + ms, other })))

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
