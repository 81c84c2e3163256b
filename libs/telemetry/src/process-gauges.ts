// Metrics of a process's own parts: its loops and its pools. [H11, B.5]
import { observe } from '@paraph/telemetry/metrics'

interface Loop {
  tickAgeMs: () => number
}

/** What `pg.Pool` says of itself. */
interface Pool {
  totalCount: number
  idleCount: number
  waitingCount: number
}

/** From now on the ages of these loops and the connections of these pools are told. @returns ends it */
export function observeProcess(
  loops: Readonly<Record<string, Loop>>,
  pools: Readonly<Record<string, Pool>>,
): () => void {
  const ends = [
    observe('paraph.loop.age', () =>
      Object.entries(loops).map(([name, { tickAgeMs }]) => ({
        value: tickAgeMs() / 1_000,
        attributes: { 'paraph.loop': name },
      })),
    ),
    observe('paraph.database.connections', () =>
      Object.entries(pools).flatMap(([pool, { totalCount, idleCount }]) => [
        { value: idleCount, attributes: { 'paraph.pool': pool, 'paraph.state': 'idle' } },
        { value: totalCount - idleCount, attributes: { 'paraph.pool': pool, 'paraph.state': 'used' } },
      ]),
    ),
    observe('paraph.database.waiting', () =>
      Object.entries(pools).map(([pool, { waitingCount }]) => ({
        value: waitingCount,
        attributes: { 'paraph.pool': pool },
      })),
    ),
  ]
  return () => {
    for (const end of ends) end()
  }
}
