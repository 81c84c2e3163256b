// A stranger with the link cannot learn from any answer whether an address belongs to a party: status, headers, body and time are the same
// for parties and strangers, in every state. [D16, ceremony 2w]
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { elementAt } from '@paraph/protocol/element-at'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient } from '../../harness/clients/api-client.js'
import {
  createVisitor,
  formsOf,
  locationOf,
  type PageAnswer,
  type Visitor,
} from '../../harness/clients/ceremony-client.js'
import { createAccount } from '../../harness/stack/accounts.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraph,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { print } from '../../harness/print.js'
import { median, slowerShare, slowerShareWith, type Pair } from '../../harness/clients/timing-pairs.js'
import { until } from '../../harness/until.js'

/** The number of contracts. Each has only two pairs of addresses, because a contract limits the number of codes. */
const LINKS = 100
const SHARE_MIN = 0.4
const SHARE_MAX = 0.6

interface Link {
  url: string
  /** Shared by links: together they send more forms in a minute than one client may. [P26] */
  visitor: Visitor
  formToken: string
}

interface Address {
  email: string
  challenge: string
}

/** An address of a party, and an address of a stranger. */
interface Both {
  link: Link
  party: Address
  stranger: Address
}

let running: RunningStack
let visitors: Visitor[]
let signing: pg.Client
let pairs: Both[]
let accountId: string

beforeAll(async () => {
  running = await startStack(await makeDataFolder())
  visitors = Array.from({ length: 25 }, (_, n) => createVisitor({}, undefined, `127.0.0.${n + 2}`))
  signing = new pg.Client({ connectionString: databaseUrlOf(running.stack, 'signing') })
  await signing.connect()
  pairs = await makePairs()
  // Warms up, because the first calls are slow, and creates the state from which all tests start.
  for (const { link, party, stranger } of pairs) {
    for (const address of [party, stranger]) {
      const [answer] = await ask(link, address)
      address.challenge = locationOf(answer!).split('/').at(-1)!
    }
  }
  await mailsAreOut()
  await signing.query(`create schema saved;
    create table saved.challenge as table challenge;
    create table saved.one_time_code as table one_time_code;
    create table saved.code_send as table code_send;`)
})
afterAll(async () => {
  for (const visitor of visitors ?? []) visitor.close()
  await signing?.end()
  await running?.close()
})

async function makePairs(): Promise<Both[]> {
  const account = await createAccount(running.folder)
  accountId = account.accountId
  const api = createApiClient(running.stack.apiUrl, account.liveKey)
  const pairs: Both[] = []
  for (let n = 100; n < 100 + LINKS; n += 1) {
    const names = ['buyer', 'maker']
    const parties = names.map((name) => ({ role: 'Party', legalName: name, email: `${name}${n}@example.test` }))
    const { contract } = (await api.create({ contractType: 'nda', content: 'Secrets stay secret.', parties })).body
    // Avoids name resolution, which takes time. The gateway listens on IPv4 only.
    const url = contract.shareUrl.replace('localhost', '127.0.0.1')
    const visitor = elementAt(visitors, n % visitors.length)
    const [form] = formsOf(await visitor.get(url))
    const link = { url, visitor, formToken: form!.fields['formToken']! }
    // The stranger's address is as long as the party's, so that the lengths of the pages are equal.
    for (const { email } of parties)
      pairs.push({ link, party: { email, challenge: '' }, stranger: { email: `x${email.slice(1)}`, challenge: '' } })
  }
  await mailsAreOut()
  return pairs
}

async function mailsAreOut(): Promise<void> {
  const notification = new pg.Client({ connectionString: databaseUrlOf(running.stack, 'notification') })
  await notification.connect()
  await until('every mail to be sent', async () => {
    const { rows } = await notification.query("select 1 from delivery where state = 'due' limit 1")
    const waiting = await signing.query(
      'select 1 from code_send where finished_at is null and recipient is not null limit 1',
    )
    return rows.length === 0 && waiting.rows.length === 0 ? true : undefined
  })
  await notification.end()
}

