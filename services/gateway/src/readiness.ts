// Whether the services behind the gateway are ready, asked every 2 s and remembered. [D2, D45]
// For `status` of GET /status alone: the gateway itself stays ready when they are not.
import { createLoop } from '@paraph/service/loop'
import { createServicePool } from '@paraph/service/service-pool'
import type { Logger } from '@paraph/telemetry/logger'
import type { Pool } from 'undici'

const INTERVAL_MS = 2_000
const TIMEOUT_MS = 1_500

/** @param urls internal ports of the services behind */
export function createReadiness(urls: readonly string[], logger: Logger) {
  const pools = urls.map((url) => createServicePool(url))
  let ready = false
  let hasLooked = false
  let before = pools.map(() => false)
  const loop = createLoop({
    async work() {
      const now = await Promise.all(pools.map(isReady))
      // Of many replicas one that stops says no while the others serve: only a service that says so twice is away.
      ready = now.every((isNow, at) => isNow || before[at])
      before = now
      hasLooked = true
      return false
    },
    pauseMs: INTERVAL_MS,
    trouble: 'the services behind cannot be asked',
    logger,
  })

  return {
    /** True when every service behind was ready at the last look or the one before. */
    allReady: () => ready,
    /** False until the first look is over: whoever is asked before would speak of what it does not know. */
    hasLooked: () => hasLooked,
    start: loop.start,
    async stop() {
      await loop.stop()
      await Promise.all(pools.map((pool) => pool.close()))
    },
  }
}

async function isReady(pool: Pool): Promise<boolean> {
  try {
    // A new connection each time: with many replicas an old one leads to the one that is just stopping.
    const { statusCode, body } = await pool.request({
      ...{ method: 'GET', path: '/readyz', signal: AbortSignal.timeout(TIMEOUT_MS), reset: true },
    })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
