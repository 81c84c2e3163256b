// Measures the time from the creation of a contract until the SMTP server has accepted both invitations, at a steady rate, on a stack as
// `npm start` runs it, on each bus. Start and end are the contract's `created_at` and the later `finished_at` of its deliveries, both by
// the clock of the Postgres server. Slightly more than a client would measure from the 201.
// On the embedded bus also with NOTIFY in the transactions, as before, in alternating halves of the same run.
// Run: npm run bench -- pipeline. BENCH_RATE: contracts a second. BENCH_SECONDS: duration. BENCH_BUSES: `postgres` omits Kafka.
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { withClient } from '@paraph/database/provision'
import { createOperatorClient } from '@paraph/paraph/operator-client'
import { kafkaIsThere, startKafkaBroker } from '../../../libs/messaging/test/kafka-broker-fixture.ts'
import { withStack } from '../with-stack.mjs'
import { PREPARE_BEFORE, switchBefore } from '../notify/before.mjs'
import { median, until } from './stage.mjs'

/** Kafka needs Java and Maven. */
const BUSES = (process.env.BENCH_BUSES ?? 'postgres,kafka').split(',')
const PER_SECOND = Number(process.env.BENCH_RATE ?? 50)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 30)
const CONTRACTS = PER_SECOND * SECONDS
/** Contracts that are created before the measurement. Four processes on two cores need 20 s of load to compile code and fill pools. */
const WARM_UP = PER_SECOND * Number(process.env.BENCH_WARM_SECONDS ?? 20)

await measure('postgres', {})
if (BUSES.includes('kafka') && (await kafkaIsThere())) {
  const kafka = await startKafkaBroker()
  try {
    await measure('kafka', {
      EVENT_BUS: 'kafka',
      KAFKA_BROKERS: kafka.brokers.join(','),
      KAFKA_TOPIC_REPLICAS: '1',
      KAFKA_TOPIC_IN_SYNC_REPLICAS: '1',
    })
  } finally {
    await kafka.stop()
  }
} else process.stdout.write('SKIPPED: Kafka was not measured.\n')

async function measure(name, environment) {
  const isCompared = name === 'postgres'
  const { now, before } = await withStack(
    (stack, internal) =>
      createAndWait(stack, internal, isCompared ? ['now', 'before', 'before', 'now'] : ['now', 'now']),
    { LOG_LEVEL: 'warn', ...environment },
  )
  print(name, now)
  if (!isCompared) return
  print('postgres, NOTIFY in the transactions as before', before)
  process.stdout.write(
    `201 to both mails: p50 ${(median(now) / median(before)).toFixed(2)} × NOTIFY in the transactions\n`,
  )
}

function print(name, unsorted) {
  const took = unsorted.toSorted((a, b) => a - b)
  const at = (share) => `${Math.round(took[Math.floor(took.length * share)])} ms`
  process.stdout.write(
    `${name}: ${took.length} contracts at ${PER_SECOND}/s, both mails accepted: p50 ${at(0.5)}, p99 ${at(0.99)}, last ${at(0.9999)}\n`,
  )
}

/**
 * Each round creates half of the contracts, in `before` with NOTIFY in the transactions.
 * @returns the milliseconds of each contract
 */
async function createAndWait({ apiUrl, databaseUrl }, internal, rounds) {
  const operator = createOperatorClient(internal)
  const owner = { name: 'Load', email: 'load@example.test', tier: 'load' }
  const { account } = await operator.gateway.account.create.mutate(owner)
  const scopes = ['contracts:read', 'contracts:write']
  const { key } = await operator.gateway.key.create.mutate({ accountId: account.id, environment: 'live', scopes })
  await operator.close()

  const { origin, pathname } = new URL(apiUrl)
  const pool = new Pool(origin, { connections: 16 })
  const content = 'The parties keep secrets secret. '.repeat(100)
  const ids = []
  await create(WARM_UP)
  await until(async () => {
    const [row] = await query(
      'notification',
      `select count(*)::int as n from delivery where kind = 'invitation' and state = 'accepted'`,
      [],
    )
    return row.n === 2 * WARM_UP
  })
  const took = { now: [], before: [] }
  const isCompared = rounds.includes('before')
  if (isCompared) for (const [database, text] of Object.entries(PREPARE_BEFORE)) await query(database, text, [])
  for (const round of rounds) {
    if (isCompared)
      for (const database of Object.keys(PREPARE_BEFORE))
        await query(database, switchBefore(database, round === 'before'), [])
    const done = ids.length
    await create(CONTRACTS / 2)
    took[round].push(...(await tookOf(ids.slice(done).map(({ id }) => id))))
  }
  await pool.close()
  return took

  /** Waits for the mails of these contracts. @returns the milliseconds of each */
  async function tookOf(list) {
    await until(async () => {
      const [row] = await query(
        'notification',
        `select count(*)::int as n from delivery where contract_id = any($1) and kind = 'invitation' and state = 'accepted'`,
        [list],
      )
      return row.n === 2 * list.length
    })
    const made = await query(
      'contract',
      'select id, extract(epoch from created_at) * 1000 as ms from contract where id = any($1)',
      [list],
    )
    const accepted = await query(
      'notification',
      `select contract_id as id, extract(epoch from max(finished_at)) * 1000 as ms from delivery where contract_id = any($1) group by 1`,
      [list],
    )
    const acceptedAt = new Map(accepted.map(({ id, ms }) => [id, Number(ms)]))
    return made.map(({ id, ms }) => acceptedAt.get(id) - Number(ms))
  }

  /** Creates `count` contracts at the rate PER_SECOND. */
  async function create(count) {
    const startedAt = performance.now()
    const answers = []
    while (answers.length < count) {
      while (answers.length < Math.min(count, ((performance.now() - startedAt) * PER_SECOND) / 1_000))
        answers.push(post(ids.length + answers.length))
      await sleep(2)
    }
    await Promise.all(answers)
  }

  function query(database, text, values) {
    return withClient(Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href, async (client) => {
      const { rows } = await client.query(text, values)
      return rows
    })
  }

  async function post(number) {
    const parties = ['a', 'b'].map((name) => ({
      role: 'Party',
      legalName: name,
      email: `${name}.${number}@example.test`,
    }))
    const answer = await pool.request({
      method: 'POST',
      path: `${pathname}/contracts`,
      headers: { 'content-type': 'application/json', 'x-api-key': key.secret },
      body: JSON.stringify({ contractType: 'nda', content, parties }),
    })
    const body = await answer.body.json()
    if (answer.statusCode !== 201) throw new Error(`POST was answered with ${answer.statusCode}`)
    ids.push({ id: body.contract.id })
  }
}
