// The usage over several gateways: every gateway reports the same, it stays exact during kills and outages, and the quota stops calls
// exactly. `npm run test:release -- usage` runs only the test with kills, for ROUNDS (100) rounds and with SEED. [Usage, D3, D4, D40]
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { openLine } from '@paraph/database/test/database-line-fixture'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createSeededRandom } from '@paraph/testing/test/seeded-random-fixture'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startGateway, type StartedGateway } from '../../harness/stack/gateways.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraphJson,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { CONTRACT, createTallies, keepCalling, type Caller, type Tallies } from './usage-load.js'
import { until } from '../../harness/until.js'

const ROUNDS = Number(process.env['ROUNDS'] ?? 6)
const SEED = Number(process.env['SEED'] ?? 20261121)
const LABELS = ['POST /contracts', 'GET /contracts/:id', 'GET /usage', 'GET /status'] as const

let running: RunningStack
let line: Awaited<ReturnType<typeof openLine>>
/** The last gateway connects to its database through a proxy (`line`) that can break the connections. */
let gateways: StartedGateway[]
let tallies: Tallies
beforeAll(async () => {
  running = await startStack(await makeDataFolder())
  const secrets = JSON.parse(await readFile(`${running.folder}/secrets.json`, 'utf8')) as {
    rolePasswords: { gateway: { runtime: string } }
  }
  const database = new URL(databaseUrlOf(running.stack, 'gateway'))
  database.username = 'gateway_runtime'
  database.password = secrets.rolePasswords.gateway.runtime
  line = await openLine(database.href)
  gateways = await Promise.all([
    ...[1, 2, 3].map(() => startGateway(running.folder)),
    startGateway(running.folder, { DATABASE_URL: line.url }),
  ])
  tallies = createTallies()
})
afterAll(async () => {
  await tallies?.close()
  await Promise.all((gateways ?? []).map((gateway) => gateway.stop()))
  line?.cut()
  line?.close()
  await running?.close()
})

const onGateways = <Row extends Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
  withClient(databaseUrlOf(running.stack, 'gateway'), async (client) => (await client.query<Row>(sql, values)).rows)

/** Creates an account on a separate tier, with a key and a contract. */
async function newAccount(name: string, requestsPerMinute: number, quota: number, stopAtQuota = false) {
  await onGateways('insert into tier values ($1, $2, $3, $2, $3)', [name, requestsPerMinute, quota])
  const make = ['account', 'create', '--name', 'Bill', '--email', 'bill@example.test', '--plan', name]
  const { account } = await paraphJson<{ account: { id: string } }>(running.folder, ...make)
  await onGateways('update account set stop_at_quota = $2 where id = $1', [account.id, stopAtQuota])
  const scopes = ['--environment', 'live', '--scopes', 'contracts:read,contracts:write']
  const { key } = await paraphJson<{ key: { secret: string } }>(
    running.folder,
    'key',
    'create',
    '--account',
    account.id,
    ...scopes,
  )
  const caller = { account: account.id, key: key.secret, apiUrl: gateways[0]!.apiUrl }
  const answer = await tallies.call(caller, account.id, 'POST /contracts', '/contracts', CONTRACT)
  expect(answer?.status).toBe(201)
  const { contract } = JSON.parse(answer?.text ?? '') as { contract: { id: string } }
  return { account: account.id, key: key.secret, contractId: contract.id }
}

interface Usage {
  totalCalls: number
  billableCalls: number
  remaining: number
  overageCalls: number
  endpointBreakdown: Record<string, number>
}
const usageAt = async (caller: Caller & { account: string }): Promise<Usage> => {
  const answer = await tallies.call(caller, caller.account, 'GET /usage', '/usage')
  expect(answer?.status).toBe(200)
  return (JSON.parse(answer?.text ?? '') as { usage: Usage }).usage
}
const billedOf = (account: string): number => LABELS.reduce((sum, label) => sum + tallies.of(account, label).billed, 0)

it.each([2, 4])(
  'GET /usage counts itself and every call that any of %i gateways has answered [Usage, D3]',
  async (count) => {
    const who = await newAccount(`seen_${count}`, 1_000_000, 100_000)
    const random = createSeededRandom(SEED + count)
    const anyone = () => ({ ...who, apiUrl: gateways[Math.floor(random() * count)]!.apiUrl })
    for (let calls = 1; calls < 60; calls += 2) {
      const call = await tallies.call(anyone(), who.account, 'GET /contracts/:id', `/contracts/${who.contractId}`)
      expect(call?.status).toBe(200)
      expect(await usageAt(anyone())).toMatchObject({
        totalCalls: calls + 2,
        billableCalls: billedOf(who.account),
        endpointBreakdown: { 'GET /contracts/:id': (calls + 1) / 2, 'GET /usage': (calls + 1) / 2 },
      })
    }
  },
)

