// Gauges for the loops and the connection pools of a process. [H11]
import { observe } from './metrics.js'

/** The counters of `pg.Pool`. */
type Pool = Readonly<Record<'totalCount' | 'idleCount' | 'waitingCount', number>>

/** Registers the gauges of these loops and pools, by name. @returns unregisters them */
export function observeProcess(
  loops: Readonly<Record<string, { tickAgeMs: () => number }>>,
  pools: Readonly<Record<string, Pool>>,
): () => void {
  const unregister = [
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
    for (const each of unregister) each()
  }
}
