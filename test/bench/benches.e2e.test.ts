// Checks that every benchmark that a document quotes still runs and prints the quoted lines. The small sizes give no meaningful times.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'
import { WORST } from '@paraph/web/test/seeded-text-fixture'

/** Minutes each, so only `npm run test:release -- benches` runs them. */
const long = process.env['ALL_BENCHES'] === '1' ? it : it.skip

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const bench = async (name: string, sizes: Record<string, string>): Promise<string> =>
  (
    await promisify(execFile)('npm', ['run', '-s', 'bench', '--', name], {
      cwd: ROOT,
      env: { ...process.env, ...sizes },
      timeout: 120_000,
    })
  ).stdout

it('the hot-path benchmarks run and print every line that docs/internal/performance.md lists [docs/internal/performance.md]', async () => {
  const stdout = await bench('hot-paths', { BENCH_REQUESTS: '200', BENCH_LIMITS: '60', BENCH_ROUNDS: '1' })
  expect(stdout.match(/^(?:bare|ours|library): [\d.]+ µs CPU per GET, [\d.]+ × bare Koa$/gm)).toHaveLength(3)
  expect(stdout.match(/^metering, .+: [\d,]+ durable calls\/s, [\d.]+ × an upsert per call; .+$/gm)).toHaveLength(2)
  const texts = [...stdout.matchAll(/^(.+): [\d.]+ × \(read [\d.]+ ms, render [\d.]+ ms\), [\d]+ KB of HTML$/gm)]
  expect(texts.map(([, name]) => name)).toEqual(Object.keys(WORST))
  for (const name of ['gateway', 'contract']) {
    expect(stdout).toMatch(new RegExp(`^${name}: -?[\\d.]+ KiB of RSS per waiter, [\\d.]+ ms of CPU per second`, 'm'))
    expect(stdout).toMatch(new RegExp(`^${name}: \\d+ database connections while 100 wait`, 'm'))
  }
  expect(stdout).toMatch(/^wake-up of 100, .*: p50 \d+ ms, p99 \d+ ms, last \d+ ms$/m)
})