it('64 clients at four gateways stop exactly at the quota, despite failing calls [D4]', async () => {
  const who = await newAccount('stop_500', 1_000_000, 500, true)
  let refusals = 0
  const client = async (index: number) => {
    const caller = { ...who, apiUrl: gateways[index % 4]!.apiUrl }
    for (let at = 0, refused = 0; refused < 5; at += 1) {
      const isGood = (at + index) % 4 !== 0
      const id = isGood ? who.contractId : 'contract-1-aaaaaaaaa'
      const answer = await tallies.call(caller, who.account, 'GET /contracts/:id', `/contracts/${id}`)
      expect(answer?.headers['paraph-quota-weight']).toBe('1')
      if (answer?.status !== 429) continue
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'quota_exceeded' })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      ;[refused, refusals] = [refused + 1, refusals + 1]
    }
  }
  await Promise.all(Array.from({ length: 64 }, (_, index) => client(index)))
  expect(refusals).toBe(64 * 5)
  expect(billedOf(who.account)).toBe(500)
  for (const { apiUrl } of gateways)
    expect(await usageAt({ ...who, apiUrl })).toMatchObject({ billableCalls: 500, remaining: 0, overageCalls: 0 })
  const [month] = await onGateways('select billable::int, reservations from usage_month where account_id = $1', [
    who.account,
  ])
  expect(month).toEqual({ billable: 500, reservations: {} })
})

it('four gateways together never exceed the quota, even if each gateway admits calls up to the rate limit [D4, D27]', async () => {
  const who = await newAccount('stop_wide', 200, 500, true)
  const client = async (index: number) => {
    const caller = { ...who, apiUrl: gateways[index % 4]!.apiUrl }
    for (let at = 0; at < 20; at += 1)
      await tallies.call(caller, who.account, 'GET /contracts/:id', `/contracts/${who.contractId}`)
  }
  await Promise.all(Array.from({ length: 64 }, (_, index) => client(index)))
  const [month] = await onGateways<{ billable: number }>(
    'select billable::int from usage_month where account_id = $1',
    [who.account],
  )
  expect(month?.billable).toBe(billedOf(who.account))
  expect(billedOf(who.account)).toBeLessThanOrEqual(500)
  // A gateway whose window is full does not use the places that it reserved ahead. They stay reserved until they expire.
  expect(billedOf(who.account)).toBeGreaterThan(300)
})

it('calls over the quota are answered and counted exactly if the account has no hard stop [D4]', async () => {
  const who = await newAccount('over_50', 1_000_000, 50)
  await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      tallies.call(
        { ...who, apiUrl: gateways[index % 4]!.apiUrl },
        who.account,
        'GET /contracts/:id',
        `/contracts/${who.contractId}`,
      ),
    ),
  )
  expect(await usageAt({ ...who, apiUrl: gateways[3]!.apiUrl })).toMatchObject({
    totalCalls: 302,
    billableCalls: 301,
    remaining: 0,
    overageCalls: 251,
  })
  expect(billedOf(who.account)).toBe(301)
})

it('a gateway answers 503 immediately while its database is frozen, and counts every call after the database resumes [D40, F3]', async () => {
  const who = await newAccount('frozen', 1_000_000, 100_000)
  const calling = gateways.map(({ apiUrl }) => ({ ...who, apiUrl }))
  const read = (caller: (typeof calling)[number]) =>
    tallies.call(caller, who.account, 'GET /contracts/:id', `/contracts/${who.contractId}`)
  await Promise.all(calling.map(read))
  const { postgres } = (await running.read())!.pids
  const server = await familyOf(postgres)
  for (const pid of server) process.kill(pid, 'SIGSTOP')
  try {
    // The calls in progress wait until their timeout. After the first failed count, the gateway refuses calls immediately.
    const first = await Promise.all(calling.map((caller) => tallies.call(caller, who.account, 'GET /usage', '/usage')))
    expect(first.map((answer) => answer?.status)).toEqual([503, 503, 503, 503])
    for (const caller of calling) {
      const refused = await read(caller)
      expect([refused?.status, refused?.headers['retry-after']]).toEqual([503, '1'])
      const status = await tallies.call(caller, who.account, 'GET /status', '/status')
      expect([status?.status, JSON.parse(status?.text ?? '')]).toEqual([
        200,
        expect.objectContaining({ status: 'degraded' }),
      ])
    }
  } finally {
    for (const pid of server) process.kill(pid, 'SIGCONT')
  }
  for (const caller of calling)
    await until('an answer', async () => ((await read(caller))?.status === 200 ? true : undefined), 60_000)
  const usage = await usageAt(calling[0]!)
  expect(usage.billableCalls).toBe(billedOf(who.account))
  const { sent } = tallies.of(who.account, 'GET /usage')
  expectWithMessage(usage.endpointBreakdown['GET /usage'], 'counts the four failed calls').toBe(sent)
  expectWithMessage(usage.endpointBreakdown['GET /status'], 'not counted in the outage').toBeUndefined()
})

