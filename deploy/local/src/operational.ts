// Waits until the gateway has seen the other services ready.
import { setTimeout as sleep } from 'node:timers/promises'

/** The gateway polls the others several times in this time. */
const WAIT_MS_MAX = 5_000
const POLL_MS = 50

/**
 * Resolves when `GET /status` says `operational`, so that the first person who asks reads it, and after some seconds in any case.
 * Rejects when `signal` aborts.
 */
export async function becomeOperational(
  gateway: { status: { query: () => Promise<{ status: 'operational' | 'degraded' }> } },
  signal: AbortSignal,
  waitMsMax = WAIT_MS_MAX,
): Promise<void> {
  const deadline = performance.now() + waitMsMax
  while ((await gateway.status.query()).status !== 'operational' && performance.now() < deadline)
    await sleep(POLL_MS, undefined, { signal })
}
