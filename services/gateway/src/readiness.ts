// Whether the services behind the gateway are ready, asked every 2 s and remembered. [D2, D45]
// For `status` of GET /status alone: the gateway itself stays ready when they are not.
import { request } from 'undici'
import { pause } from '@paraph/service/wake-up'

const INTERVAL_MS = 2_000
const TIMEOUT_MS = 1_500

/** @param urls internal ports of the services behind */
export function createReadiness(urls: readonly string[]) {
  const stopping = new AbortController()
  let ready = false
  let running: Promise<void> = Promise.resolve()

  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      ready = (await Promise.all(urls.map(isReady))).every(Boolean)
      await pause(INTERVAL_MS, stopping.signal)
    }
  }

  async function isReady(url: string): Promise<boolean> {
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)])
      const { statusCode, body } = await request(new URL('/readyz', url), { signal })
      await body.dump()
      return statusCode === 200
    } catch {
      return false
    }
  }

  return {
    /** True when every service behind was ready at the last look. */
    allReady: () => ready,
    start(): void {
      running = watch()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}

export type Readiness = ReturnType<typeof createReadiness>
