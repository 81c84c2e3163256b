// A reminder is due at the moment at which nobody should be reminded any more. The contracts are real, over real HTTP. [D58, I8]
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { bodyOf, openContractFixture, requestOf, type ContractFixture } from '@paraph/contract/test/contract-fixture'
import type { Command } from '@paraph/contract/domain/contract'
import { parseKeyring } from '@paraph/config/keyring'
import { createDatabase, openPool } from '@paraph/database/pool'
import { withClient } from '@paraph/database/provision'
import { cloneTestDatabase, type TestDatabase } from '@paraph/database/test-database'
import { openRpcFixture } from '@paraph/rpc/test/caller-fixture'
import { createLogger } from '@paraph/telemetry/logger'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { waitFor } from '@paraph/testing/wait-for'
import { sql, type Kysely } from 'kysely'
import { createComposer } from '../compose/compose-delivery.js'
import { createMailer } from '../smtp/mailer.js'
import { createSmtpCircuit } from '../smtp/circuit.js'
import { readSmtpUrl } from '../smtp/smtp-url.js'
import { FROM_ADDRESS, MAIL_SETTINGS, NO_TEST_MAILBOX } from '../../test/mail-fixture.js'
import { startSmtpServer, type TestSmtpServer } from '../../test/smtp-fixture.js'
import { addInvitations } from './add-delivery.js'
import { createDeliveryClaims } from './claim-delivery.js'
import { createDeliveryWorker } from './delivery-worker.js'
import { createFinishDelivery } from './finish-delivery.js'
import { createMailboxLimit } from './mailbox-limit.js'
import { addReminders } from './reminders.js'
import { createSendRate } from './token-bucket.js'

const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 48)
const SEED = Number(process.env['RACE_SEED'] ?? Date.now() % 2 ** 31)
const random = createSeededRandom(SEED)
const STEP_MS = 2
const JITTER_MS = 6
/** Who signs; the other party only waits. */
const SIGNER = 1
const logger = createLogger('test', 'silent')
const keys = parseKeyring(`k1:${Buffer.alloc(32, 7).toString('base64')}`)

let clone: TestDatabase
let database: Kysely<unknown>
let contracts: ContractFixture
let relay: TestSmtpServer
let worker: ReturnType<typeof createDeliveryWorker>
const closings: (() => Promise<unknown>)[] = []
/** `contract/party` → when the worker asked for the data of its mail. */
const askedAtMs = new Map<string, number>()

beforeAll(async () => {
  contracts = await openContractFixture()
  clone = await cloneTestDatabase('notification')
  database = createDatabase<unknown>(openPool(clone.url, logger))
  relay = await startSmtpServer()
  const link = await openRpcFixture({ caller: 'notification', callee: 'contract', router: contracts.rpcRouter })
  const mailer = createMailer({
    smtp: readSmtpUrl(`smtp://127.0.0.1:${relay.port}`),
    fromAddress: FROM_ADDRESS,
    domain: MAIL_SETTINGS.mailDomain,
    connections: 4,
  })
  worker = createDeliveryWorker({
    testMailbox: NO_TEST_MAILBOX,
    claims: createDeliveryClaims({ database }),
    finishDelivery: createFinishDelivery({ database, notifyRelay: () => undefined }),
    circuit: createSmtpCircuit({ database }),
    mailboxLimit: createMailboxLimit({ database, keys }),
    rate: createSendRate(1_000, performance.now()),
    mailer,
    compose: createComposer({
      readBrand: () => Promise.resolve(undefined),
      readMailData: (contractId, partyIndex) => {
        askedAtMs.set(`${contractId}/${partyIndex}`, performance.now())
        return link.rpc.mail.data.query({ contractId, partyIndex })
      },
      readCopy: () => Promise.resolve(null),
      openSealed: () => undefined,
      ...MAIL_SETTINGS,
      shareBaseUrl: 'https://sign.example.test',
    }),
    connections: 4,
    retryFirstMs: 20,
    logger,
  })
  worker.start()
  closings.push(
    () => link.close(),
    async () => mailer.close(),
    () => relay.stop(),
    () => database.destroy(),
    () => clone.drop(),
    () => contracts.close(),
  )
})
afterAll(async () => {
  await worker.stop()
  for (const close of closings) await close()
})

