// `paraph.seal.troubled`: how many contracts wait for their seal though it was tried five times. Anything above nought is for an alert.
// Every replica tells the same number. [docs/reliability.md]
import { metrics, type ObservableResult } from '@opentelemetry/api'
import type { Kysely } from 'kysely'
import type { SigningDatabase } from './database.js'
import { countTroubled } from './seal-queue.js'

/** Tells it whenever metrics are collected, until the function that it returns is called. */
export function tellTroubledSeals(database: Kysely<SigningDatabase>): () => void {
  const gauge = metrics.getMeter('@paraph/signing').createObservableGauge('paraph.seal.troubled', {
    description: 'Contracts that wait for their seal after five failures.',
  })
  const observe = async (result: ObservableResult): Promise<void> => result.observe(await countTroubled(database))
  gauge.addCallback(observe)
  return () => gauge.removeCallback(observe)
}
