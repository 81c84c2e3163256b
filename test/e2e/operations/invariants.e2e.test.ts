// Tests `paraph verify invariants` on the whole product: it reports nothing for a correct stack, and reports each violation that a test
// writes into the rows. Also tests the operator's commands for backlogs and dead letters. [I1-I15, F11]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { pathsOf } from '@paraph/paraph/installation/data-folder'
import type { Ports } from '@paraph/paraph/installation/ports'
import { openSecrets } from '@paraph/paraph/installation/secrets'
import type { Invariant } from '@paraph/verify/check'
import { findDatabases } from '@paraph/paraph/invariants/find-databases'
import { verifyInvariants, type DatabaseUrls, type Report } from '@paraph/verify/verify-invariants'
import type { RpcRouter as NotificationRouter } from '@paraph/notification/rpc-router'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { createRpcClient } from '@paraph/rpc/link'
import { createApiClient } from '../../harness/clients/api-client.js'
import { createVisitor, proveMailbox, signOn } from '../../harness/clients/ceremony-client.js'
import { createAccount } from '../../harness/stack/accounts.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraph,
  paraphJson,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { startCollector } from '../../harness/stack/otlp-collector.js'
import { until } from '../../harness/until.js'

const SERVICES = ['gateway', 'contract', 'signing', 'notification'] as const
const GHOST = 'contract-1000000000000-ghostghos'
/**
 * All events of the three contracts and the account: 2 of the account, 3 creations, 3 signatures, 1 decline, 2 ends, 1 sealing, and 14 accepted mails.
 * Only the full number shows that no mail is still to come, because each check reads the databases one after the other.
 */
const EVENTS = 26
const NO_EVENT = '00000000-0000-4000-8000-000000000000'

let running: RunningStack
let urls: DatabaseUrls
/** Three contracts: signed by both parties; signed by one, declined by the other and cancelled; open, with one invitation sent twice. */
let [signed, cancelled, open] = ['', '', '']

beforeAll(async () => {
  running = await startStack(await makeDataFolder(), { WINDOW_STORE: 'postgres' })
  urls = await findDatabases({ dataFolder: running.folder, verifyUrls: {} })
  const accounts = await paraphJson<{ accounts: { id: string }[] }>(running.folder, 'account', 'list')
  for (const verb of ['suspend', 'resume']) await paraphJson(running.folder, 'account', verb, accounts.accounts[0]!.id)
  ;[signed, cancelled, open] = [await createSigned(2), await createSigned(1, { declines: true }), await createSigned(0)]
  await paraphJson(running.folder, 'contract', 'cancel', cancelled, '--reason', 'A test.')
  await until('a resent invitation', async () => (await resend(accounts.accounts[0]!.id)) || undefined)
  await until(
    'the end of all work',
    async () => {
      const report = await verify({ withinSeconds: 0 })
      return (lookedAtBy(report)['messages on the bus'] === EVENTS && report.violations.length === 0) || undefined
    },
    30_000,
  )
})
afterAll(() => running?.close())

let contractCount = 0

/** Creates a contract with two parties, signs for the first `signatures` of them, and declines for the last. */
async function createSigned(signatures: number, { declines = false } = {}): Promise<string> {
  const { apiUrl, liveKey, mailboxUrl } = running.stack
  contractCount += 1
  const parties = ['Jane Roe', 'Hélène Côté'].map((legalName, index) => ({
    role: 'Party',
    legalName,
    email: `p${index}.${contractCount}@example.test`,
  }))
  const answer = await createApiClient(apiUrl, liveKey).create(
    { contractType: 'nda', content: 'The parties keep secrets secret.', parties },
    { 'idempotency-key': `contract-${contractCount}` },
  )
  expect(answer.status).toBe(201)
  const { id, shareUrl } = answer.body.contract
  for (const { email, legalName } of parties.slice(0, signatures)) {
    const visitor = createVisitor()
    expect((await signOn(visitor, await proveMailbox(visitor, shareUrl, email, mailboxUrl), legalName)).status).toBe(
      303,
    )
    visitor.close()
  }
  if (declines) {
    const visitor = createVisitor()
    await proveMailbox(visitor, shareUrl, parties.at(-1)!.email, mailboxUrl)
    const form = await visitor.get(`${shareUrl}/decline`)
    expect((await visitor.submit(form, '/decline', { reason: 'other', note: '' })).status).toBe(303)
    visitor.close()
  }
  return id
}

