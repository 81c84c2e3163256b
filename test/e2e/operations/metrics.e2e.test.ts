// A running stack emits exactly the metrics of metric-list.ts. [I14, docs/reference/metrics.md]
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { LIBRARY_METRICS, METRICS, prometheusName, type Metric, type Source } from '@paraph/telemetry/metric-list'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox } from '../../harness/clients/api-client.js'
import { inDatabase } from '../../harness/clients/canaries.js'
import { askForCode, createVisitor, signOn } from '../../harness/clients/ceremony-client.js'
import { whenInvited } from '../../harness/clients/invited.js'
import { makeDataFolder, paraphJson, startStack, type RunningStack } from '../../harness/stack/local-stack.js'
import { internalUrls, readMetricTexts, readSeries, type Series } from '../../harness/stack/prometheus-text.js'
import { until } from '../../harness/until.js'

const PARTIES = [
  { role: 'Buyer', legalName: 'Ada Byron', email: 'ada@metrics.test' },
  { role: 'Seller', legalName: 'Mary Somerville', email: 'mary@metrics.test' },
]
/** Metrics of the list that this stack does not emit, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'paraph.code.withheld': 'only beyond 200 codes in an hour to mailboxes without an account',
  'paraph.invariant.violations': 'only `paraph verify invariants` exports it, over OTLP',
  'paraph.object_store.duration': 'only with OBJECT_STORE_URL',
  'paraph.webhook.attempts': 'only with a webhook endpoint',
  'otel.sdk.processor.span.processed': 'no collector, no spans',
}
const LISTED = Object.entries<Metric>({ ...METRICS, ...LIBRARY_METRICS })
const SUFFIXES = ['', '_bucket', '_sum', '_count']
const labelOf = (attribute: string): string => attribute.replace(/[^A-Za-z0-9]+/g, '_')

let running: RunningStack

beforeAll(async () => {
  running = await startStack(await makeDataFolder(), {
    OTEL_METRICS_EXPORTER: 'prometheus',
    WINDOW_STORE: 'postgres',
    // With the default of 25 ms, the store is rarely too slow, so the metrics of the fallback would be missing.
    WINDOW_STORE_MS_MAX: '1',
  })
  await inDatabase(running, 'gateway', (client) => client.query('update tier set sandbox_monthly_quota = 1'))
})
afterAll(async () => running?.close({ receipts: 'at least' }))

const readAll = async (): Promise<Record<string, Series[]>> =>
  Object.fromEntries(
    Object.entries(await readMetricTexts(running.folder)).map(([service, text]) => [service, readSeries(text)]),
  )

it('the services emit every metric of the list [docs/reference/metrics.md]', async () => {
  const { apiUrl, liveKey, testKey, mailboxUrl } = running.stack
  const body = { contractType: 'nda', content: 'We agree.', parties: PARTIES }
  const { contract } = (await createApiClient(apiUrl, liveKey).create(body)).body
  // The second call exceeds the sandbox quota.
  for (let time = 0; time < 2; time += 1) await createApiClient(apiUrl, testKey).create(body)
  await fetch(`${apiUrl}/contracts/${contract.id}`)
  const mailbox = createMailbox(mailboxUrl)
  for (const { email, legalName } of PARTIES) {
    const party = createVisitor()
    const page = await askForCode(party, contract.shareUrl, email)
    const challenge = page.url.split('/').at(-1)!
    await party.submit(page, challenge, { code: '000000' })
    const review = await party.submit(page, challenge, { code: await mailbox.waitForCode(email) })
    await signOn(party, await party.follow(review), legalName)
    party.close()
  }
  const owner = createVisitor()
  const codePage = await owner.submit(await owner.get(`${new URL(apiUrl).origin}/console/sign-in`), '/sign-in', {
    email: PARTIES[0]!.email,
  })
  await owner.submit(await owner.follow(codePage), /\/sign-in\/[^/]+$/, { code: '00000000' })
  owner.close()
  // The revocation causes an event of the gateway.
  const { keys } = await paraphJson<{ keys: { id: string; environment: string }[] }>(running.folder, 'key', 'list')
  await paraphJson(running.folder, 'key', 'revoke', keys.find(({ environment }) => environment === 'sandbox')!.id)
  const wanted = (['gateway', 'contract', 'signing', 'notification'] as const).flatMap((service) =>
    LISTED.filter(([name, { sources }]) => sources.includes(service satisfies Source) && !(name in ELSEWHERE)).map(
      ([name, metric]) => `${service} ${prometheusName(name, metric)}`,
    ),
  )
  let missing: string[] = []
  const isComplete = async () => {
    await fetch(`${apiUrl}/status`, { headers: { 'x-api-key': liveKey } })
    const found = new Set(
      Object.entries(await readAll()).flatMap(([service, series]) =>
        series.map(({ name }) => `${service} ${name.replace(/_count$/, '')}`),
      ),
    )
    missing = wanted.filter((each) => !found.has(each))
    return missing.length === 0 ? true : undefined
  }
  await until('everything on the list', isComplete).catch(() => expect(missing).toEqual([]))
})

it('the services emit no metric and no attribute that is not on the list [I14]', async () => {
  for (const [service, series] of Object.entries(await readAll())) {
    const known = new Map(
      LISTED.filter(([, { sources }]) => (sources as readonly string[]).includes(service)).flatMap(([name, metric]) =>
        SUFFIXES.map((suffix) => [`${prometheusName(name, metric)}${suffix}`, metric] as const),
      ),
    )
    expect([...new Set(series.map(({ name }) => name))].filter((name) => !known.has(name))).toEqual([])
    for (const { name, labels } of series) {
      const allowed = ['le', 'service_name', ...Object.keys(known.get(name)!.attributes).map(labelOf)]
      expectWithMessage(
        Object.keys(labels).filter((each) => !allowed.includes(each)),
        name,
      ).toEqual([])
      expect(labels['service_name']).toBe(service)
    }
  }
})

it('the emitted values are correct [docs/reference/metrics.md]', async () => {
  const all = Object.values(await readAll()).flat()
  const sum = (name: string, labels: Record<string, string> = {}): number =>
    all
      .filter(
        (each) => each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
      )
      .reduce((total, { value }) => total + value, 0)
  expect(sum('paraph_contract_transitions_total', { paraph_to: 'signed' })).toBe(1)
  expect(sum('paraph_contract_transitions_total', { paraph_from: 'none' })).toBe(2)
  expect(sum('paraph_quota_refusals_total', { paraph_environment: 'sandbox' })).toBe(1)
  expect(sum('paraph_auth_failures_total', { paraph_reason: 'missing' })).toBe(1)
  expect(sum('paraph_code_checks_total', { paraph_outcome: 'verified' })).toBe(2)
  expect(sum('paraph_code_checks_total', { paraph_outcome: 'wrong' })).toBe(3)
  expect(sum('paraph_email_attempts_total', { paraph_kind: 'invitation', paraph_outcome: 'accepted' })).toBe(4)
  expect(sum('paraph_email_relay_up')).toBe(1)
  expect(sum('paraph_database_up')).toBe(4)
  expect(sum('paraph_dead_letters')).toBe(0)
  const ways = new Set(
    all
      .filter(({ name }) => name === 'http_server_request_duration_seconds_count')
      .map(({ labels }) => labels['http_route']),
  )
  expect([...ways]).toEqual(
    expect.arrayContaining(['/api/external/v2/contracts', '/contract/{shareToken}/code/{challenge}']),
  )
})

it('the metrics separate long polls from reads, and have a bucket of reads below 200 ms [D22]', async () => {
  const { apiUrl, liveKey } = running.stack
  const client = createApiClient(apiUrl, liveKey)
  const { contract } = (await client.create({ contractType: 'nda', content: 'We agree.', parties: PARTIES })).body
  const read = async (more: Record<string, string> = {}) => {
    const answer = await fetch(`${apiUrl}/contracts/${contract.id}`, { headers: { 'x-api-key': liveKey, ...more } })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  // Nothing changes the contract any more, so the long poll lasts its full second.
  const { headers } = await whenInvited(read)
  const answer = await read({ 'if-none-match': headers.get('etag') ?? '', prefer: 'wait=1' })
  expect(answer.status).toBe(304)
  const durations = (await readAll())['gateway']!.filter(({ name }) => name.startsWith('http_server_request_duration'))
  const ofRoute = (route: string, name: string, le?: string): number =>
    durations
      .filter((each) => each.labels['http_route'] === route && each.name.endsWith(name) && each.labels['le'] === le)
      .reduce((total, { value }) => total + value, 0)
  const reading = '/api/external/v2/contracts/{id}'
  expect(ofRoute(`${reading}/wait`, '_count')).toBe(1)
  expect(ofRoute(`${reading}/wait`, '_sum')).toBeGreaterThan(0.9)
  expect(ofRoute(reading, '_bucket', '0.2')).toBeGreaterThan(0)
})

it('the metrics are available only on the internal port [D45]', async () => {
  const origin = new URL(running.stack.apiUrl).origin
  expect((await fetch(`${origin}/metrics`)).status).toBe(404)
  const { gateway } = await internalUrls(running.folder)
  expect((await fetch(`${gateway}/metrics`)).headers.get('content-type')).toMatch(/^text\/plain/)
})

it('a full connection pool appears as waiting queries, not as a database outage [docs/reference/metrics.md]', async () => {
  const { apiUrl, liveKey } = running.stack
  const { contract } = (
    await createApiClient(apiUrl, liveKey).create({ contractType: 'nda', content: 'We agree.', parties: PARTIES })
  ).body
  const log = join(running.folder, 'logs', 'contract.log')
  const valueOf = async (wanted: string) =>
    (await readAll())['contract']!.find(
      ({ name, labels }) => name === wanted && (labels['paraph_pool'] ?? 'main') === 'main',
    )?.value
  await inDatabase(running, 'contract', async (holder) => {
    await holder.query('begin')
    // Locks a table that reads of contracts use and the queries of the metrics do not.
    await holder.query('lock table party in access exclusive mode')
    const calls: Promise<unknown>[] = []
    const caller = setInterval(() => {
      const call = fetch(`${apiUrl}/contracts/${contract.id}`, { headers: { 'x-api-key': liveKey } })
      calls.push(call.then((answer) => answer.body?.cancel()))
    }, 250)
    try {
      await until(
        'a failed read of the metrics of the tables',
        async () => ((await readFile(log, 'utf8')).includes('database-backed metrics are stale') ? true : undefined),
        90_000,
      )
      expect(await valueOf('paraph_database_waiting')).toBeGreaterThan(0)
      expect(await valueOf('paraph_database_up')).toBe(1)
    } finally {
      clearInterval(caller)
    }
    await holder.query('rollback')
    await Promise.all(calls)
  })
})