it(
  `after rounds of kills and lost acknowledgements, the calls satisfy answered <= counted <= sent, and no call is billed twice [D3, D40, F16]`,
  async () => {
    const random = createSeededRandom(SEED)
    const accounts = [
      await newAccount('rounds_a', 1_000_000, 100_000_000),
      await newAccount('rounds_b', 1_000_000, 100_000_000),
      await newAccount('rounds_stop', 50_000, 100_000_000, true),
    ]
    const onLine = await newAccount('rounds_line', 1_000_000, 100_000_000)
    let isOn = true
    const killable = gateways.slice(0, 3)
    const callers = [
      ...killable.flatMap(({ apiUrl }) => accounts.map((who) => ({ ...who, apiUrl }))),
      ...[1, 2, 3, 4].map(() => ({ ...onLine, apiUrl: gateways[3]!.apiUrl, isForwardedOnly: true })),
    ]
    const load = keepCalling(tallies, callers, createSeededRandom(SEED + 1), () => isOn)
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    let [kills, lostAcknowledgements] = [0, 0]
    for (let round = 0; round < ROUNDS; round += 1) {
      await pause(50 + random() * 300)
      if (random() < 0.4) {
        // Postgres may commit the statement of the gateway, but the gateway does not receive the acknowledgement.
        line.silence()
        await pause(random() * 400)
        line.cut()
        line.restore()
        lostAcknowledgements += 1
        const reads = tallies.of(onLine.account, 'GET /contracts/:id')
        const before = reads.answered
        await until('a gateway that counts again', () => (reads.answered > before + 20 ? true : undefined), 60_000)
      }
      const victims = killable.filter(() => random() < 0.4)
      if (victims.length === 0) victims.push(killable[round % 3]!)
      kills += victims.length
      await Promise.all(
        victims.map(async (victim) => {
          await pause(random() * 50)
          await victim.kill()
          await victim.start()
        }),
      )
    }
    isOn = false
    await load

    const [sums, billed] = [
      { sent: 0, answered: 0, counted: 0 },
      { receipts: 0, counted: 0 },
    ]
    for (const { account } of [...accounts, onLine]) {
      for (const label of LABELS) {
        const { sent, answered, billed: receipts } = tallies.of(account, label)
        const [row] = await onGateways<{ total: number; billable: number }>(
          `select coalesce(sum(total), 0)::int as total, coalesce(sum(billable), 0)::int as billable
         from usage where account_id = $1 and endpoint = $2`,
          [account, label],
        )
        const { total, billable } = row!
        expectWithMessage(answered, `${label}: answered <= counted`).toBeLessThanOrEqual(total)
        expectWithMessage(total, `${label}: counted <= sent`).toBeLessThanOrEqual(sent)
        expectWithMessage(receipts, `${label}: receipts <= billed`).toBeLessThanOrEqual(billable)
        expectWithMessage(billable - receipts, `${label}: billed beyond receipts <= unanswered`).toBeLessThanOrEqual(
          sent - answered,
        )
        if (account === onLine.account)
          expectWithMessage(total, `${label}: counted = answered, because this gateway was not killed`).toBe(answered)
        Object.assign(sums, {
          sent: sums.sent + sent,
          answered: sums.answered + answered,
          counted: sums.counted + total,
        })
        Object.assign(billed, { receipts: billed.receipts + receipts, counted: billed.counted + billable })
      }
    }
    process.stdout.write(
      `seed ${SEED}: ${ROUNDS} rounds, ${kills} kills, ${lostAcknowledgements} lost acknowledgements; ` +
        `answered ${sums.answered} <= counted ${sums.counted} <= sent ${sums.sent}; ` +
        `receipts ${billed.receipts} <= billed ${billed.counted}\n`,
    )
    expect(sums.answered).toBeGreaterThan(ROUNDS * 20)
  },
  120_000 + ROUNDS * 30_000,
)

/** The ids of a process and its children. */
async function familyOf(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid='])
  return stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number) as [number, number])
    .filter(([pid, ppid]) => pid === parent || ppid === parent)
    .map(([pid]) => pid)
}