/** Resends an invitation as the console does for an owner. @returns false while the first invitation is not sent yet */
async function resend(accountId: string): Promise<boolean> {
  const files = pathsOf(running.folder)
  const { callerKeys } = await openSecrets(files.secrets)
  const { notification } = JSON.parse(await readFile(files.ports, 'utf8')) as Ports
  const signer = createTokenSigner('gateway', callerKeys.gateway.private)
  const link = createRpcClient<NotificationRouter>({
    url: `http://127.0.0.1:${notification}`,
    token: (principal) => signer.signCached('notification', principal),
  })
  const account = {
    name: 'Demo Company',
    senderName: 'Demo Company',
    language: 'en',
    timeZone: 'UTC',
    replyAddress: null,
    cancelsOnDecline: false,
    remindsParties: true,
  } as const
  const owner = link.rpcFor({ accountId, environment: 'production', scopes: [], account })
  try {
    return (await owner.invitation.resend.mutate({ contractId: open, partyIndex: 0 })).outcome === 'queued'
  } finally {
    await link.close()
  }
}

const lookedAtBy = ({ checks }: Report) =>
  Object.assign({}, ...checks.map((check) => check.looked)) as Record<string, number>

const verify = (
  scope: { withinSeconds?: number; since?: Date; contractId?: string } = {},
  pauseMs = 0,
): Promise<Report> =>
  verifyInvariants(urls, { since: undefined, contractId: undefined, withinSeconds: 900, ...scope }, { pauseMs })

/** Runs a statement as the superuser with triggers and foreign keys off, because the roles of the services may not make such changes. */
async function plant(database: Database, statement: string): Promise<void> {
  await withClient(databaseUrlOf(running.stack, database), async (client) => {
    await client.query('set session_replication_role = replica')
    // The ids of the contracts need no escaping.
    await client.query(
      statement
        .replaceAll(':signed', `'${signed}'`)
        .replaceAll(':cancelled', `'${cancelled}'`)
        .replaceAll(':open', `'${open}'`),
    )
  })
}

it('the verifier finds no violation in a correct installation, and reports the numbers of checked rows', async () => {
  const report = await verify({ withinSeconds: 0 })
  const { violations, busSeen, tookMs } = report
  expect(violations).toEqual([])
  expect(busSeen).toBe(true)
  const looked = lookedAtBy(report)
  expect(looked).toMatchObject({
    contracts: 3,
    signatures: 3,
    chains: 3,
    keys: 3,
    'shared windows': 1,
    'subjects of events': 8,
  })
  expect(looked['deliveries']).toBeGreaterThanOrEqual(7)
  expect(looked['inbox rows']).toBe(looked['events published, per consumer'])
  expect(looked).toMatchObject({ 'events in outboxes': EVENTS, 'messages on the bus': EVENTS })
  expect(tookMs).toBeLessThan(3_000)
  expect((await verify({ contractId: signed })).checks[0]?.looked).toMatchObject({ contracts: 1 })
  expect((await verify({ since: new Date(Date.now() + 3_600_000) })).checks[0]?.looked).toEqual({})
})

it('the verifier reports no violation while contracts are created and signed', async () => {
  const { liveKey } = await createAccount(running.folder)
  const { create } = createApiClient(running.stack.apiUrl, liveKey)
  let isVerifying = true
  let created = 0
  const work = Promise.all([
    (async () => {
      // Limits the number of contracts, so that each check is fast.
      while (isVerifying && created < 60) {
        const parties = [0, 1].map((n) => ({ role: 'Party', legalName: 'Jane Roe', email: `busy${n}@example.test` }))
        expect((await create({ contractType: 'nda', content: 'Busy.', parties })).status).toBe(201)
        created += 1
      }
    })(),
    (async () => {
      while (isVerifying) await createSigned(2)
    })(),
  ])
  const violations = []
  while (violations.length < 4) violations.push((await verify({}, 300)).violations)
  isVerifying = false
  await work
  expect(violations.flat()).toEqual([])
  expect(created).toBeGreaterThan(4)
})

