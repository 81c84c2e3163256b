// The parts of the contract service that the benchmarks of notifications use, on a temporary durable Postgres.
import { randomBytes, randomUUID } from 'node:crypto'
import { parseKeyring } from '@paraph/config/keyring'
import { createContractCreation } from '@paraph/contract/store/create-contract'
import { createContractReader, createContractSubscriptions } from '@paraph/contract/api/subscriptions'
import { createContractStore } from '@paraph/contract/store/contract-store'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { createLogger } from '@paraph/telemetry/logger'
import { sql } from 'kysely'
import { openStage, until } from '../pipeline/stage.mjs'
import { PREPARE_BEFORE } from './before.mjs'

export const CLIENTS = 64
/** Times of a commit to compare: of the local disk, and with this delay, as a synchronous standby has. */
export const COMMIT_DELAYS_MS = [0, 3]
const logger = createLogger('bench', 'error')
const PRINCIPAL = {
  accountId: 'acc_1',
  environment: 'production',
  scopes: ['contracts:read', 'contracts:write'],
  account: { name: 'Bench', senderName: 'Bench', language: 'en', timeZone: 'UTC', replyAddress: null },
}
const BODY = {
  contractType: 'nda',
  content: 'The parties keep secrets secret. '.repeat(30),
  parties: ['a', 'b'].map((name) => ({ role: 'Party', legalName: name, email: `${name}@example.test` })),
}

/** @returns the parts, with two processes that have long polls; `own` announces what `store` commits, if `announces` is set */
export async function openParts() {
  const stage = await openStage()
  const url = stage.urlOf('contract', 'runtime')
  const admin = (work) => withClient(stage.adminUrlOf('contract'), work)
  await admin((client) => client.query(PREPARE_BEFORE.contract))
  const database = createDatabase(openPool(url, logger, { max: CLIENTS }))
  let announces = true
  const onChanged = (ids) => announces && own.announce(ids)
  const store = createContractStore({ database, onChanged })
  const { create } = createContractCreation({
    database,
    shareTokenKeys: parseKeyring(`k1:${randomBytes(32).toString('base64')}`),
    shareBaseUrl: 'https://sign.example.test',
    notifyRelay: () => undefined,
  })
  const read = createContractReader(store)
  const [own, other] = [1, 2].map(() => createContractSubscriptions({ read, database, directUrl: url, logger }))
  for (const process of [own, other]) process.start()
  await until(async () => own.isListening() && other.isListening())

  return {
    url,
    database,
    logger,
    own,
    other,
    async create() {
      const ids = { requestId: randomUUID(), idempotencyKey: undefined, bodySha256: Buffer.alloc(32) }
      return (await create(BODY, { principal: PRINCIPAL, isRetry: false, ...ids })).contract.id
    },
    async sign(id, partyIndex) {
      const { events } = await store.execute(id, { type: 'sign', partyIndex, attemptId: randomUUID() })
      if (!events?.length) throw new Error(`party ${partyIndex} of ${id} did not sign`)
    },
    /** @param isAnnounced NOTIFY after the commit, as the product does @param isInside NOTIFY in the transaction, as it did before */
    async notify({ isAnnounced, isInside }) {
      announces = isAnnounced
      await admin((client) =>
        client.query(`alter table outbox ${isInside ? 'enable' : 'disable'} trigger bench_notify`),
      )
    },
    /** Delays each commit. */
    async delayCommits(ms) {
      await admin(async (client) => {
        await client.query(`alter system set commit_delay = ${ms * 1_000}`)
        await client.query('alter system set commit_siblings = 0')
        await client.query('select pg_reload_conf()')
      })
      await until(async () => {
        const { rows } = await sql`select setting::int as delay from pg_settings where name = 'commit_delay'`.execute(
          database,
        )
        return rows[0].delay === ms * 1_000
      })
    },
    async close() {
      await Promise.all([own, other].map((process) => process.stop()))
      await database.destroy()
      await stage.stop()
    },
  }
}

/** Calls `work` with 0 to `count` - 1, `CLIENTS` at a time. @returns calls a second */
export async function rateOf(count, work) {
  const startedAtMs = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) await work(next++)
    }),
  )
  return (count * 1_000) / (performance.now() - startedAtMs)
}

export const print = (line) => process.stdout.write(`${line}\n`)