long(
  'the gateway benchmark runs by one command and prints every line of its table [docs/internal/performance.md]',
  async () => {
    const stdout = await bench('gateway', { BENCH_REQUESTS: '100', BENCH_CALLS: '1000', BENCH_ACCOUNTS: '100' })
    const servers = [
      ...stdout.matchAll(/^(\w+): [\d.]+ µs CPU per call, [\d.]+ × bare Koa; [\d.]+ of the hop's throughput; .+$/gm),
    ]
    expect(servers.map(([, name]) => name)).toEqual(['bare', 'edge', 'hop', 'memory', 'shared', 'counted', 'complete'])
    expect(stdout).toMatch(/^request log: [\d.]+ × the CPU of a call without it$/m)
    expect(stdout).toMatch(/^windows: \d+ MB for 100 accounts with 1,000 calls each$/m)
    expect(stdout).toMatch(/^resident memory over 1000 calls: .+ × the value after a fifth of the calls$/m)
  },
)

long(
  'the pipeline benchmarks, with a small and a large database, run and print every line of their tables [docs/internal/performance.md]',
  async () => {
    const sizes = {
      BENCH_BUSES: 'postgres',
      BENCH_POSTS: '20',
      BENCH_ROUNDS: '1',
      BENCH_EVENTS: '500',
      BENCH_SECONDS: '2',
      BENCH_WARM_SECONDS: '1',
    }
    // The test ignores the figures, so the benchmarks may disturb each other.
    const [pipeline, flat, list] = await Promise.all([
      bench('pipeline', sizes),
      bench('flat', {
        ...sizes,
        BENCH_CONTRACTS: '2000',
        BENCH_CALLS: '20',
        BENCH_IDLE_MS: '500',
        BENCH_DUE_IN_MS: '4000',
      }),
      bench('console', { ...sizes, BENCH_CONTRACTS: '2000', BENCH_CALLS: '2' }),
    ])
    expect(pipeline).toMatch(/^contract service: \d+ µs, [\d.]+ × /m)
    expect(pipeline).toMatch(/^postgres: relay [\d,]+ events\/s, consumer [\d,]+ events\/s/m)
    expect(pipeline).toMatch(/^postgres: 100 contracts at 50\/s, both mails accepted: p50 \d+ ms, p99 \d+ ms/m)
    expect(pipeline).toMatch(/^201 to both mails: p50 [\d.]+ × NOTIFY in the transactions$/m)
    for (const what of ['GET', 'POST, relay', 'sweep, each due', 'a second of nothing'])
      expect(flat).toMatch(new RegExp(`^${what}: CPU .+, pages .+$`, 'm'))
    expect(list.match(/^.+: pages [\d.]+ → [\d.]+ \(.+ ×\), [\d.]+ × bare; CPU .+$/gm)).toHaveLength(10)
    expect(list).toMatch(/^row of a POST: pages [\d.]+ → [\d.]+ with the list's indexes \([\d.]+ ×\)$/m)
  },
)

long(
  'the benchmarks of notifications run and print every line of their tables [docs/internal/performance.md]',
  async () => {
    const stdout = await bench('notify', { BENCH_SIGNATURES: '128', BENCH_ROUNDS: '1', BENCH_WAKES: '4' })
    expect(stdout.match(/^signatures, 64 clients, .+: [\d,]+\/s, [\d.]+ × no NOTIFY$/gm)).toHaveLength(6)
    expect(stdout.match(/^commit to bus: p50 [\d.]+ ms by one relay; .+$/gm)).toHaveLength(1)
    expect(
      stdout.match(
        /^long poll in .+ process, .+: p50 [\d.]+ ms from the signature, [\d.]+ × NOTIFY in the transaction$/gm,
      ),
    ).toHaveLength(8)
  },
)

long(
  'the benchmarks of seals, mails, tracing and a whole contract run and print the quoted figures [docs/internal/performance.md, docs/explanation/mail-queue.md]',
  async () => {
    // A PDF must be ready within ten seconds, so this benchmark runs alone.
    const seal = await bench('seal', { BENCH_ROUNDS: '1', BENCH_PRINTS: '1', BENCH_CONTRACTS: '2', BENCH_SECONDS: '1' })
    const [mail, cost, tracing, sizing] = await Promise.all([
      bench('mail', { BENCH_MAILS: '600', BENCH_KILLS: '2' }),
      bench('mail-cost', { BENCH_MAILS: '20', BENCH_ROUNDS: '1' }),
      bench('tracing', { BENCH_REQUESTS: '50' }),
      bench('sizing', { BENCH_CONTRACTS: '4', BENCH_WARM: '1', BENCH_GETS: '2', BENCH_IDLE_MS: '500' }),
    ])
    for (const what of ['bare pdfkit', 'ours, rendered and sealed', 'ours, rendered alone'])
      expect(seal).toMatch(new RegExp(`^${what}: CPU of a PDF \\d+ ms .+ peak memory with one \\d+ MB`, 'm'))
    for (const what of ['the page at rest', 'the page while PDFs are made', 'a signature'])
      expect(seal).toMatch(new RegExp(`^${what}: p50 [\\d.]+ ms .+, p99 [\\d.]+ ms`, 'm'))
    expect(seal).toMatch(/^2 contracts: the last PDF is stored [\d.]+ s after/m)
    expect(mail).toMatch(/^mails 600, arrived 600, lost 0$/m)
    expect(mail).toMatch(/^copies more than one: \d+ in all, at most \d+ of a mail$/m)
    expect(tracing.match(/^.+: \d+ µs CPU per call, \d+ at least; [\d.]+ ×$/gm)).toHaveLength(6)
    expect(sizing.match(/^.+: \d+ calls, \d+ requests of people, \d+ mails; CPU ms .+; WAL .+$/gm)).toHaveLength(7)
    expect(sizing).toMatch(/^all of it: 3 calls, 26 requests of people, 6 mails;/m)
    for (const kind of ['invitation', 'code', 'copy'])
      expect(cost).toMatch(
        new RegExp(`^mail, ${kind}: -?[\\d.]+ ms of notification's CPU, -?[\\d.]+ × [\\d.]+ ms`, 'm'),
      )
    expect(sizing).toMatch(/^table signing sealed_copy: 1\.00 rows, [\d.]+ KB and [\d.]+ KB of indexes, stays$/m)
    expect(sizing).toMatch(/^table notification delivery: 6\.00 rows, .+, 90 days$/m)
    expect(sizing.match(/^database \w+: [\d.]+ rows, [\d.]+ KB, of which stays [\d.]+ KB$/gm)).toHaveLength(5)
    expect(sizing).toMatch(/^a million a day for a year: [\d.]+ TB that stay, [\d.]+ TB that come and go$/m)
  },
)

long(
  'the benchmark of checks runs and prints the ratios that docs/internal/performance.md quotes [docs/internal/performance.md]',
  async () => {
    const stdout = await bench('checks', { BENCH_ROUNDS: '1', BENCH_SECONDS: '2' })
    expect(
      stdout.match(/^the page while .+ are checked, 10 at a time: .+ median ratio of p99 [\d.]+; \d+ .+$/gm),
    ).toHaveLength(2)
  },
)

long(
  'the benchmark of an hour finds a rate, keeps to it, and prints every line that docs/explanation/scaling.md quotes [docs/explanation/scaling.md]',
  async () => {
    const stdout = await bench('hour', {
      BENCH_SECONDS: '6',
      BENCH_STEP_SECONDS: '3',
      BENCH_LANES_MAX: '2',
      BENCH_GETS: '2',
    })
    expect(stdout).toMatch(/^2 lanes: [\d.]+ contracts\/s, seal p50 \d+ then \d+ ms, 0 failed$/m)
    expect(stdout).toMatch(/^highest rate: [\d.]+ contracts\/s; the hour has [\d.]+\/s$/m)
    const minutes = stdout.match(
      /^minute \d: \d+ contracts, [\d.]+\/s; POST p50 .+, signature p50 .+, seal p50 .+; waiting \d+ seals, \d+ mails, \d+ outbox rows; .+, 0 failed; MB gateway \d+, .+$/gm,
    )
    expect(minutes).toHaveLength(2)
    const completed = Number(/^all: (\d+) contracts in \d+ s, [\d.]+\/s, 0 failed; [\d,]+ a day$/m.exec(stdout)?.[1])
    expect(completed).toBeGreaterThan(0)
    expect(stdout).toMatch(
      /^CPU ms of a contract: gateway [\d.]+, contract .+, signing .+, notification .+, Postgres .+, load generator [\d.]+; .+ cores busy$/m,
    )
    expect(stdout).toMatch(/^bytes of a contract: WAL [\d.]+ KB, with [\d.]+ whole pages; disk -?[\d.]+ KB before .+$/m)
    expect(stdout).toMatch(
      /^last 1 minutes ÷ first 1: rate .+ ×, p99 of POST .+ ×, p99 of signature .+ ×, p99 of seal .+ ×$/m,
    )
    expect(stdout.match(/^table \w+ \w+: [\d.]+ MB, \d+ rows, \d+ dead, \d+ vacuums$/gm)).toHaveLength(8)
  },
)

long(
  'the product benchmark runs by one command and prints every line of its table [docs/internal/performance.md]',
  async () => {
    const sizes = { BENCH_GETS: '50', BENCH_POSTS: '2', BENCH_ROUNDS: '1', BENCH_IDLE_SECONDS: '1' }
    const stdout = await bench('product', sizes)
    expect(stdout.match(/^(?:GET|POST): [\d.]+ × bare Koa \(\d+ of \d+ µs: .+\)$/gm)).toHaveLength(2)
    expect(stdout).toMatch(/^201 to both mails accepted, one after another: p50 \d+ ms, p99 \d+ ms$/m)
    expect(stdout).toMatch(/^memory after it: \d+ MB \(Pss: .+\)$/m)
    expect(stdout).toMatch(/^idle: [\d.]+ ms of CPU a second$/m)
  },
)