/** A contract of two parties who were invited 11 days ago, with a reminder due. */
async function createContract(): Promise<string> {
  const mailboxes = randomUUID()
  const parties = [0, 1].map((at) => ({
    role: 'Party',
    legalName: `Person ${at}`,
    email: `p${at}@${mailboxes}.example`,
  }))
  const { contract } = await contracts.creation.create({ ...bodyOf(2), parties }, requestOf())
  const expiresAt = new Date(Date.now() + 71 * 3_600_000).toISOString()
  const created = { contractId: contract.id, accountId: 'acc_1', environment: 'production' as const, partyCount: 2 }
  await database.transaction().execute(async (trx) => {
    await addInvitations(trx, { ...created, expiresAt })
    await sql`update delivery set state = 'accepted', attempts = 1, finished_at = clock_timestamp(),
               created_at = clock_timestamp() - interval '11 days' where contract_id = ${contract.id}`.execute(trx)
  })
  return contract.id
}

const execute = async (id: string, command: Command): Promise<void> => {
  const result = await contracts.store.execute(id, command)
  if (!result || 'refusal' in result) throw new Error(`${command.type} was refused`)
}

async function expire(id: string): Promise<void> {
  await withClient(contracts.clone.adminUrl, (client) =>
    client.query('update contract set expires_at = clock_timestamp() where id = $1', [id]),
  )
  await execute(id, { type: 'expire' })
}

/** Party → how its reminder ended, when both have ended. */
async function remindersOf(contractId: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ party: number; state: string }>`
    select party_index::int as party, case state when 'due' then concat('due after ', outcome) else state end as state
      from delivery where contract_id = ${contractId} and kind = 'reminder'`.execute(database)
  expect(rows.filter(({ state }) => state.startsWith('due'))).toEqual([])
  expect(rows).toHaveLength(2)
  return new Map(rows.map(({ party, state }) => [party, state]))
}

const timesMailed = (contractId: string, party: number): number =>
  relay.accepted().filter(({ parsed }) => parsed.messageId?.startsWith(`<reminder.${contractId}.${party}.1@`)).length

it.each([
  ['signs', [SIGNER], (id: string) => execute(id, { type: 'sign', partyIndex: SIGNER, attemptId: randomUUID() })],
  ['declines', [SIGNER], (id: string) => execute(id, { type: 'decline', partyIndex: SIGNER, declineId: randomUUID() })],
  ['loses its contract to a cancellation', [0, 1], (id: string) => execute(id, { type: 'cancel', actor: 'owner' })],
  ['loses its contract to the expiry', [0, 1], expire],
])(
  'no reminder goes to a party after it %s, and none goes out twice, however close both are [D58, I8]',
  async (_, parties, end) => {
    const wins = { reminder: 0, end: 0 }
    /** How much earlier the reminder starts; below 0, the end does. Follows the winners, so that both win on any machine. */
    let leadMs = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await createContract()
      const shiftMs = leadMs + (random() - 0.5) * JITTER_MS
      const reminding = sleep(Math.max(0, -shiftMs))
        .then(() => addReminders(database))
        .then(() => worker.trigger())
      await sleep(Math.max(0, shiftMs))
      await end(id)
      const endedAtMs = performance.now()
      await reminding
      const reminders = await waitFor(() => remindersOf(id), { timeout: 20_000, interval: 5 })
      for (const party of parties) {
        const said = `RACE_SEED=${SEED}, round ${round}, party ${party}`
        const isMailed = reminders.get(party) === 'accepted'
        expectWithMessage(timesMailed(id, party), said).toBe(isMailed ? 1 : 0)
        const askedAfterEnd = askedAtMs.get(`${id}/${party}`)! > endedAtMs
        expectWithMessage([isMailed, askedAfterEnd], said).not.toEqual([true, true])
      }
      const hasWon = reminders.get(SIGNER) === 'accepted'
      wins[hasWon ? 'reminder' : 'end'] += 1
      leadMs += hasWon ? -STEP_MS : STEP_MS
    }
    expectWithMessage(Math.min(wins.reminder, wins.end), JSON.stringify(wins)).toBeGreaterThan(ROUNDS / 10)
  },
  60_000 + ROUNDS * 500,
)
