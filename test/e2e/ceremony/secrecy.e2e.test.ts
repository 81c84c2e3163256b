// The values of a ceremony are stored only where they are required. Runs a whole ceremony, including failures, with unique values.
// Then searches every log, table, event, span, metric and file for each value, in plain text and in common encodings. During the
// ceremony, Postgres logs every statement, as an operator may configure it to find slow queries.
// [D16, D31, D42, D46, I14]
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox } from '../../harness/clients/api-client.js'
import { around, dump, filesBelow, inDatabase, dumpWhenIdle, writtenForms } from '../../harness/clients/canaries.js'
import {
  askForCode,
  createVisitor,
  formsOf,
  locationOf,
  signOn,
  type Visitor,
} from '../../harness/clients/ceremony-client.js'
import { createAccount } from '../../harness/stack/accounts.js'
import {
  DATABASES,
  makeDataFolder,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { startCollector, type Collector } from '../../harness/stack/otlp-collector.js'
import { readMetricTexts } from '../../harness/stack/prometheus-text.js'
import { until } from '../../harness/until.js'

const AGENT = 'Zebrafinch/7.1 (Perch)'
const PHRASE = 'The heron keeps the lock of the ninth canal.'
const PARTY = { role: 'Lockkeeper', legalName: 'Quillon Vantrease', email: 'quillon.v@canary-mailbox.test' }
const OTHER = { role: 'Boatman', legalName: 'Ysolde Brackenbury', email: 'ysolde.b@canary-mailbox.test' }
// Differs from the legal name in case and spaces, which the comparison of names ignores. [D26]
const TYPED = 'QUILLON  VANTREASE'
const STRANGER = 'nobody.here@canary-stranger.test'
/** An address that planted constraints of the database reject, which causes errors with this value. */
const REFUSED = 'provoked.failure@canary-mailbox.test'

const CONTRACT_ITSELF = ['contract.party.legal_name', 'contract.party.role', 'contract.party.email']
/** Value → the columns that may contain it, as `database.table.column`, with the reason. Every other place is an error. */
const MAY_BE_IN: Readonly<Record<string, readonly string[]>> = {
  // The contract service owns the parties. Disclosures are separate from the evidence chain, so that an erasure can delete them. [D30]
  'address of a party': [
    'contract.party.email',
    // The owner finds a contract by the address of a party. [D71]
    'contract.contract_word.word',
    'signing.evidence_opening.value',
    'signing.challenge.typed',
    ...mailboxes(),
  ],
  'legal name': [...CONTRACT_ITSELF, 'signing.evidence_opening.value'],
  role: [...CONTRACT_ITSELF, 'signing.evidence_opening.value'],
  'text of the contract': ['contract.contract.content'],
  // The attempt stores the typed name to show it again. A disclosure contains it for the commitment in the chain. [D26, D30]
  'typed name': ['signing.sign_attempt.typed_name', 'signing.evidence_opening.value'],
  'user agent': ['signing.evidence_opening.value'],
  // The service counts codes for strangers and for parties alike, so that all answers are the same. [D16]
  "stranger's address": ['signing.challenge.typed', ...mailboxes()],
  // The id of a challenge, its primary key, gives no access without a code.
  challenge: ['signing.challenge.id', 'signing.one_time_code.challenge_id'],
  'one-time code': [],
  'API key': [],
  'address that a rule refused': [],
  'share token': [],
  'session token': [],
  'form token': [],
  'form token in the session': [],
}

/** The columns with the addresses of parties and strangers, by which the service counts codes. [D16] */
function mailboxes(): string[] {
  return ['challenge', 'one_time_code', 'code_send', 'mailbox_guard', 'mailbox_session'].map(
    (table) => `signing.${table}.mailbox`,
  )
}

/** The values that mails may contain. */
const MAY_BE_MAILED = new Set(['address of a party', 'legal name', 'role', 'one-time code', 'share token'])

/** Settings of Postgres to log every statement and error without parameters. The stack sets `log_error_verbosity = terse`. [I14] */
const WRITE_DOWN = {
  log_min_duration_statement: '0',
  log_min_error_statement: 'error',
  log_min_messages: 'notice',
  log_parameter_max_length: '0',
}

let collector: Collector
let running: RunningStack
let api: ReturnType<typeof createApiClient>
let visitor: Visitor
let shareUrl: string
const canaries: { name: string; value: string }[] = []

beforeAll(async () => {
  collector = await startCollector()
  const environment = { LOG_LEVEL: 'trace', OTEL_METRICS_EXPORTER: 'otlp,prometheus', ...collector.environment }
  running = await startStack(await makeDataFolder(), environment)
  for (const database of DATABASES) {
    const settings = Object.entries(WRITE_DOWN).map(
      ([name, value]) => `alter database ${database} set ${name} = '${value}'`,
    )
    await inDatabase(running, database, (client) => client.query(settings.join(';')))
  }
  // Restarts the stack, because the settings apply to new connections only.
  await running.stop()
  running = await startStack(running.folder, environment)
  const { liveKey } = await createAccount(running.folder)
  see('API key', liveKey)
  api = createApiClient(running.stack.apiUrl, liveKey)
  visitor = createVisitor({ 'user-agent': AGENT })
  const { contract } = (
    await api.create({ contractType: 'nda', content: `LOCKS\n\n${PHRASE}`, parties: [PARTY, OTHER] })
  ).body
  shareUrl = contract.shareUrl
})
afterAll(async () => {
  visitor?.close()
  // The failing calls use `fetch` instead of the test client, which records receipts.
  await running?.close({ receipts: 'at least' })
  await collector?.close()
})

const see = (name: string, value: string | undefined): void => {
  if (!value) throw new Error(`There is no ${name}`)
  canaries.push({ name, value })
}

/** Adds a constraint to a table while `work` runs. The error of a violation contains the row. */
async function breakRule(database: Database, table: string, rule: string, work: () => Promise<unknown>): Promise<void> {
  await inDatabase(running, database, (client) =>
    client.query(`alter table ${table} add constraint provoked check (${rule}) not valid`),
  )
  await work()
  await inDatabase(running, database, (client) => client.query(`alter table ${table} drop constraint provoked`))
}

const everyUrl = (challenge: string): string[] =>
  [
    '',
    '?lang=fr',
    '?left=1',
    '?notice=session-ended',
    '/code',
    `/code/${challenge}`,
    '/code/nothing',
    '/resend',
    '/review',
    '/review?party=0',
    '/review?check=cookie',
    '/sign',
    '/done',
    '/done?party=0',
    '/contract.txt',
    '/leave',
    '/copy.pdf',
    '/evidence.jws',
    '/report',
  ].map((end) => `${shareUrl}${end}`)

/** The rows by table, from the result of `dump`, without the positions that each service advances every minute. [P40] */
const rowsOf = (found: ReadonlyMap<string, string[]>): Record<string, string[]> =>
  Object.fromEntries([...found].filter(([key]) => /^\w+\.(?!database_position$)[^.]+$/.test(key)))

/** Requests every URL 20 times with each method, without following redirects, like a link scanner. */
async function scan(scanner: Visitor, challenge: string, methods: readonly ('get' | 'head')[]): Promise<void> {
  for (const url of everyUrl(challenge))
    for (let time = 0; time < 20; time += 1) for (const method of methods) await scanner[method](url)
}

it('a link scanner that requests every URL 20 times with GET and HEAD causes no write [D31]', async () => {
  const mailbox = createMailbox(running.stack.mailboxUrl)
  await Promise.all([PARTY, OTHER].map(({ email }) => mailbox.waitFor(email, 'sign')))
  const page = await askForCode(visitor, shareUrl, STRANGER)
  const before = await dumpWhenIdle(running)
  const scanner = createVisitor({ 'user-agent': 'Mozilla/5.0 (compatible; SafeLinks)' })
  await scan(scanner, page.url.split('/').at(-1)!, ['get', 'head'])
  scanner.close()
  expect(rowsOf(await dumpWhenIdle(running))).toEqual(rowsOf(before))
})

it('page views in a session only record once that the text was shown [D31]', async () => {
  const mailbox = createMailbox(running.stack.mailboxUrl)
  const first = await visitor.get(shareUrl)
  see('form token', formsOf(first).find(({ action }) => action.endsWith('/code'))?.fields['formToken'])
  see('share token', shareUrl.split('/').at(-1))
  see("stranger's address", STRANGER)
  await askForCode(visitor, shareUrl, STRANGER)
  const page = await askForCode(visitor, shareUrl, PARTY.email)
  const challenge = page.url.split('/').at(-1)!
  see('challenge', challenge)
  const code = await mailbox.waitForCode(PARTY.email)
  see('one-time code', code)
  const verified = await visitor.submit(page, challenge, { code })
  expect(verified.headers.get('location')).toContain('/review?check=cookie')
  for (const [name, value] of visitor.cookies) if (name.includes('sign-')) see('session token', value.split('.').at(-1))

  const before = rowsOf(await dumpWhenIdle(running))
  await scan(visitor, challenge, ['head'])
  expectWithMessage(rowsOf(await dumpWhenIdle(running)), 'HEAD requests cause no write').toEqual(before)
  await scan(visitor, challenge, ['get'])
  const after = rowsOf(await dumpWhenIdle(running))
  const added = Object.keys(after).flatMap((table) => {
    const rows = after[table]!.filter((row) => !before[table]?.includes(row))
    return rows.length === 0 ? [] : [[table, rows.length, after[table]!.length - (before[table]?.length ?? 0)]]
  })
  expect(added).toEqual([
    // The chain has one more entry.
    ['signing.evidence_chain', 1, 0],
    ['signing.evidence_entry', 1, 1],
    ['signing.text_shown', 1, 1],
  ])
})

it('signing deletes a code when notification accepts it, and deletes an unsent code when the code expires [D42]', async () => {
  const sealed = () =>
    inDatabase(running, 'signing', async (client) => {
      const { rows } = await client.query<{ outcome: string | null; is_sealed: boolean }>(
        'select outcome, code_sealed is not null as is_sealed from code_send order by created_at',
      )
      return rows
    })
  const isWiped = { outcome: expect.stringMatching(/pushed|stranger/) as unknown as string, is_sealed: false }
  // The stranger asks again in the test before, which sends again if a minute has passed.
  const codes = await sealed()
  expect(codes.length).toBeGreaterThanOrEqual(2)
  expect(codes).toEqual(codes.map(() => isWiped))
  const delivered = await inDatabase(running, 'notification', (client) =>
    client.query("select 1 from delivery where kind = 'code' and sealed is not null"),
  )
  expect(delivered.rows).toEqual([])

  const { pids } = (await running.read())!
  process.kill(pids.notification, 'SIGSTOP')
  try {
    const guest = createVisitor()
    await askForCode(guest, shareUrl, OTHER.email)
    guest.close()
    expect(await sealed()).toContainEqual({ outcome: null, is_sealed: true })
    await inDatabase(running, 'signing', (client) =>
      client.query("update code_send set expires_at = now() - interval '1 second' where finished_at is null"),
    )
    await until('the expiry of an unsent code', async () =>
      (await sealed()).some(({ outcome, is_sealed }) => outcome === 'lapsed' && !is_sealed) ? true : undefined,
    )
  } finally {
    process.kill(pids.notification, 'SIGCONT')
  }
})

it('a party signs, with unique values', async () => {
  const review = await visitor.follow(await visitor.get(`${shareUrl}/review`))
  see('form token in the session', formsOf(review).find(({ action }) => action.endsWith('/sign'))?.fields['formToken'])
  see('user agent', AGENT)
  see('typed name', TYPED)
  see('legal name', PARTY.legalName)
  see('legal name', OTHER.legalName)
  see('role', PARTY.role)
  see('address of a party', PARTY.email)
  see('text of the contract', PHRASE)
  const signed = await signOn(visitor, review, TYPED)
  expect(locationOf(signed)).toContain('/done')
  const done = await visitor.follow(signed)
  await visitor.submit(done, '/leave')
  // Causes errors in the logs: a broken form, an unknown link, an unsupported method.
  await visitor.send('POST', `${shareUrl}/code`, undefined, { 'content-type': 'text/plain' })
  await visitor.get(`${shareUrl}x`)
  await visitor.send('DELETE', shareUrl)
  await dumpWhenIdle(running)
})

it('inserts, the handling of an event, and calls with a wrong path or key fail, with the values in their input', async () => {
  const { apiUrl } = running.stack
  const headers = { 'x-api-key': canaries.find(({ name }) => name === 'API key')!.value, 'user-agent': AGENT }
  const post = async (parties: object[]): Promise<number> => {
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    const body = JSON.stringify({ contractType: 'nda', content: PHRASE, parties })
    return (await fetch(`${apiUrl}/contracts`, { ...init, body })).status
  }
  see('address that a rule refused', REFUSED)
  await breakRule('contract', 'party', "email not like 'provoked%'", async () =>
    expect(await post([PARTY, { ...OTHER, email: REFUSED }])).toBe(500),
  )
  await breakRule('signing', 'challenge', "typed not like 'provoked%'", async () => {
    const guest = createVisitor({ 'user-agent': AGENT })
    expect((await askForCode(guest, shareUrl, REFUSED)).status).toBe(500)
    guest.close()
  })
  await breakRule('notification', 'delivery', 'party_index < 2', async () => {
    expect(await post([PARTY, OTHER, { ...PARTY, role: OTHER.role }])).toBe(201)
    await until('a dead letter', () =>
      inDatabase(running, 'notification', async (client) =>
        (await client.query('select 1 from dead_letter')).rows.length > 0 ? true : undefined,
      ),
    )
  })
  for (const target of [`/contracts/${PARTY.email}`, `/${PARTY.email}`, `/usage?key=${headers['x-api-key']}`])
    await fetch(`${apiUrl}${target}`, { headers })
  await fetch(`${apiUrl}/status`, { headers: { ...headers, 'x-api-key': `${headers['x-api-key']}x` } })
  await dumpWhenIdle(running)
})

it('each value is stored only in the allowed columns [D16, D30, D42, D46]', async () => {
  const found = [...(await dump(running))].filter(([key]) => key.split('.').length === 3)
  for (const { name, value } of canaries) {
    const form = writtenForms(name, value)
    const where = found.filter(([, texts]) => texts.some((text) => form.test(text))).map(([key]) => key)
    const allowed = MAY_BE_IN[name] ?? []
    expectWithMessage(
      where.filter((key) => !allowed.includes(key)),
      name,
    ).toEqual([])
    // Checks the search itself, which must find the stored values.
    if (allowed.length > 0) expectWithMessage(where, name).not.toEqual([])
  }
})

it('no log or other file contains any of the values [I14]', async () => {
  const files = await filesBelow(running.folder)
  files.set('the terminal', running.launched.output())
  const ours = [...files].filter(([path]) => !/\/(?:postgres|mail)\//.test(path))
  expectWithMessage(
    ours.filter(([path]) => path.endsWith('.log')).length,
    'the number of log files',
  ).toBeGreaterThanOrEqual(5)
  expect(ours.map(([, text]) => text).join('')).toContain('"contractId"')
  const [, postgresLog = ''] = ours.find(([path]) => path.endsWith('/logs/postgres.log')) ?? []
  expectWithMessage(postgresLog, 'Postgres logged statements').toMatch(/insert into [^]*party/)
  expectWithMessage(postgresLog, 'Postgres logged errors').toContain('violates check constraint')
  for (const { name, value } of canaries) {
    const form = writtenForms(name, value)
    expectWithMessage(
      ours.filter(([, text]) => form.test(text)).map(([path]) => path),
      name,
    ).toEqual([])
  }
})

it('no span and no metric contains any of the values [I14, D51]', async () => {
  await collector.whenExported(['gateway', 'contract', 'signing', 'notification'], 2)
  const names = new Set(collector.spans.map(({ name }) => name))
  for (const name of [
    'POST /contract/{shareToken}/code',
    'process contract.events.v1',
    'SMTP send',
    'pg.query:INSERT signing',
  ])
    expectWithMessage(names, 'the spans include the work of the ceremony').toContain(name)
  expectWithMessage(
    collector.spans.filter(({ hasFailed }) => hasFailed).map(({ name }) => name),
    'the spans include failed work',
  ).toEqual(expect.arrayContaining(['POST /contracts', 'process contract.events.v1', 'pg.query:INSERT signing']))
  const texts = Object.values(await readMetricTexts(running.folder))
  for (const text of texts)
    expectWithMessage(text, 'the text is from the Prometheus exporter').toContain('paraph_loop_age_seconds')
  for (const { name, value } of canaries) {
    const form = writtenForms(name, value)
    expectWithMessage(
      [...collector.received, ...texts].flatMap((each) => around(form.exec(each))),
      name,
    ).toEqual([])
  }
})

it('the mails contain codes and the share link, but no other secret [D42]', async () => {
  const mails = [...(await filesBelow(join(running.folder, 'mail')))].map(([, text]) =>
    // Decodes the parts of quoted-printable that these values need.
    text.replace(/=\r?\n/g, '').replaceAll('=3D', '='),
  )
  for (const { name, value } of canaries) {
    const form = writtenForms(name, value)
    const isMailed = mails.some((text) => form.test(text))
    if (!MAY_BE_MAILED.has(name) && name !== 'typed name') expectWithMessage(isMailed, name).toBe(false)
    if (name === 'one-time code' || name === 'share token') expectWithMessage(isMailed, name).toBe(true)
  }
})