interface Plant {
  invariant: Invariant
  fault: string
  database: Database
  sql: string
  undo: string
  late?: true
}
const PLANTS: readonly Plant[] = [
  {
    invariant: 'I1',
    fault: 'has a gap in the numbers of its parties',
    database: 'contract',
    sql: 'update party set party_index = 7 where contract_id = :open and party_index = 1',
    undo: 'update party set party_index = 1 where contract_id = :open and party_index = 7',
  },
  {
    invariant: 'I1',
    fault: 'has a text that does not match its hash',
    database: 'contract',
    sql: "update contract set content = content || '!' where id = :open",
    undo: 'update contract set content = left(content, -1) where id = :open',
  },
  {
    invariant: 'I1',
    fault: 'is stored for an Idempotency-Key of another account or environment',
    database: 'contract',
    sql: "update idempotency set environment = 'sandbox' where contract_id = :open",
    undo: "update idempotency set environment = 'production' where contract_id = :open",
  },
  ...['was erased but still names a party', 'was erased but is still found by more than its number'].map(
    (fault): Plant => ({
      invariant: 'I1',
      fault,
      database: 'contract',
      sql: `create table kept as select id, content from contract;
      update contract set erased_at = clock_timestamp(), content = '' where id = :cancelled`,
      undo: `update contract c set erased_at = null, content = k.content from kept k where k.id = c.id; drop table kept`,
    }),
  ),
  {
    invariant: 'I2',
    fault: 'has a signature of a party that does not exist',
    database: 'contract',
    sql: "insert into signature values (:open, 9, 'planted', clock_timestamp())",
    undo: "delete from signature where attempt_id = 'planted'",
  },
  {
    invariant: 'I3',
    fault: 'has a signature after its cancellation',
    database: 'contract',
    sql: "update signature set signed_at = signed_at + interval '1 hour' where contract_id = :cancelled",
    undo: "update signature set signed_at = signed_at - interval '1 hour' where contract_id = :cancelled",
  },
  {
    invariant: 'I3',
    fault: 'has a completion time that differs from its last signature',
    database: 'contract',
    sql: "update contract set completed_at = completed_at + interval '1 hour' where id = :signed",
    undo: "update contract set completed_at = completed_at - interval '1 hour' where id = :signed",
  },
  {
    invariant: 'I4',
    fault: 'is partially signed without a signature',
    database: 'contract',
    sql: "update contract set status = 'partially_signed' where id = :open",
    undo: "update contract set status = 'pending_signature' where id = :open",
  },
  {
    invariant: 'I4',
    fault: 'has a version that differs from the number of its events',
    database: 'contract',
    sql: 'update contract set version = version + 1 where id = :open',
    undo: 'update contract set version = version - 1 where id = :open',
  },
  {
    invariant: 'I5',
    fault: 'has an accepted attempt without a signature',
    database: 'contract',
    sql: "update signature set attempt_id = attempt_id || 'x' where contract_id = :cancelled",
    undo: 'update signature set attempt_id = left(attempt_id, -1) where contract_id = :cancelled',
  },
  {
    invariant: 'I5',
    fault: 'has a signature of an abandoned attempt',
    database: 'contract',
    sql: 'insert into sign_tombstone select attempt_id, contract_id from signature where contract_id = :cancelled',
    undo: 'delete from sign_tombstone where contract_id = :cancelled',
  },
  {
    invariant: 'I5',
    fault: 'has a signature of a refused attempt',
    database: 'signing',
    sql: `create table kept as select id, signed_at from sign_attempt where contract_id = :cancelled;
      update sign_attempt set state = 'refused', signed_at = null where contract_id = :cancelled`,
    undo: `update sign_attempt a set state = 'accepted', signed_at = k.signed_at from kept k where k.id = a.id; drop table kept`,
  },
  {
    invariant: 'I5',
    fault: 'has a decline in its evidence that does not exist',
    database: 'contract',
    sql: "update decline set declined_at = declined_at - interval '1 hour' where contract_id = :cancelled",
    undo: "update decline set declined_at = declined_at + interval '1 hour' where contract_id = :cancelled",
  },
  {
    invariant: 'I5',
    fault: 'has a decline missing from its evidence',
    database: 'contract',
    late: true,
    sql: 'insert into decline values (:open, 1, 0, gen_random_uuid(), clock_timestamp())',
    undo: 'delete from decline where contract_id = :open',
  },
  {
    invariant: 'I5',
    fault: 'has an attempt without an outcome',
    database: 'signing',
    late: true,
    sql: `create table kept as select id, signed_at from sign_attempt where contract_id = :cancelled;
      update sign_attempt set state = 'submitted', signed_at = null where contract_id = :cancelled`,
    undo: `update sign_attempt a set state = 'accepted', signed_at = k.signed_at from kept k where k.id = a.id; drop table kept`,
  },
  {
    invariant: 'I5',
    fault: 'has an evidence line with a wrong hash of the previous line',
    database: 'signing',
    sql: "update evidence_entry set line = line || ' ' where contract_id = :signed and seq = 2",
    undo: 'update evidence_entry set line = rtrim(line) where contract_id = :signed and seq = 2',
  },
  {
    invariant: 'I5',
    fault: 'has a chain whose newest hash or number differs from its last line',
    database: 'signing',
    sql: 'create table kept as table evidence_chain; update evidence_chain set hash = md5(hash) where contract_id = :signed',
    undo: 'update evidence_chain c set hash = k.hash from kept k where k.contract_id = c.contract_id; drop table kept',
  },
  {
    invariant: 'I5',
    fault: 'has evidence with a gap',
    database: 'signing',
    sql: 'update evidence_entry set seq = seq + 90 where contract_id = :signed and seq = 3',
    undo: 'update evidence_entry set seq = seq - 90 where contract_id = :signed and seq = 93',
  },
  {
    invariant: 'I5',
    fault: 'has a disclosure that does not match its commitment',
    database: 'signing',
    sql: "update evidence_opening set value = value || '!' where contract_id = :open",
    undo: 'update evidence_opening set value = left(value, -1) where contract_id = :open',
  },
  {
    invariant: 'I5',
    fault: 'has evidence closed without a final entry, or entries after it',
    database: 'signing',
    sql: 'update evidence_chain set closed_at = null where contract_id = :signed',
    undo: 'update evidence_chain set closed_at = newest_at where contract_id = :signed',
  },
  {
    invariant: 'I5',
    fault: 'is final but its evidence is not closed',
    database: 'signing',
    late: true,
    sql: 'update evidence_chain set closed_at = null where contract_id = :signed',
    undo: 'update evidence_chain set closed_at = newest_at where contract_id = :signed',
  },
  {
    invariant: 'I5',
    fault: 'has no evidence chain',
    database: 'signing',
    late: true,
    sql: "update evidence_chain set contract_id = contract_id || 'x' where contract_id = :open",
    undo: "update evidence_chain set contract_id = :open where contract_id = :open || 'x'",
  },
  {
    invariant: 'I5',
    fault: 'is signed but its evidence is not sealed',
    database: 'signing',
    late: true,
    sql: "update sealed_evidence set contract_id = contract_id || 'x' where contract_id = :signed",
    undo: "update sealed_evidence set contract_id = :signed where contract_id = :signed || 'x'",
  },
  {
    invariant: 'I5',
    fault: 'was erased but still has disclosures or a sealed copy',
    database: 'signing',
    sql: 'insert into erasure values (:signed, now())',
    undo: 'delete from erasure',
  },
  {
    invariant: 'I7',
    fault: 'has a row of invitation but no contract',
    database: 'notification',
    sql: `insert into delivery (contract_id, account_id, party_index, kind, send_number, state, attempts, priority, lapses_at, finished_at)
      values ('${GHOST}', 'acc', 0, 'invitation', 1, 'accepted', 1, 1, now(), now())`,
    undo: `delete from delivery where contract_id = '${GHOST}'`,
  },
  {
    invariant: 'I7',
    fault: 'has a row of evidence_chain but no contract',
    database: 'signing',
    sql: `insert into evidence_chain (contract_id, seq, hash) values ('${GHOST}', 0, '0')`,
    undo: `delete from evidence_chain where contract_id = '${GHOST}'`,
  },
  {
    invariant: 'I7',
    fault: 'has an uncommitted message on the bus',
    database: 'bus',
    sql: `insert into bus.message select topic, partition, 1000000, key, headers, regexp_replace(value, '"id":"[^"]*"', '"id":"${NO_EVENT}"')
      from bus.message where key = :open and topic = 'contract.events.v1'`,
    undo: 'delete from bus.message where message_offset = 1000000',
  },
  {
    invariant: 'I7',
    fault: 'has handled an event that was never published',
    database: 'notification',
    sql: `insert into inbox values ('notification', '${NO_EVENT}')`,
    undo: `delete from inbox where event_id = '${NO_EVENT}'`,
  },
  {
    invariant: 'I8',
    fault: 'has more than two reminders of a party',
    database: 'notification',
    sql: `insert into delivery (contract_id, account_id, party_index, kind, send_number, priority, lapses_at, state, attempts, finished_at, created_at)
      select contract_id, account_id, party_index, 'reminder', 3, priority, lapses_at, 'accepted', 1, finished_at, created_at
        from delivery where contract_id = :open and kind = 'invitation' and party_index = 1 and send_number = 1`,
    undo: "delete from delivery where kind = 'reminder'",
  },
  {
    invariant: 'I8',
    fault: 'has a party without an invitation',
    database: 'notification',
    late: true,
    sql: "update delivery set kind = 'expired' where contract_id = :open and party_index = 1",
    undo: "update delivery set kind = 'invitation' where contract_id = :open and party_index = 1",
  },
  {
    invariant: 'I8',
    fault: 'has an expired mail that is still due',
    database: 'notification',
    late: true,
    sql: `create table kept as select id, finished_at from delivery where contract_id = :open;
      update delivery set state = 'due', finished_at = null, lapses_at = lapses_at - interval '9 days' where contract_id = :open`,
    undo: `update delivery d set state = 'accepted', finished_at = k.finished_at, lapses_at = lapses_at + interval '9 days' from kept k
      where k.id = d.id; drop table kept`,
  },
  {
    invariant: 'I8',
    fault: 'has a mail that was skipped for an invalid reason',
    database: 'notification',
    sql: "update delivery set state = 'skipped', outcome = 'contract signed' where contract_id = :open and party_index = 1",
    undo: "update delivery set state = 'accepted', outcome = null where contract_id = :open and party_index = 1",
  },
  {
    invariant: 'I9',
    fault: 'has a gap or a duplicate in its outbox sequence',
    database: 'contract',
    sql: 'update outbox set sequence = 9 where key = :signed and sequence = 3',
    undo: 'update outbox set sequence = 3 where key = :signed and sequence = 9',
  },
  {
    invariant: 'I9',
    fault: 'has a version that differs from its last event',
    database: 'gateway',
    sql: 'update account set version = version + 1',
    undo: 'update account set version = version - 1',
  },
  {
    invariant: 'I9',
    fault: 'has no event of its creation',
    database: 'contract',
    sql: "update outbox set key = key || 'x' where key = :open",
    undo: "update outbox set key = :open where key = :open || 'x'",
  },
  {
    invariant: 'I9',
    fault: 'has a published event that is not on the bus',
    database: 'bus',
    sql: "update bus.message set key = key || 'x' where key = :open",
    undo: "update bus.message set key = :open where key = :open || 'x'",
  },
  {
    invariant: 'I9',
    fault: 'has messages out of order on the bus',
    database: 'bus',
    sql: 'update bus.message set message_offset = 2000000 - message_offset where key = :signed',
    undo: 'update bus.message set message_offset = 2000000 - message_offset where key = :signed',
  },
  {
    invariant: 'I9',
    fault: 'has skipped an event',
    database: 'signing',
    sql: "update inbox set event_id = event_id || 'x'",
    undo: 'update inbox set event_id = left(event_id, -1)',
  },
  {
    invariant: 'I9',
    fault: 'has not handled an event',
    database: 'bus',
    late: true,
    sql: `insert into bus.message select topic, partition, 1000000, key, headers, regexp_replace(value, '"id":"[^"]*"', '"id":"${NO_EVENT}"')
      from bus.message where key = :open and topic = 'contract.events.v1'`,
    undo: 'delete from bus.message where message_offset = 1000000',
  },
  {
    invariant: 'I10',
    fault: 'has a signature after its expiry',
    database: 'contract',
    sql: 'update contract set expires_at = completed_at where id = :signed',
    undo: "update contract set expires_at = created_at + interval '14 days' where id = :signed",
  },
  {
    invariant: 'I10',
    fault: 'is still open after its expiry',
    database: 'contract',
    late: true,
    sql: "update contract set expires_at = clock_timestamp() - interval '1 hour' where id = :open",
    undo: "update contract set expires_at = created_at + interval '14 days' where id = :open",
  },
  {
    invariant: 'I11',
    fault: 'has a month that is not the sum of its days',
    database: 'gateway',
    sql: 'update usage_month set billable = billable + 1',
    undo: 'update usage_month set billable = billable - 1',
  },
  {
    invariant: 'I11',
    fault: 'is billed for more creations than it has contracts',
    database: 'gateway',
    sql: "update usage set billable = billable + 1, total = total + 1 where endpoint = 'POST /contracts'",
    undo: "update usage set billable = billable - 1, total = total - 1 where endpoint = 'POST /contracts'",
  },
  {
    invariant: 'I12',
    fault: 'has more admissions in a minute than its limit',
    database: 'gateway',
    sql: 'create table kept as table account_window; update account_window set pack_size = 1000000, newest_pack = 1000000',
    undo: 'update account_window w set pack_size = k.pack_size, newest_pack = k.newest_pack from kept k where k.name = w.name; drop table kept',
  },
  {
    invariant: 'I13',
    fault: 'has an invitation without the trace of its creation',
    database: 'contract',
    sql: `create table kept as select id, traceparent from outbox;
      update outbox set traceparent = '00-${'a'.repeat(32)}-${'b'.repeat(16)}-01' where key = :open`,
    undo: 'update outbox o set traceparent = k.traceparent from kept k where k.id = o.id; drop table kept',
  },
  {
    invariant: 'I15',
    fault: 'does not match its entry of the audit log',
    database: 'gateway',
    sql: "update audit_entry set account_id = account_id || 'x' where id = (select min(id) from audit_entry where account_id is not null)",
    undo: 'update audit_entry set account_id = left(account_id, -1) where id = (select min(id) from audit_entry where account_id is not null)',
  },
  ...(['contract outbox', 'bus bus.message', 'notification delivery', 'signing inbox'] as const).map((place): Plant => {
    const [database, table] = place.split(' ') as [Database, string]
    const [column, value] = {
      'contract outbox': ['data', `data || '{"to": "jane.roe@example.test"}'`],
      'bus bus.message': ['value', `value || '${'T'.repeat(43)}'`],
      // Keeps the outcome of a skipped mail, which is the reason.
      'notification delivery': [
        'outcome',
        `case when state = 'accepted' then '550 jane.roe@example.test' else outcome end`,
      ],
      'signing inbox': ['event_id', `event_id || '@'`],
    }[place] as [string, string]
    return {
      invariant: 'I14',
      fault: 'contains text shaped like an address or a token',
      database,
      sql: `create table kept as select ctid as place, ${column} from ${table}; update ${table} set ${column} = ${value}`,
      undo: `update ${table} set ${column} = ${{ data: "data - 'to'", value: 'left(value, -43)', outcome: "case when state = 'accepted' then null else outcome end", event_id: 'left(event_id, -1)' }[column]}; drop table kept`,
    }
  }),
]

