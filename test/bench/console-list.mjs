// Measures whether the console's list of contracts costs more if the account has more contracts: 1,000 and 1,000,000 in one run. Nine of
// ten have expired. Rare kinds have the same number in both cases: about thirty cancelled, thirty of another type, fifteen of these partly
// signed. Prints for each query of the console the CPU time of the contract service, and the pages of 8 KB that the database reads (cached
// or not), also as a ratio to a bare select of as many contracts by id over plain pg. Also prints the pages that a POST touches with and
// without the indexes of the list, and the time and write-ahead log of a POST with and without the words of the search.
// Run: npm run bench -- console. BENCH_CONTRACTS: number instead of 1,000,000. BENCH_CALLS: number of queries of each kind.
import { setTimeout as sleep } from 'node:timers/promises'
import { withClient } from '@paraph/database/provision'
import { createTokenSigner } from '@paraph/rpc/service-token'
import { createRpcClient } from '@paraph/rpc/link'
import { cpuMsOf, openStage } from './pipeline/stage.mjs'

const FEW = 1_000
const MANY = Number(process.env.BENCH_CONTRACTS ?? 1_000_000)
const CALLS = Number(process.env.BENCH_CALLS ?? 500)
const LIMIT = 20
const OWNER = {
  accountId: 'acc_1',
  environment: 'production',
  scopes: [],
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

/** The words of contract `n`: as many as of two parties and one pair of metadata. Seven are words of each contract. */
const WORDS = `array['EXT-' || n, n::text, 'NORDIC', 'FOODS', 'LTD', 'LEGAL@NORDICFOODS.EXAMPLE', 'NORDICFOODS.EXAMPLE', 'JANE', 'A' || n,
  'JANE.A' || n || '@EXAMPLE.TEST', 'A' || n || '@EXAMPLE.TEST', 'EXAMPLE.TEST', 'PROCUREMENT', 'ORDERID', 'O' || n]`

const stage = await openStage()
const admin = (work) => withClient(stage.adminUrlOf('contract'), work)
const signer = createTokenSigner('gateway', stage.secrets.callerKeys.gateway.private)
try {
  const service = await stage.start('contract')
  const url = `http://127.0.0.1:${stage.ports.contract}`
  const client = createRpcClient({
    url,
    token: (principal) => signer.signCached('contract', principal),
    connections: 1,
  })
  const { console: calls } = client.rpcFor(OWNER)

  /** The position in the middle of the list: half of all contracts precede it. */
  const middle = () =>
    admin(async (pg) => {
      const { rows } = await pg.query(
        `select (extract(epoch from expires_at) * 1000)::bigint || '.' || id as place from contract
          order by expires_at offset (select count(*) / 2 from contract) limit 1`,
      )
      return rows[0].place
    })

  const queries = (place) => ({
    'the newest': () => calls.list.query({ limit: LIMIT }),
    'a page in the middle': () => calls.list.query({ limit: LIMIT, page: { older: place } }),
    'back from the middle': () => calls.list.query({ limit: LIMIT, page: { newer: place } }),
    'expired, in the middle': () => calls.list.query({ limit: LIMIT, status: 'expired', page: { older: place } }),
    'waiting for the first party': () => calls.list.query({ limit: LIMIT, status: 'pending_signature' }),
    'cancelled, thirty of all': () => calls.list.query({ limit: LIMIT, status: 'cancelled' }),
    'signed, none at all': () => calls.list.query({ limit: LIMIT, status: 'signed' }),
    'a type, thirty of all': () => calls.list.query({ limit: LIMIT, contractType: 'service' }),
    'this type, partly signed': () =>
      calls.list.query({ limit: LIMIT, contractType: 'service', status: 'partially_signed' }),
    'one name, 27 of all': () => calls.list.query({ limit: LIMIT, search: 'rare' }),
    'a name of each contract': () => calls.list.query({ limit: LIMIT, search: 'ltd' }),
    'the same, in the middle': () => calls.list.query({ limit: LIMIT, search: 'ltd', page: { older: place } }),
    'the beginning of a name': () => calls.list.query({ limit: LIMIT, search: 'ra' }),
    'the beginning of a million words': () => calls.list.query({ limit: LIMIT, search: 'a' }),
    'a whole number': () => calls.list.query({ limit: LIMIT, search: 'EXT-500' }),
    'two names of each contract': () => calls.list.query({ limit: LIMIT, search: 'nordic ltd' }),
    'a rare and a common name': () => calls.list.query({ limit: LIMIT, search: 'rare ltd' }),
    'five names of each contract': () =>
      calls.list.query({ limit: LIMIT, search: 'nordic foods ltd jane procurement' }),
    'a common name, a rare status': () => calls.list.query({ limit: LIMIT, search: 'ltd', status: 'cancelled' }),
    'a common name, a rare problem': () => calls.list.query({ limit: LIMIT, search: 'ltd', problem: 'declined' }),
    'a delivery problem': () => calls.list.query({ limit: LIMIT, problem: 'delivery' }),
    'declined, thirty of all': () => calls.list.query({ limit: LIMIT, problem: 'declined' }),
    'created on one day': () => calls.list.query({ limit: LIMIT, createdFrom: day(43.5), createdBefore: day(43) }),
    'open, expiring in three days': () => calls.list.query({ limit: LIMIT, status: 'expiring' }),
    'the count of the side list': () => calls.count.query(),
    'the overview': () => calls.overview.query(),
  })
  const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString()

  /** Waits until every session has reported its reads, once a second. @returns the pages that the database has read so far */
  async function settledPages() {
    await sleep(1_500)
    return pagesSoFar()
  }

  /** Measures one query: pages and CPU time in µs per call. @param before the pages read so far, from `settledPages` */
  async function cost(query, before) {
    const cpu = cpuMsOf(service.pid)
    for (let n = 0; n < CALLS; n += 1) await query()
    const spent = ((cpuMsOf(service.pid) - cpu) * 1_000) / CALLS
    const after = await settledPages()
    return { after, spent: { cpu: spent, pages: (after - before) / CALLS } }
  }

  /** The pages that a bare select of as many contracts by id reads. */
  const bare = () =>
    admin(async (pg) => {
      const { rows } = await pg.query(`select id from contract order by random() limit ${LIMIT}`)
      const ids = rows.map(({ id }) => id)
      const read = () =>
        pg.query(
          `explain (analyze, buffers, timing off, format json)
             select c.*, (select count(*) from party where contract_id = c.id), (select count(*) from signature where contract_id = c.id)
               from contract c where id = any($1)`,
          [ids],
        )
      await read()
      const { Plan: plan } = (await read()).rows[0]['QUERY PLAN'][0]
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    })

  async function measure() {
    const measured = {}
    const entries = Object.entries(queries(await middle()))
    for (const [, query] of entries) for (let warm = 0; warm < 10; warm += 1) await query()
    let before = await settledPages()
    for (const [name, query] of entries) {
      const { after, spent } = await cost(query, before)
      measured[name] = spent
      before = after
    }
    return { measured, bare: await bare() }
  }

  await seed(1, FEW)
  const few = await measure()
  const startedAt = performance.now()
  await seed(FEW + 1, MANY)
  process.stderr.write(`seeded in ${Math.round((performance.now() - startedAt) / 1_000)} s\n`)
  const many = await measure()
  await client.close()

  process.stdout.write(`${FEW} and ${MANY} contracts of one account, ${LIMIT} to a page; CPU in µs, pages of 8 KB\n`)
  process.stdout.write(`bare: pages ${few.bare} → ${many.bare} (${(many.bare / few.bare).toFixed(2)} ×)\n`)
  for (const [name, cheap] of Object.entries(few.measured)) {
    const dear = many.measured[name]
    const compared = (what) =>
      `${cheap[what].toFixed(1)} → ${dear[what].toFixed(1)} (${(dear[what] / cheap[what]).toFixed(2)} ×)`
    const beside = (dear.pages / many.bare).toFixed(2)
    process.stdout.write(`${name}: pages ${compared('pages')}, ${beside} × bare; CPU ${compared('cpu')}\n`)
  }
  process.stdout.write(`${await costOfInsert()}\n`)
  process.stdout.write(`${await costOfWords()}\n`)
} finally {
  await stage.stop()
}

/** Inserts contracts of one account with their parties. About a tenth is open, the others have expired or were cancelled. */
function seed(from, to) {
  return admin(async (pg) => {
    // Open contracts get later dates than all others, as if the oldest contracts had ended first.
    await pg.query(
      `insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name,
         mail_language, time_zone, content, content_sha256, metadata, share_token_sha256, share_token_key_id, request_id, version,
         created_at, expires_at, changed_at, cancelled_at, has_decline, has_delivery_problem)
       select 'bench-' || n, 'acc_1', 'production', 'EXT-' || n, case when n <= 1000 and n % 33 = 7 then 'service' else 'nda' end, s.status,
              'Nordic Foods Ltd.', 'Nordic Foods Ltd.', 'en', 'UTC', repeat('The parties keep secrets secret. ', 8), sha256(n::text::bytea),
              '{}', sha256(('t' || n)::bytea), 'k1', 'seed-' || n, 1, t.expires_at - interval '14 days', t.expires_at,
              t.expires_at - interval '14 days', case when s.status = 'cancelled' then t.expires_at - interval '13 days' end,
              n <= 1000 and n % 33 = 5, n <= 1000 and n % 40 = 20
         from generate_series($1::int, $2::int) as n,
              lateral (select case when n <= 1000 and n % 33 = 3 then 'cancelled' when n <= 1000 and n % 66 = 7 then 'partially_signed'
                                   when n % 10 = 0 then 'pending_signature' else 'expired' end) as s (status),
              lateral (select case when s.status in ('pending_signature', 'partially_signed') then now() + interval '1 day' + n * interval '100 milliseconds'
                                   else now() - interval '30 days' + n * interval '100 milliseconds' end) as t (expires_at)`,
      [from, to],
    )
    await pg.query(
      `insert into party (contract_id, party_index, role, legal_name, email)
       select 'bench-' || n, i, 'Party', 'Ada', 'ada@example.test' from generate_series($1::int, $2::int) as n, generate_series(0, 1) as i`,
      [from, to],
    )
    // In the order of the contracts, as POSTs insert them: otherwise adjacent entries of the index lead to distant pages of the table.
    for (let first = from; first <= to; first += 1_000)
      await pg.query(
        `insert into contract_word (account_id, environment, word, expires_at, contract_id)
         select c.account_id, c.environment, w.word, c.expires_at, c.id
           from generate_series($1::int, $2::int) as n join contract c on c.id = 'bench-' || n
                cross join unnest(${WORDS} || case when n % 37 = 0 and n <= 1000 then array['RARE'] else '{}' end) as w (word)`,
        [first, Math.min(to, first + 999)],
      )
    await pg.query('vacuum analyze contract, party, signature, contract_word')
    await pg.query('checkpoint')
  })
}

/** Counts the pages that the insert of a contract touches, with and without the two indexes of the list. Rolls all changes back. */
async function costOfInsert() {
  return admin(async (pg) => {
    const insert = async (n) => {
      const { rows } = await pg.query(
        `explain (analyze, buffers, timing off, format json)
         insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name,
           mail_language, time_zone, content, content_sha256, metadata, share_token_sha256, share_token_key_id, request_id, version,
           created_at, expires_at, changed_at)
         values ('new-' || $1::int, 'acc_1', 'production', 'NEW-' || $1::int, 'nda', 'pending_signature', '', '', 'en', 'UTC', '', '', '{}',
           sha256($1::int::text::bytea), 'k1', 'new-' || $1::int, 1, now(), now() + interval '14 days', now())`,
        [n],
      )
      const { Plan: plan } = rows[0]['QUERY PLAN'][0]
      return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
    }
    const pagesOf = async (from) => {
      let pages = 0
      for (let n = 0; n < 100; n += 1) pages += await insert(from + n)
      return pages / 100
    }
    await pg.query('begin')
    await pagesOf(0)
    const withThem = await pagesOf(1_000)
    await pg.query('drop index contract_newest, contract_by_kind')
    const without = await pagesOf(2_000)
    await pg.query('rollback')
    return `row of a POST: pages ${without.toFixed(1)} → ${withThem.toFixed(1)} with the list's indexes (${(withThem / without).toFixed(2)} ×)`
  })
}

/** Time and log of 500 contracts with parties, each its own statement as in a POST, with and without their words, in turns. */
async function costOfWords() {
  return admin(async (pg) => {
    const statement = (withWords) => `
      with c as (
        insert into contract (id, account_id, environment, contract_number, contract_type, status, sender_name, account_name,
          mail_language, time_zone, content, content_sha256, metadata, share_token_sha256, share_token_key_id, request_id, version,
          created_at, expires_at, changed_at)
        select 'words-' || n, 'acc_1', 'production', 'WORDS-' || n, 'nda', 'pending_signature', '', '', 'en', 'UTC',
               repeat('The parties keep secrets secret. ', 8), '', '{}', sha256(('w' || n)::bytea), 'k1', 'words-' || n, 1,
               now(), now() + interval '14 days', now() from (values ($1::int)) as v (n)),
      p as (insert into party select 'words-' || $1::int, i, 'Party', 'Ada', 'ada@example.test' from generate_series(0, 1) as i)
      ${
        withWords
          ? `insert into contract_word select 'acc_1', 'production', word, now() + interval '14 days', 'words-' || n
               from (values ($1::int)) as v (n), unnest(${WORDS}) as word`
          : 'select 1'
      }`
    let n = 2_000_000
    const round = async (withWords) => {
      const spent = { ms: 0, bytes: 0 }
      const position = async () => (await pg.query('select pg_current_wal_insert_lsn() as at')).rows[0].at
      const from = await position()
      for (let times = 0; times < 500; times += 1) {
        const { rows } = await pg.query(`explain (analyze, buffers, timing off, format json) ${statement(withWords)}`, [
          (n += 1),
        ])
        spent.ms += rows[0]['QUERY PLAN'][0]['Execution Time']
      }
      const { rows } = await pg.query('select pg_wal_lsn_diff($1, $2)::float8 as bytes', [await position(), from])
      spent.bytes = rows[0].bytes
      return spent
    }
    const totals = { true: { ms: 0, bytes: 0 }, false: { ms: 0, bytes: 0 } }
    // The first round of each warms the cache; then turns, because other work runs on the machine.
    for (let turn = 0; turn < 8; turn += 1)
      for (const withWords of [false, true]) {
        const spent = await round(withWords)
        if (turn > 0) for (const [what, value] of Object.entries(spent)) totals[withWords][what] += value / (7 * 500)
      }
    const compared = (what, unit) => {
      const [without, withThem] = [totals.false[what], totals.true[what]]
      return `${unit} ${without.toFixed(2)} → ${withThem.toFixed(2)} (${(withThem / without).toFixed(2)} ×)`
    }
    return `rows of a POST with 15 words: ${compared('ms', 'ms in Postgres')}, ${compared('bytes', 'bytes of log')}`
  })
}

async function pagesSoFar() {
  return admin(async (pg) => {
    const { rows } = await pg.query(
      `select (blks_hit + blks_read)::float8 as pages from pg_stat_database where datname = 'contract'`,
    )
    return rows[0].pages
  })
}
