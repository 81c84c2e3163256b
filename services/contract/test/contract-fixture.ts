// For tests: the parts of the contract service, with a new database. Contracts are created as in production.
import { randomBytes, randomUUID } from 'node:crypto'
import { createDatabase, openPool } from '@paraph/database/pool'
import { cloneTestDatabase } from '@paraph/database/test-database'
import type { CreateContract } from '@paraph/protocol/contract'
import type { Principal } from '@paraph/protocol/principal'
import { parseKeyring } from '@paraph/config/keyring'
import { createLogger } from '@paraph/telemetry/logger'
import { createErasureRouter } from '../src/api/erasure-router.js'
import { createErasures } from '../src/store/erasure.js'
import { createConsoleRouter } from '../src/api/console-router.js'
import { createContractCreation, type CreationRequest } from '../src/store/create-contract.js'
import { createContractList } from '../src/store/list.js'
import { createContractStore } from '../src/store/contract-store.js'
import {
  createContractReader,
  createContractSubscriptions,
  type ContractSubscriptions,
} from '../src/api/subscriptions.js'
import type { ContractDatabase } from '../src/database.js'
import { createShareUrls } from '../src/api/representation.js'
import { createRpcRouter } from '../src/api/rpc-router.js'

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
    cancelsOnDecline: false,
    remindsParties: true,
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
  /** The process that commits the changes of `store`. */
  let announcer: Pick<ContractSubscriptions, 'announce'> | undefined
  const onChanged = (ids: readonly string[]) => announcer?.announce(ids)
  const store = createContractStore({ database, onChanged })
  const shareBaseUrl = 'https://sign.example.test'
  const creation = createContractCreation({ database, shareTokenKeys, shareBaseUrl, notifyRelay: () => undefined })
  const list = createContractList(database)
  const shareUrlOf = createShareUrls(shareTokenKeys, shareBaseUrl)
  const erasures = createErasures(database)
  const rpcRouter = createRpcRouter({
    store,
    shareUrlOf,
    console: createConsoleRouter({ store, erasures, list, shareUrlOf }),
    erasure: createErasureRouter({ store, erasures }),
  })
  const read = createContractReader(store)
  /** The long polls of another process with the same database; not started. */
  const openSubscriptions = ({
    directUrl = clone.url,
    waitersMax = 1_000,
    pollMs = 5_000,
    read: readOne = read,
  } = {}) =>
    createContractSubscriptions({
      read: readOne,
      database,
      directUrl,
      waitersMax,
      pollMs,
      logger: createLogger('contract', 'silent'),
    })
  const subscriptions = openSubscriptions()
  return {
    clone,
    pool,
    database,
    store,
    erasures,
    creation,
    read,
    rpcRouter,
    /** Not started. */
    subscriptions,
    openSubscriptions,
    onChanged,
    /** Makes the process of `subscriptions` the one that commits the changes of `store`. By default nobody announces them. */
    announceBy: (subscriptions?: Pick<ContractSubscriptions, 'announce'>) => void (announcer = subscriptions),
    createContract: async (partyCount = 2, changes: Partial<CreationRequest> = {}) =>
      (await creation.create(bodyOf(partyCount), requestOf(changes))).contract,
    close: async () => {
      await subscriptions.stop()
      await database.destroy()
      await clone.drop()
    },
  }
}

export type ContractFixture = Awaited<ReturnType<typeof openContractFixture>>
