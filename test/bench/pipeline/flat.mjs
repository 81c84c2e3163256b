// Measures whether the same work costs more with more contracts: 1,000 and 1,000,000 in one run. Prints the CPU time of the contract
// service and the database pages that are read (cached or not) for a GET, a POST with the relay of its event, the expiry of a contract by
// the sweep of due contracts, and an idle second. [architecture: Hot paths]
// Run: npm run bench -- flat. BENCH_CONTRACTS: number instead of 1,000,000.
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { withClient } from '@paraph/database/provision'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { cpuMsOf, openStage, until } from './stage.mjs'

const FEW = 1_000
const MANY = Number(process.env.BENCH_CONTRACTS ?? 1_000_000)
const CALLS = Number(process.env.BENCH_CALLS ?? 2_000)
const DUE = 200
const DUE_IN_MS = Number(process.env.BENCH_DUE_IN_MS ?? 8_000)
const PER_SECOND = 200
const IDLE_MS = Number(process.env.BENCH_IDLE_MS ?? 10_000)
const PRINCIPAL = {
  accountId: 'acc_1',
  environment: 'production',
  scopes: ['contracts:read', 'contracts:write'],
  account: {
    name: 'Nordic Foods Ltd.',
    senderName: 'Nordic Foods Ltd.',
    language: 'en',
    timeZone: 'UTC',
    replyAddress: null,
    cancelsOnDecline: false,
    remindsParties: true,
  },
}
const BODY = JSON.stringify({
  contractType: 'nda',
  content: 'The parties keep secrets secret. '.repeat(30),
  parties: ['a', 'b'].map((name) => ({ role: 'Party', legalName: name, email: `${name}@example.test` })),
})

const stage = await openStage()
const admin = (work) => withClient(stage.adminUrlOf('contract'), work)
try {
  const service = await stage.start('contract')
  const token = createTokenSigner('gateway', stage.secrets.callerKeys.gateway.private)
  const pool = new Pool(`http://127.0.0.1:${stage.ports.contract}`, { connections: 8 })
  let number = 0

  async function call(method, path, body) {
    const answer = await pool.request({
      method,
      path,
      body,
      headers: {
        authorization: `Bearer ${await token.sign('contract', PRINCIPAL)}`,
        'x-paraph-request-id': `bench-${(number += 1)}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
    })
    await answer.body.dump()
    if (answer.statusCode >= 300) throw new Error(`${method} was answered with ${answer.statusCode}`)
  }

  /** Measures `work`, which makes `count` calls: CPU time in µs and pages per call. All earlier work must have finished. */
  async function cost(count, work) {
    const [cpu, pages] = [cpuMsOf(service.pid), await pagesSoFar()]
    await work()
    await settled()
    return { cpu: ((cpuMsOf(service.pid) - cpu) * 1_000) / count, pages: ((await pagesSoFar()) - pages) / count }
  }

  /** Waits until all events are published and every session has reported its reads, which happens once a second. */
  async function settled() {
    await until(() =>
      admin(async (client) => {
        const { rows } = await client.query('select 1 from outbox where published_at is null limit 1')
        return rows.length === 0
      }),
    )
    await sleep(1_500)
  }

  async function paced(next) {
    const startedAt = performance.now()
    const under = []
    while (under.length < CALLS) {
      while (under.length < CALLS && under.length < ((performance.now() - startedAt) * PER_SECOND) / 1_000)
        under.push(next(under.length))
      await sleep(1)
    }
    await Promise.all(under)
  }

  async function measure(size) {
    const get = () => call('GET', `/contracts/bench-${1 + Math.floor(Math.random() * size)}`)
    await paced(get)
    await paced(() => call('POST', '/contracts', BODY))
    await settled()
    const idle = await cost(IDLE_MS / 1_000, () => sleep(IDLE_MS))
    const GET = await cost(CALLS, () => paced(get))
    const POST = await cost(CALLS, () => paced(() => call('POST', '/contracts', BODY)))
    await soonDue()
    return { GET, 'POST, relay': POST, 'sweep, each due': await cost(DUE, sweep), 'a second of nothing': idle }
  }

  /** Lets some contracts expire soon. This preparation is not part of the measured cost of the sweep. */
  async function soonDue() {
    await admin((client) =>
      client.query(
        `update contract set expires_at = clock_timestamp() + make_interval(secs => $2) where id in (
           select id from contract where status = 'pending_signature' and id like 'bench-%' and expires_at > now() limit $1)`,
        [DUE, DUE_IN_MS / 1_000],
      ),
    )
    await settled()
  }

  async function sweep() {
    // Sleeps without a query, because each query opens a connection that reads pages, which would count.
    await sleep(DUE_IN_MS)
    await until(() =>
      admin(async (client) => {
        const { rows } = await client.query(
          `select 1 from contract where status in ('pending_signature', 'partially_signed') and expires_at <= now() + interval '1 minute' limit 1`,
        )
        return rows.length === 0
      }),
    )
  }

  await seed(1, FEW)
  const few = await measure(FEW)
  const startedAt = performance.now()
  await seed(FEW + 1, MANY)
  process.stderr.write(`seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`)
  const many = await measure(MANY)
  await pool.close()

  process.stdout.write(`${FEW} and ${MANY} contracts; CPU in µs, pages of 8 KB\n`)
  for (const [name, cheap] of Object.entries(few)) {
    const dear = many[name]
    const compared = (what) =>
      `${cheap[what].toFixed(1)} → ${dear[what].toFixed(1)} (${(dear[what] / cheap[what]).toFixed(2)} ×)`
    process.stdout.write(`${name}: CPU ${compared('cpu')}, pages ${compared('pages')}\n`)
  }
} finally {
  await stage.stop()
}

/** Inserts contracts with their parties and published events. Nine of ten have expired, as after a year of use. */
function seed(from, to) {
  return admin(async (client) => {
    await client.query(
      `insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name,
         mail_language, time_zone, content, content_sha256, metadata, share_token_sha256, share_token_key_id, request_id, version,
         created_at, expires_at, changed_at)
       select 'bench-' || n, 'acc_1', 'production', 'EXT-' || n, 'nda', case when n % 10 = 0 then 'pending_signature' else 'expired' end,
              'Nordic Foods Ltd.', 'Nordic Foods Ltd.', 'en', 'UTC', repeat('The parties keep secrets secret. ', 8), sha256(n::text::bytea),
              '{}', sha256(('t' || n)::bytea), 'k1', 'seed-' || n, 1, now() - interval '1 day',
              case when n % 10 = 0 then now() + interval '13 days' else now() - interval '30 days' end, now() - interval '1 day'
         from generate_series($1::int, $2::int) as n`,
      [from, to],
    )
    await client.query(
      `insert into party (contract_id, party_index, role, legal_name, email)
       select 'bench-' || n, i, 'Party', 'Ada', 'ada@example.test' from generate_series($1::int, $2::int) as n, generate_series(0, 1) as i`,
      [from, to],
    )
    await client.query(
      `insert into outbox (event_id, topic, type, key, sequence, data, published_at)
       select gen_random_uuid(), 'contract.events.v1', 'contract.created', 'bench-' || n, 1, '{}', now() from generate_series($1::int, $2::int) as n`,
      [from, to],
    )
    await client.query('vacuum analyze')
    await client.query('checkpoint')
  })
}

async function pagesSoFar() {
  return admin(async (client) => {
    const { rows } = await client.query(
      `select (blks_hit + blks_read)::float8 as pages from pg_stat_database where datname = 'contract'`,
    )
    return rows[0].pages
  })
}