describe('the verifier finds every planted violation [I1-I15]', () => {
  // Freezes the services, so that no background work changes the planted rows.
  beforeAll(async () => {
    const { pids } = await running.read().then((stack) => stack!)
    for (const service of SERVICES) process.kill(pids[service], 'SIGSTOP')
  })
  afterAll(async () => {
    const { pids } = await running.read().then((stack) => stack!)
    for (const service of SERVICES) process.kill(pids[service], 'SIGCONT')
  })

  it.each(PLANTS)('$invariant: $fault', async ({ invariant, fault, database, sql, undo, late }) => {
    await plant(database, sql)
    try {
      const { violations, checks } = await verify(late ? { withinSeconds: 0 } : {})
      expect(violations).toContainEqual(expect.objectContaining({ invariant, fault, kind: late ? 'late' : 'broken' }))
      expect(JSON.stringify([violations, checks])).not.toMatch(/example\.test|T{43}/)
    } finally {
      await plant(database, undo)
    }
  })

  it('and no violation after all rows are repaired', async () => {
    expect((await verify()).violations).toEqual([])
  })
})

describe("the command `verify` [local-stack: the operator's command line]", () => {
  it('prints a table and exits with 0, or prints the violations and exits with 1, and prints metrics for Prometheus', async () => {
    const right = await paraph(running.folder, 'verify', 'invariants')
    expect(right).toMatchObject({ code: 0, stdout: expect.stringMatching(/I10 +holds[^]*No violation in/) })
    await plant('gateway', 'update usage_month set billable = billable + 1')
    try {
      const wrong = await paraph(running.folder, 'verify', 'invariants', '--since', '1h', '--json')
      expect(wrong.code).toBe(1)
      const { violations } = JSON.parse(wrong.stdout) as Report
      expect(new Set(violations.map(({ invariant }) => invariant))).toEqual(new Set(['I11']))
      const metrics = await paraph(running.folder, 'verify', 'invariants', '--metrics')
      expect(metrics.code).toBe(1)
      expect(metrics.stdout).toMatch(
        /^paraph_invariant_violations\{paraph_invariant="I11",paraph_kind="broken"\} [1-9]/m,
      )
      expect(metrics.stdout).toContain('paraph_invariant_violations{paraph_invariant="I4",paraph_kind="broken"} 0\n')
    } finally {
      await plant('gateway', 'update usage_month set billable = billable - 1')
    }
    expect(await paraph(running.folder, 'verify', 'invariants', '--since', 'yesterday')).toMatchObject({ code: 1 })
  })
})

