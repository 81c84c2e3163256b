// How long to wait before a process that died is started again. Pure. [local-stack]

const FIRST_MS = 1_000
const LONGEST_MS = 30_000
const HEALTHY_MS = 5_000

/**
 * 1 s, then doubling to 30 s; 5 s of health reset it.
 * @param previousMs the wait before the run that has just ended, undefined for the first
 * @param healthyMs for how long that run was ready
 */
export function nextWaitMs(previousMs: number | undefined, healthyMs: number): number {
  if (previousMs === undefined || healthyMs >= HEALTHY_MS) return FIRST_MS
  return Math.min(previousMs * 2, LONGEST_MS)
}
