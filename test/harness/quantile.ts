// The quantile of a list of measurements, for figures of tests and benchmarks. Pure.

/** @param share 0.5 for the median @returns a whole number; 0 for an empty list */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
