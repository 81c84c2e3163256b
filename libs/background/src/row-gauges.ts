// Metrics that come from rows: a loop reads them every ten seconds, a collection returns the last reading.
// Owns: a collection runs no query, so frequent scrapes cost the database nothing. It does not report stale readings.
// Reads nothing in a process that exports no metrics.
import { type METRICS, type MetricName } from '@paraph/telemetry/metric-list'
import { observe, type Reading } from '@paraph/telemetry/metrics'
import { isTracing } from '@paraph/telemetry/tracing-facade'
import type { Logger } from '@paraph/telemetry/logger'
import { createLoop } from './loop.js'

const EVERY_MS = 10_000
/** A reading older than this is no longer reported. */
const STALE_AFTER_MS = 60_000

type Shared = { [Name in MetricName]: (typeof METRICS)[Name] extends { shared: true } ? Name : never }[MetricName]

/** The metrics that one query of the database returned. */
export type Readings = { [Name in Shared]?: Reading<Name> }

export interface RowGaugesDeps {
  /** Each function reads a few metrics with one or two indexed statements, and rejects when the database does not answer. */
  readers: readonly (() => Promise<Readings>)[]
  /** Classifies the rejection of a reader: true when the database still answers other connections. */
  isDatabaseReachable: (error: unknown) => Promise<boolean>
  logger: Logger
}

/** Gauges of a service's tables, and whether its database answers. Observed from `start` to `stop`. */
export function createRowGauges(deps: RowGaugesDeps) {
  const latest = new Map<Shared, { reading: Reading<Shared>; atMs: number }>()
  const unobserve: (() => void)[] = []
  let isUp: boolean | undefined

  const loop = createLoop({
    name: 'table metrics',
    async work() {
      try {
        for (const read of deps.readers) store(await read())
        isUp = true
      } catch (error) {
        isUp = await deps.isDatabaseReachable(error)
        throw error
      }
      return false
    },
    pauseMs: EVERY_MS,
    failureMessage: 'database-backed metrics are stale: query failed',
    logger: deps.logger,
  })

  function store(readings: Readings): void {
    for (const [name, reading] of Object.entries(readings) as [Shared, Reading<Shared>][]) {
      if (!latest.has(name)) unobserve.push(observe(name, () => freshOf(name)))
      latest.set(name, { reading, atMs: performance.now() })
    }
  }

  function freshOf(name: Shared): Reading<Shared> {
    const known = latest.get(name)
    return known && performance.now() - known.atMs < STALE_AFTER_MS ? known.reading : undefined
  }

  return {
    start(): void {
      if (!isTracing()) return
      unobserve.push(observe('paraph.database.up', () => (isUp === undefined ? undefined : Number(isUp))))
      loop.start()
    },
    async stop(): Promise<void> {
      await loop.stop()
      for (const end of unobserve.splice(0)) end()
    },
  }
}
