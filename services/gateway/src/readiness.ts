// Whether the services behind the gateway are ready, asked every 2 s and remembered. [D2, D45]
// For `status` of GET /status alone: the gateway itself stays ready when they are not.
import { request } from 'undici'
import { createLoop } from '@paraph/service/loop'
import type { Logger } from '@paraph/telemetry/logger'

const INTERVAL_MS = 2_000
const TIMEOUT_MS = 1_500

/** @param urls internal ports of the services behind */
export function createReadiness(urls: readonly string[], logger: Logger) {
  let ready = false
  const loop = createLoop({
    async work() {
      ready = (await Promise.all(urls.map(isReady))).every(Boolean)
      return false
    },
    pauseMs: INTERVAL_MS,
    trouble: 'the services behind cannot be asked',
    logger,
  })

  return {
    /** True when every service behind was ready at the last look. */
    allReady: () => ready,
    start: loop.start,
    stop: loop.stop,
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    await body.dump()
    return statusCode === 200
  } catch {
    return false
  }
}