/** Sends the requests of one kind for one address. @returns all answers */
type Act = (link: Link, address: Address) => Promise<PageAnswer[]>

const ask: Act = async (link, { email }) =>
  redirected(link, await link.visitor.post(`${link.url}/code`, { email, formToken: link.formToken }))
const openCodePage: Act = async (link, address) => [await link.visitor.get(`${link.url}/code/${address.challenge}`)]
const typeCode =
  (code: string): Act =>
  async (link, address) => [
    await link.visitor.post(`${link.url}/code/${address.challenge}`, { code, formToken: link.formToken }),
  ]
const resend: Act = async (link, { challenge }) =>
  redirected(link, await link.visitor.post(`${link.url}/resend`, { challenge, formToken: link.formToken }))

/** Follows a redirect immediately, like a browser. @returns the redirect and the page */
async function redirected({ visitor }: Link, answer: PageAnswer): Promise<PageAnswer[]> {
  return answer.status === 303 ? [answer, await visitor.get(locationOf(answer))] : [answer]
}

/** Replaces all values in an answer that differ between any two addresses. */
function bare({ status, headers, body, url }: PageAnswer, link: Link, { email }: Address) {
  const strip = (text: string) =>
    text
      .replaceAll(email, '[address]')
      .replaceAll(encodeURIComponent(email), '[address]')
      .replaceAll(link.url.split('/').at(-1)!, '[token]')
      .replace(/\/code\/[\w-]{22}/g, '/code/[challenge]')
      .replace(/(name="challenge" value=")[\w-]+/g, '$1[challenge]')
      .replace(/(name="formToken" value=")[\w.~-]+/g, '$1[form]')
  const kept: string[] = []
  headers.forEach((value, name) => {
    // Omits the id of the call, and the seconds of Retry-After, which may differ between two calls. `measure` compares the seconds.
    if (['retry-after', 'paraph-request-id'].includes(name)) kept.push(name)
    else if (name !== 'date') kept.push(`${name}: ${strip(value)}`)
  })
  return { url: strip(url), status, headers: kept, body: strip(body) }
}

const waitSecondsOf = ({ headers }: PageAnswer): number => Number(headers.get('retry-after') ?? 0)

/** Acts on all links, for party and stranger in random order, and compares the answers. @returns pairs of times for each answer of `act` */
async function measure(act: Act, statuses: number[]): Promise<Pair[][]> {
  const measured: Pair[][] = statuses.map(() => [])
  for (const { link, party, stranger } of pairs) {
    const isPartyFirst = Math.random() < 0.5
    const first = await act(link, isPartyFirst ? party : stranger)
    const second = await act(link, isPartyFirst ? stranger : party)
    const [ofParty, ofStranger] = isPartyFirst ? [first, second] : [second, first]
    expect(ofStranger.map((answer) => bare(answer, link, stranger))).toEqual(
      ofParty.map((answer) => bare(answer, link, party)),
    )
    expect(ofParty.map(({ status }) => status)).toEqual(statuses)
    for (const [at, answer] of ofParty.entries())
      expect(Math.abs(waitSecondsOf(answer) - waitSecondsOf(ofStranger[at]!))).toBeLessThanOrEqual(2)
    measured.forEach((of, at) => of.push({ one: ofParty[at]!.ms, other: ofStranger[at]!.ms }))
  }
  return measured
}

/** The initial state: each address requested a code five minutes ago, and the code is valid for five more minutes. */
const AS_ASKED_ONCE = `
  truncate challenge, one_time_code, code_send, mailbox_guard;
  insert into challenge select * from saved.challenge;
  insert into one_time_code select * from saved.one_time_code;
  insert into code_send select * from saved.code_send;
  update challenge set created_at = now() - interval '5 minutes', client_hmac = decode(md5(id), 'hex');
  update one_time_code set created_at = now() - interval '5 minutes', expires_at = now() + interval '5 minutes';
  update code_send set created_at = now() - interval '5 minutes', expires_at = now() + interval '5 minutes';`

const NOBODY_ASKED = 'truncate challenge, one_time_code, code_send, mailbox_guard;'

/** Adds a sent code for each of `minutes`, sent that many minutes ago. */
const sentBefore = (...minutes: number[]): string => `
  insert into code_send (id, scope, mailbox, recipient, code_key_id, created_at, expires_at, finished_at, outcome)
    select gen_random_uuid(), scope, mailbox, recipient, code_key_id, now() - make_interval(mins => m), now(), now(), outcome
      from code_send, unnest(array[${minutes.join(',')}]) m;`

const guard = (wrongInRow: number, digits: number): string => `
  insert into mailbox_guard select scope, mailbox, ${wrongInRow}, ${digits} from challenge;`

/** Stops the pushing of codes to notification, which would make the measured times less exact. */
const HOLD_PUSHES = `
  create or replace function hold() returns trigger language plpgsql as
    $$ begin return null; end $$;
  create or replace trigger hold before update of leased_until on code_send for each row execute function hold();`
const RELEASE_PUSHES = 'drop trigger if exists hold on code_send;'
/** Marks all unsent codes as expired, because sending them would disturb the measurement of the next state. */
const PUSH_NO_MORE = `
  update code_send set finished_at = now(), outcome = 'lapsed', code_sealed = null where finished_at is null;`

interface State {
  name: string
  sql: string
  act: Act
  /** The expected status of each answer. */
  statuses: number[]
}

const WRONG = '000000'
const STATES: State[] = [
  { name: 'a code is requested for the first time', sql: NOBODY_ASKED, act: ask, statuses: [303, 200] },
  {
    name: 'a code is requested for the first time, without the push to notification',
    sql: NOBODY_ASKED + HOLD_PUSHES,
    act: ask,
    statuses: [303, 200],
  },
  { name: 'a code is requested again after five minutes', sql: HOLD_PUSHES, act: ask, statuses: [303, 200] },
  { name: 'a new code is requested on the code page', sql: HOLD_PUSHES, act: resend, statuses: [303, 200] },
  {
    name: 'a code is requested again within a minute',
    sql: 'update code_send set created_at = now();',
    act: ask,
    statuses: [303, 200],
  },
  {
    name: 'a new code is requested on the code page within a minute',
    sql: 'update code_send set created_at = now();',
    act: resend,
    statuses: [303, 200],
  },
  { name: 'five codes were sent within an hour', sql: sentBefore(10, 15, 20, 25), act: ask, statuses: [303, 200] },
  {
    name: 'ten codes were sent within a day',
    sql: sentBefore(90, 150, 210, 270, 330, 390, 450, 510, 570),
    act: ask,
    statuses: [303, 200],
  },
  {
    name: 'the contract has sent its maximum of codes',
    sql: `${NOBODY_ASKED}
      insert into code_send (id, scope, mailbox, recipient, code_key_id, created_at, expires_at, finished_at, outcome)
        select gen_random_uuid(), scope, 'other@example.test', '1', 'k1', now() - make_interval(mins => m), now(), now(), 'pushed'
          from (select distinct scope from saved.code_send) c, generate_series(11, 40) m;`,
    act: ask,
    statuses: [303, 200],
  },
  { name: 'the code page is opened', sql: '', act: openCodePage, statuses: [200] },
  ...[5, 4, 3, 2, 1].map((left) => ({
    name: `a wrong code with ${left} tries left`,
    sql: `update challenge set tries_left = ${left}; ${guard(5 - left, 6)}`,
    act: typeCode(WRONG),
    statuses: [left === 1 ? 429 : 422],
  })),
  {
    name: 'a code after the last try',
    sql: 'update challenge set tries_left = 0;',
    act: typeCode(WRONG),
    statuses: [429],
  },
  {
    name: 'a code after the last try, and no further code allowed',
    sql: `update challenge set tries_left = 0, send_refusal = 'used_up', try_again_at = now() + interval '30 minutes';`,
    act: async (link, address) => [...(await typeCode(WRONG)(link, address)), ...(await openCodePage(link, address))],
    statuses: [429, 429],
  },
  { name: 'a malformed code', sql: '', act: typeCode('12345'), statuses: [422] },
  {
    name: 'a wrong code when the code has expired',
    sql: `update one_time_code set expires_at = now() - interval '1 minute';`,
    act: typeCode(WRONG),
    statuses: [422],
  },
  { name: 'the hundredth wrong code', sql: guard(99, 6), act: typeCode(WRONG), statuses: [422] },
  { name: 'a wrong code of twelve digits', sql: guard(100, 12), act: typeCode('000000000000'), statuses: [422] },
  { name: 'six digits where twelve are required', sql: guard(100, 12), act: typeCode(WRONG), statuses: [422] },
  { name: 'a new code of twelve digits', sql: guard(100, 12) + HOLD_PUSHES, act: resend, statuses: [303, 200] },
  {
    name: 'a client that requested 600 codes',
    sql: `insert into challenge (id, scope, mailbox, typed, client_hmac, is_resend)
      select 'filler-' || n || id, scope, mailbox, typed, client_hmac, false
        from (select distinct on (client_hmac) * from saved.challenge) c, generate_series(1, 600) n;`,
    act: ask,
    statuses: [429],
  },
]

it.each(STATES)('the answers for a party and for a stranger are the same in this state: $name [D16]', (state) =>
  compare(state),
)

it('the answers for a party and for a stranger are the same while the notification service is unavailable [D16, D32]', async () => {
  const { pids } = (await running.read())!
  await signing.query(AS_ASKED_ONCE)
  const { link, stranger } = pairs[0]!
  process.kill(pids.notification, 'SIGSTOP')
  try {
    await until('a page that reports slow mail', async () =>
      (await link.visitor.get(`${link.url}/code/${stranger.challenge}`)).body.includes('Email is slow')
        ? true
        : undefined,
    )
    await compare({
      name: 'a code is requested while notification is unavailable',
      sql: NOBODY_ASKED,
      act: ask,
      statuses: [303, 200],
    })
  } finally {
    process.kill(pids.notification, 'SIGCONT')
  }
})

it('the answers for a party and for a stranger are the same for a suspended link [D16, D37]', async () => {
  await paraph(running.folder, 'account', 'suspend', accountId)
  const { link, stranger } = pairs[0]!
  await until('a suspended link', async () => ((await link.visitor.get(link.url)).status === 403 ? true : undefined))
  await signing.query(AS_ASKED_ONCE)
  await until('mail that is no longer slow', async () =>
    (await link.visitor.get(`${link.url}/code/${stranger.challenge}`)).body.includes('Email is slow')
      ? undefined
      : true,
  )
  await compare({ name: 'a suspended link', sql: NOBODY_ASKED + HOLD_PUSHES, act: ask, statuses: [303, 200] })
})

/** Measures a state. If the share of slower answers is out of range, measures once more, and fails if it is out of range again. */
async function compare(state: State): Promise<void> {
  const first = await round(state)
  const outside = isOutside(first)
  if (!outside.includes(true)) return
  const second = isOutside(await round(state))
  expectWithMessage(
    outside.map((was, at) => was && second[at]),
    'answers that were slower for a party, or for a stranger, in both measurements',
  ).toEqual(outside.map(() => false))
}

async function round({ name, sql, act, statuses }: State): Promise<Pair[][]> {
  await signing.query(RELEASE_PUSHES + AS_ASKED_ONCE + sql)
  const measured = await measure(act, statuses)
  await signing.query(RELEASE_PUSHES + PUSH_NO_MORE)
  await mailsAreOut()
  const described = measured.map((of) => {
    const ms = `${median(of.map(({ one }) => one)).toFixed(1)} and ${median(of.map(({ other }) => other)).toFixed(1)} ms`
    return `${slowerShare(of).toFixed(2)} (${ms}; with 1 ms more: ${slowerShareWith(of, 1).toFixed(2)})`
  })
  print(`${name}: ${described.join(', ')}`)
  return measured
}

const isOutside = (rounds: Pair[][]): boolean[] =>
  rounds.map((pairs) => {
    const share = slowerShare(pairs)
    return share < SHARE_MIN || share > SHARE_MAX
  })
