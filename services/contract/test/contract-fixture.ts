// A contract store over a database of its own, for tests: two parties by default, made through the real creation.
import { randomBytes, randomUUID } from 'node:crypto'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import type { CreateContract } from '@paraph/protocol/contract'
import type { Principal } from '@paraph/protocol/caller'
import { parseKeyring } from '@paraph/service/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { createConsoleRouter } from './console-router.js'
import { createContractCreation, type CreationRequest } from './contract-creation.js'
import { createContractList } from './contract-list.js'
import { createContractStore } from './contract-store.js'
import { createContractReader, createContractWaits } from './contract-waits.js'
import type { ContractDatabase } from './database.js'
import { createRpcRouter } from './rpc-router.js'

export const PRINCIPAL: Principal = {
  accountId: 'acc_1',
  environment: 'production',
  scopes: ['contracts:read', 'contracts:write'],
  account: {
    name: 'Nordic Foods Ltd.',
    senderName: 'Nordic Foods Ltd.',
    language: 'en+fr',
    timeZone: 'UTC',
    replyAddress: null,
  },
}

export const bodyOf = (partyCount: number): CreateContract => ({
  contractType: 'nda',
  content: 'NON-DISCLOSURE AGREEMENT\n\nThe parties keep secrets secret.',
  parties: Array.from({ length: partyCount }, (_, index) => ({
    role: 'Party',
    legalName: `Person ${index}`,
    email: `p${index}@example.test`,
  })),
})

export const requestOf = (changes: Partial<CreationRequest> = {}): CreationRequest => ({
  principal: PRINCIPAL,
  requestId: randomUUID(),
  isRetry: false,
  idempotencyKey: undefined,
  bodySha256: Buffer.alloc(32),
  ...changes,
})

export async function openContractFixture() {
  const clone = await cloneTestDatabase('contract')
  const pool = openPool(clone.url, { warn: () => undefined }, { max: 20 })
  const database = createDatabase<ContractDatabase>(pool)
  const shareTokenKeys = parseKeyring(`k1:${randomBytes(32).toString('base64')}`)
  const wakeRelay = () => undefined
  const store = createContractStore({ database, wakeRelay })
  const shareBaseUrl = 'https://sign.example.test'
  const creation = createContractCreation({ database, shareTokenKeys, shareBaseUrl, wakeRelay })
  const list = createContractList(database)
  const rpcRouter = createRpcRouter({
    ...{ store, shareTokenKeys, shareBaseUrl },
    console: createConsoleRouter({ store, list, shareTokenKeys, shareBaseUrl }),
  })
  const read = createContractReader(store)
  /** Those of one process more over the same database. */
  const openWaits = ({ directUrl = clone.url, waitersMax = 1_000, lookMs = 5_000, read: readOne = read } = {}) =>
    createContractWaits({
      ...{ read: readOne, database, directUrl, waitersMax, lookMs },
      logger: createLogger('contract', 'silent'),
    })
  const waits = openWaits()
  return {
    clone,
    pool,
    database,
    store,
    creation,
    read,
    rpcRouter,
    /** Not started. */
    waits,
    openWaits,
    createContract: async (partyCount = 2, changes: Partial<CreationRequest> = {}) =>
      (await creation.create(bodyOf(partyCount), requestOf(changes))).contract,
    close: async () => {
      await waits.stop()
      await database.destroy()
      await clone.drop()
    },
  }
}

export type ContractFixture = Awaited<ReturnType<typeof openContractFixture>>
