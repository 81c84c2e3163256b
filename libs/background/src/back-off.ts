// How long to wait before trying again. Pure: the random number is an argument.

/**
 * Doubles from `firstMs` to `maxMs`, with the upper half random so that many waiters do not retry together.
 * @param failures consecutive failures so far, at least 1
 * @param random in [0, 1)
 */
export function backOffMs(failures: number, firstMs: number, maxMs: number, random: number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30))
  return Math.round(full / 2 + (full / 2) * random)
}
