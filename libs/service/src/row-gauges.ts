// Metrics that are rows: read every ten seconds by a loop, told whenever somebody collects. [B.5]
// Owns: that collecting reads nothing, so that whoever asks for metrics often costs no database anything; that an old number is not told
// as if it were of now. Reads nothing at all in a process that tells no metrics.
import { type METRICS, type MetricName } from '@paraph/telemetry/metric-list'
import { observe, type Reading } from '@paraph/telemetry/metrics'
import { isTracing } from '@paraph/telemetry/tracing-seam'
import type { Logger } from '@paraph/telemetry/logger'
import { createLoop } from './loop.js'

const EVERY_MS = 10_000
/** What could not be read again for so long is not told any more. */
const OLD_AFTER_MS = 60_000

type Shared = {
  [Name in MetricName]: (typeof METRICS)[Name] extends { shared: boolean } ? Name : never
}[MetricName]

/** What one look at the database found. */
export type Readings = { [Name in Shared]?: Reading<Name> }

/**
 * @param looks each reads a few metrics with a statement or two, found by an index; rejects when the database does not answer
 * @param answersAllTheSame is asked why a look rejected: true when that says nothing of the database, which answers others
 */
export function createRowGauges({
  looks,
  answersAllTheSame,
  logger,
}: {
  looks: readonly (() => Promise<Readings>)[]
  answersAllTheSame: (error: unknown) => Promise<boolean>
  logger: Logger
}) {
  const told = new Map<Shared, { reading: Reading<Shared>; atMs: number }>()
  const ends: (() => void)[] = []
  let isUp: boolean | undefined

  const loop = createLoop({
    async work() {
      try {
        for (const look of looks) keep(await look())
        isUp = true
      } catch (error) {
        isUp = await answersAllTheSame(error)
        throw error
      }
      return false
    },
    pauseMs: EVERY_MS,
    trouble: 'the metrics that are rows cannot be read',
    logger,
  })

  function keep(readings: Readings): void {
    for (const [name, reading] of Object.entries(readings) as [Shared, Reading<Shared>][]) {
      if (!told.has(name)) ends.push(observe(name, () => freshOf(name)))
      told.set(name, { reading, atMs: performance.now() })
    }
  }

  function freshOf(name: Shared): Reading<Shared> {
    const known = told.get(name)
    return known && performance.now() - known.atMs < OLD_AFTER_MS ? known.reading : undefined
  }

  return {
    start(): void {
      if (!isTracing()) return
      ends.push(observe('paraph.database.up', () => (isUp === undefined ? undefined : Number(isUp))))
      loop.start()
    },
    async stop(): Promise<void> {
      await loop.stop()
      for (const end of ends.splice(0)) end()
    },
  }
}
