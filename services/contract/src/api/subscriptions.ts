// Patient readers of contracts: what they are shown, and how they hear of changes. [D22, D48]
// Puts together: the store, representations, the waiting (long-poll) and the word of changes, which the outbox gives at commit.
import { sql, type Kysely } from 'kysely'
import { CHANGES_CHANNEL } from '@paraph/messaging/outbox'
import type { Environment } from '@paraph/protocol/caller'
import { createChannelListener } from '@paraph/service/channel-listener'
import type { Logger } from '@paraph/telemetry/logger'
import type { ContractStore } from './contract-store.js'
import type { ContractDatabase } from './database.js'
import { createLongPoll } from './long-poll.js'
import { expiresInMs, representationOf, type Representation } from './representation.js'

/** A contract as its owner's client sees it, and whose it is. */
export interface ContractReading extends Representation {
  accountId: string
  environment: Environment
  version: number
  expiresInMs: number | undefined
}

/** One contract as it stands now. */
export const createContractReader =
  (store: Pick<ContractStore, 'findById'>) =>
  async (id: string): Promise<ContractReading | undefined> => {
    const record = await store.findById(id)
    if (!record) return undefined
    const { accountId, environment, version } = record
    return { ...representationOf(record), accountId, environment, version, expiresInMs: expiresInMs(record) }
  }

export type ContractReader = ReturnType<typeof createContractReader>

/** Waits for changes of contracts, made through whichever process. @param directUrl of a connection that no pooler shares */
export function createContractWaits({
  read,
  database,
  directUrl,
  logger,
  ...bounds
}: {
  read: ContractReader
  database: Kysely<ContractDatabase>
  directUrl: string
  logger: Logger
  waitersMax?: number
  lookMs?: number
}) {
  const longPoll = createLongPoll({
    read,
    readVersions: async (ids) => {
      const { rows } = await sql<{ id: string; version: number }>`
        select id, version from contract where id = any(${ids}::text[])`.execute(database)
      return new Map(rows.map(({ id, version }) => [id, version]))
    },
    isTold: () => changes.isListening(),
    logger,
    ...bounds,
  })
  const changes = createChannelListener({
    ...{ url: directUrl, logger, name: 'paraph contract changes', channel: CHANGES_CHANNEL },
    away: 'word of changed contracts is away; waits ask each second',
    onWord: longPoll.changed,
    onMissed: longPoll.missed,
  })

  return {
    hold: longPoll.hold,
    endAll: longPoll.endAll,
    waiterCount: longPoll.waiterCount,
    isListening: changes.isListening,
    tickAgeMs: longPoll.tickAgeMs,
    start(): void {
      longPoll.start()
      changes.start()
    },
    async stop(): Promise<void> {
      longPoll.endAll()
      await Promise.all([longPoll.stop(), changes.stop()])
    },
  }
}

export type ContractWaits = ReturnType<typeof createContractWaits>