it('`paraph verify invariants` exports the number of violations to a collector before it exits [I1-I14, D51]', async () => {
  const collector = await startCollector()
  await plant('gateway', 'update usage_month set billable = billable + 1')
  try {
    const file = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
    const argv = ['--import', file('libs/telemetry/dist/register.js'), file('tools/paraph/paraph.mjs')]
    // The export interval is an hour, so only the exit can cause the export.
    const environment = { ...collector.environment, OTEL_METRIC_EXPORT_INTERVAL: '3600000' }
    const child = spawn(process.execPath, [...argv, 'verify', 'invariants'], {
      env: { ...process.env, PARAPH_DATA_DIR: running.folder, OTEL_SERVICE_NAME: 'paraph', ...environment },
      stdio: 'ignore',
    })
    expect(await once(child, 'exit')).toEqual([1, null])
    const exported = collector.metrics.filter(({ name }) => name === 'paraph.invariant.violations')
    expect(exported).toMatchObject([{ service: 'paraph' }])
    expect(exported[0]?.attributes).toContainEqual({ 'paraph.invariant': 'I11', 'paraph.kind': 'broken' })
    expect(collector.received.join('')).toMatch(/"name":"paraph\.invariant\.violations"[^]*"as(Double|Int)":"?[1-9]/)
  } finally {
    await plant('gateway', 'update usage_month set billable = billable - 1')
    await collector.close()
  }
})

describe('the commands for backlogs and dead letters [F11, H11]', () => {
  it('show the unpublished events, the outbox relay and the consumers of each service', async () => {
    await plant('contract', "update outbox set published_at = null, topic = 'nobody.reads.this' where key = :open")
    const { services } = await paraphJson<{
      services: { service: string; outbox: unknown; consumers: { name: string }[]; deadLetters: number | null }[]
    }>(running.folder, 'outbox', 'status')
    expect(services.map(({ service }) => service)).toEqual([...SERVICES])
    expect(services.find(({ service }) => service === 'signing')).toMatchObject({
      consumers: [{ name: 'signing' }],
      deadLetters: 0,
    })
    const text = await paraph(running.folder, 'outbox', 'status', '--service', 'gateway')
    expect(text.stdout).toMatch(/^gateway\n +outbox +nothing waits\n +relay +runs +last round /)
    const signing = await paraph(running.folder, 'outbox', 'status', '--service', 'signing')
    expect(signing.stdout).toMatch(/ consumer +signing +\d+ handled, /)
    for (const topic of ['account', 'contract'])
      expect(signing.stdout).toMatch(new RegExp(`\\n +${topic}\\.events\\.v1 +nothing waits\\n`))
    await plant('contract', "update outbox set topic = 'contract.events.v1' where key = :open")
  })

  it('name a service that does not answer, and show the reports of the other services', async () => {
    const { pids } = (await running.read())!
    process.kill(pids.gateway, 'SIGSTOP')
    try {
      // Runs the commands concurrently, because each waits for the timeout of a call.
      const [status, printed, deadLetters] = await Promise.all([
        paraph(running.folder, 'outbox', 'status'),
        paraph(running.folder, 'outbox', 'status', '--json'),
        paraph(running.folder, 'dead-letter', 'list'),
      ])
      expect(status).toMatchObject({ code: 1, stderr: '' })
      expect(status.stdout).toMatch(
        /^gateway\n {2}does not answer\ncontract\n +outbox +nothing waits\n[^]*notification\n/,
      )
      expect(printed.code).toBe(1)
      const { services } = JSON.parse(printed.stdout) as { services: { service: string; fault?: string }[] }
      expect(services.map(({ service, fault }) => [service, fault])).toEqual(
        SERVICES.map((service) => [service, service === 'gateway' ? 'does not answer' : undefined]),
      )
      expect(deadLetters).toMatchObject({ code: 1 })
    } finally {
      process.kill(pids.gateway, 'SIGCONT')
    }
  })

  it('list dead letters without content, redrive a dead letter once, and report a redrive that fails', async () => {
    const handled = `insert into dead_letter (consumer, topic, partition, message_offset, published_at, key, headers, value, reason, attempts)
      select 'signing', 'contract.events.v1', 0, 900000 + n, now(), :open, '{}', case n when 1 then :value else E'\\x1b[31mjane@example.test' end,
        'Error: planted', 5 from generate_series(1, 2) n`
    const [message] = await withClient(
      databaseUrlOf(running.stack, 'bus'),
      async (client) =>
        (
          await client.query<{ value: string }>(
            `select value from bus.message where key = $1 and topic = 'contract.events.v1' limit 1`,
            [open],
          )
        ).rows,
    )
    await plant('signing', handled.replace(':value', `'${message!.value}'`))
    const list = await paraph(running.folder, 'dead-letter', 'list')
    expect(list.stdout).toMatch(/signing 1 .*\n +5 attempts: Error: planted\nsigning 2 /)
    expect(list.stdout).not.toContain('jane')
    const shown = await paraph(running.folder, 'dead-letter', 'list', '--service', 'signing', '--show-value')
    expect(shown.stdout).toContain('\\u001b[31mjane@example.test')
    const redrive = (...argv: string[]) =>
      paraph(running.folder, 'dead-letter', 'redrive', '--service', 'signing', ...argv)
    expect(await redrive('1')).toMatchObject({ code: 0, stdout: 'Dead letter 1 was handled.\n' })
    expect(await redrive('1')).toMatchObject({ code: 0, stdout: expect.stringContaining('redriven before') })
    expect(await redrive('--all')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^Dead letter 2 failed again and is kept: /),
    })
    expect(await redrive('77')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('There is no dead letter 77'),
    })
    expect(await redrive()).toMatchObject({ code: 1 })
    const { deadLetters } = await paraphJson<{ deadLetters: { id: number }[] }>(running.folder, 'dead-letter', 'list')
    expect(deadLetters.map(({ id }) => id)).toEqual([2])
    await plant('signing', 'delete from dead_letter')
  })
})
