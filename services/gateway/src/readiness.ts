// Whether the services behind the gateway are ready, polled every 5 s, for `status` of GET /status. [D2, D45]
// The gateway itself stays ready when they are not.
import { setTimeout as sleep } from 'node:timers/promises'
import { createLoop } from '@paraph/background/loop'
import { createServicePool } from '@paraph/rpc/service-pool'
import type { Logger } from '@paraph/telemetry/logger'
import type { Pool } from 'undici'

const INTERVAL_MS = 5_000
/** After a failure. */
const RETRY_INTERVAL_MS = 1_000
/** Until all were ready once: where everything starts together, `degraded` must not outlast the start of the slowest service. */
const FIRST_INTERVAL_MS = 100
const TIMEOUT_MS = 1_500
/** A replica that stops or starts is not ready while the others serve: only so many failures in a row mean that a service is unavailable. */
const FAILURES_MAX = 3

/** @param urls internal ports of the services behind the gateway */
export function createReadiness(urls: readonly string[], logger: Logger) {
  const pools = urls.map((url) => createServicePool(url))
  let ready = false
  let hasPolled = false
  let wasReady = false
  let failures = pools.map(() => FAILURES_MAX)
  async function work(): Promise<boolean> {
    const current = await Promise.all(pools.map(isReady))
    failures = failures.map((before, at) => (current[at] ? 0 : before + 1))
    ready = failures.every((each) => each < FAILURES_MAX)
    hasPolled = true
    wasReady ||= ready
    if (!wasReady) await sleep(FIRST_INTERVAL_MS)
    return !wasReady
  }

  const failureMessage =
    'could not poll the readiness of the other services; GET /status shows the last known state until a retry succeeds'
  const pauseMs = (): number => (failures.some((each) => each > 0) ? RETRY_INTERVAL_MS : INTERVAL_MS)
  const loop = createLoop({ name: 'readiness', work, pauseMs, failureMessage, logger })
  return {
    /** True when every service was ready in one of the last three polls. */
    allReady: () => ready,
    /** False until the first poll is over: before it, `allReady` means nothing. */
    hasPolled: () => hasPolled,
    start: loop.start,
    async stop() {
      await loop.stop()
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}

async function isReady(pool: Pool): Promise<boolean> {
  try {
    // A new connection each time: an old one may lead to the one replica that is stopping.
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const { statusCode, body } = await pool.request({ method: 'GET', path: '/readyz', signal, reset: true })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
