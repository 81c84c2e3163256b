// Long polls on contracts: connects hub.ts to the contract store and to the change notifications of all processes. [D22, D48]
import { sql, type Kysely } from 'kysely'
import { createChannelListener } from '@paraph/background/channel-listener'
import type { ContractRecord } from '../store/contract-record.js'
import type { ContractStore } from '../store/contract-store.js'
import type { ContractDatabase } from '../database.js'
import { createLongPoll, type LongPollDeps } from '../long-poll/hub.js'
import { expiresInMs, representationOf, type Representation } from './representation.js'

/** The payload of a NOTIFY on this channel is the id of a contract that has just changed. */
export const CHANGES_CHANNEL = 'paraph_changes'

/** A contract as a client of its owner sees it, and its owner. */
export interface ContractReading extends Representation, Pick<ContractRecord, 'accountId' | 'environment'> {
  /** The sum of both numbers that grow with each change: of the contract, and of its deliveries. */
  version: number
  expiresInMs: number | undefined
}

/** Creates a function that reads the present state of one contract. */
export const createContractReader =
  (store: Pick<ContractStore, 'findById'>) =>
  async (id: string): Promise<ContractReading | undefined> => {
    const record = await store.findById(id)
    if (!record) return undefined
    const { accountId, environment } = record
    const version = record.version + record.deliveryChanges
    return { ...representationOf(record), accountId, environment, version, expiresInMs: expiresInMs(record) }
  }

export type ContractReader = ReturnType<typeof createContractReader>

interface SubscriptionsDeps extends Omit<LongPollDeps<ContractReading>, 'readVersions' | 'isNotified'> {
  database: Kysely<ContractDatabase>
  /** URL of a direct connection, without a pooler. */
  directUrl: string
}

/** Waits for changes of contracts by any process. */
export function createContractSubscriptions({ database, directUrl, ...deps }: SubscriptionsDeps) {
  const longPoll = createLongPoll({
    ...deps,
    readVersions: async (ids) => {
      const { rows } = await sql<{ id: string; version: number }>`
        select id, version + delivery_changes as version from contract where id = any(${ids}::text[])`.execute(database)
      return new Map(rows.map(({ id, version }) => [id, version]))
    },
    isNotified: () => changes.isListening(),
  })
  const changes = createChannelListener({
    url: directUrl,
    logger: deps.logger,
    name: 'paraph contract changes',
    channel: CHANGES_CHANNEL,
    consequence: 'long polls fall back to polling every 1 s',
    onNotification: longPoll.changed,
    onPossibleLoss: longPoll.missed,
  })

  return {
    ...longPoll,
    isListening: changes.isListening,
    /**
     * Reads these contracts again for their waiters: in this process immediately, in the others after a NOTIFY. Call after the commit that
     * changed them; if this process ends before the NOTIFY, the polls of the others find the change.
     */
    announce(ids: readonly string[]): void {
      for (const id of ids) {
        longPoll.changed(id)
        changes.notify(id)
      }
    },
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

export type ContractSubscriptions = ReturnType<typeof createContractSubscriptions>
