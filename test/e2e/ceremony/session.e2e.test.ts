// The permissions of a signing session, and the answers to forged forms, over HTTP. [D33, ceremony: headers]
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { pageSecretsSetting } from '@paraph/config/config'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createFormTokens } from '@paraph/web/form-token'
import { createApiClient, createMailbox } from '../../harness/clients/api-client.js'
import {
  askForCode,
  createVisitor,
  formsOf,
  locationOf,
  proveMailbox,
  signOn,
  type Visitor,
} from '../../harness/clients/ceremony-client.js'
import { until } from '../../harness/until.js'
import {
  databaseUrlOf,
  makeDataFolder,
  startStack,
  type Database,
  type RunningStack,
} from '../../harness/stack/local-stack.js'

const NAMES = ['anna', 'bert'] as const

let running: RunningStack
let contractCount = 0
beforeAll(async () => {
  running = await startStack(await makeDataFolder())
})
// A test writes an accepted attempt without a signature, to simulate another tab.
afterAll(() => running?.close({ planted: ['I5'] }))

async function makeLink() {
  contractCount += 1
  const [anna, bert] = NAMES.map((name) => `${name}.${contractCount}@example.test`) as [string, string]
  const parties = [anna, bert].map((email, at) => ({ role: 'Party', legalName: NAMES[at]!, email }))
  const { apiUrl, liveKey } = running.stack
  const api = createApiClient(apiUrl, liveKey)
  const { contract } = (await api.create({ contractType: 'nda', content: 'Secrets stay secret.', parties })).body
  return { ...contract, api, anna, bert }
}

const visitors: Visitor[] = []
function visit(): Visitor {
  const visitor = createVisitor()
  visitors.push(visitor)
  return visitor
}
afterEach(() => visitors.splice(0).forEach((visitor) => visitor.close()))

const prove = (visitor: Visitor, { shareUrl }: { shareUrl: string }, address: string) =>
  proveMailbox(visitor, shareUrl, address, running.stack.mailboxUrl)

const inDatabase = <T extends object>(name: Database, statement: string, values: unknown[] = []): Promise<T[]> =>
  withClient(databaseUrlOf(running.stack, name), async (client) => (await client.query<T>(statement, values)).rows)

describe('a session [D33]', () => {
  it('is a cookie per contract, inaccessible to scripts and other sites, and valid for a day', async () => {
    const visitor = visit()
    const one = await makeLink()
    const page = await askForCode(visitor, one.shareUrl, one.anna)
    const code = await createMailbox(running.stack.mailboxUrl).waitForCode(one.anna)
    const [cookie] = (await visitor.submit(page, /\/code\/[^/]+$/, { code })).headers.getSetCookie()
    const attributes = cookie!.split('; ')
    expect(attributes[0]).toMatch(new RegExp(`^sign-${one.id}=[\\w-]+\\.[\\w-]{43}$`))
    expect(attributes.slice(1).toSorted()).toEqual(['HttpOnly', 'Max-Age=86400', 'Path=/', 'SameSite=Lax'])

    const other = await makeLink()
    await prove(visitor, other, other.bert)
    expect((await visitor.get(`${one.shareUrl}/review`)).body).toContain('anna')
    expect((await visitor.get(`${other.shareUrl}/review`)).body).toContain('bert')
  })

  it('grants no access to another contract, even if the cookie is renamed for that contract', async () => {
    const [visitor, thief] = [visit(), visit()]
    const [one, other] = [await makeLink(), await makeLink()]
    await prove(visitor, one, one.anna)
    thief.cookies.set(`sign-${other.id}`, visitor.cookies.get(`sign-${one.id}`)!)
    expect(locationOf(await thief.get(`${other.shareUrl}/review`))).toBe(other.shareUrl)
  })

  it('ends with "Finish and leave", even for a visitor who kept the cookie', async () => {
    const visitor = visit()
    const link = await makeLink()
    const done = await visitor.follow(await signOn(visitor, await prove(visitor, link, link.anna), 'anna'))
    const kept = new Map(visitor.cookies)
    const left = await visitor.submit(done, '/leave')
    expect(locationOf(left)).toBe(`${link.shareUrl}?left=1`)
    expect([...visitor.cookies.keys()].filter((name) => name.startsWith('sign-'))).toEqual([])
    for (const [name, value] of kept) visitor.cookies.set(name, value)
    for (const path of ['/review', '/done', '/contract.txt'])
      expectWithMessage(locationOf(await visitor.get(`${link.shareUrl}${path}`)), path).toBe(link.shareUrl)
  })

  it('shows nothing and signs nothing after the link is closed', async () => {
    const visitor = visit()
    const link = await makeLink()
    const review = await prove(visitor, link, link.anna)
    await inDatabase('contract', "update contract set expires_at = now() - interval '1 second' where id = $1", [
      link.id,
    ])
    for (const path of ['', '/review', '/done', '/contract.txt'])
      expectWithMessage((await visitor.get(`${link.shareUrl}${path}`)).status, path).toBe(410)
    expect((await signOn(visitor, review, 'anna')).status).toBe(409)
    const answer = (await link.api.get(link.id)).body.contract
    expect([answer.status, answer.signingProgress.signed]).toEqual(['expired', 0])
  })

  it('signs for the parties of its own mailbox only', async () => {
    const visitor = visit()
    const link = await makeLink()
    const review = await prove(visitor, link, link.anna)
    const answer = await visitor.submit(review, '/sign', { partyIndex: '1', typedName: 'bert', consent: 'yes' })
    expect(locationOf(answer)).toBe(`${link.shareUrl}/review`)
    expect((await link.api.get(link.id)).body.contract.signingProgress.signed).toBe(0)
  })

  it('signs for nobody when the party is not written in digits [ceremony: six shapes]', async () => {
    const visitor = visit()
    const link = await makeLink()
    const review = await prove(visitor, link, link.anna)
    for (const partyIndex of ['', ' ', '+0', '0x0', '0.0', '-0']) {
      const answer = await visitor.submit(review, '/sign', { partyIndex, typedName: 'anna', consent: 'yes' })
      expectWithMessage(locationOf(answer), JSON.stringify(partyIndex)).toBe(`${link.shareUrl}/review`)
    }
    expect((await link.api.get(link.id)).body.contract.signingProgress.signed).toBe(0)
  })
})

describe('a browser that two people share', () => {
  it('gets a session for the mailbox that requested the code, which ends the session of the other person [D33]', async () => {
    const visitor = visit()
    const link = await makeLink()
    const bertsPage = await askForCode(visitor, link.shareUrl, link.bert)
    const bertsCode = await createMailbox(running.stack.mailboxUrl).waitForCode(link.bert)
    expect((await prove(visitor, link, link.anna)).body).toContain('anna')
    const annas = visitor.cookies.get(`sign-${link.id}`)
    expect((await visitor.get(bertsPage.url)).status).toBe(200)
    const wrong = await visitor.submit(bertsPage, /\/code\/[^/]+$/, {
      code: bertsCode === '000000' ? '111111' : '000000',
    })
    expect(wrong.status).toBe(422)
    const review = await visitor.follow(await visitor.submit(bertsPage, /\/code\/[^/]+$/, { code: bertsCode }))
    expect(review.body).toMatch(/You are signing as <strong>.*bert/s)
    expect(visitor.cookies.get(`sign-${link.id}`)).not.toBe(annas)
    const kept = visit()
    kept.cookies.set(`sign-${link.id}`, annas!)
    expect(locationOf(await kept.get(`${link.shareUrl}/review`))).toBe(link.shareUrl)
  })

  it('lets a person who is not the named party leave before signing [D33]', async () => {
    const visitor = visit()
    const link = await makeLink()
    const left = await visitor.follow(await visitor.submit(await prove(visitor, link, link.anna), '/leave'))
    expect(left.body).toContain('You have left this contract')
    expect(locationOf(await visitor.get(`${link.shareUrl}/review`))).toBe(link.shareUrl)
  })
})

describe('a page that is reloaded later', () => {
  it('says whether a code can work there, and asks for a new one if none can [D16]', async () => {
    const visitor = visit()
    const link = await makeLink()
    const first = await askForCode(visitor, link.shareUrl, link.anna)
    const second = await visitor.follow(await visitor.submit(first, '/resend'))
    expect(second.body).toContain('We have not sent another code')
    expect(second.body).not.toContain('we have sent it a one-time code')
    await inDatabase('signing', `update challenge set try_again_at = clock_timestamp() where scope = $1`, [link.id])
    for (const { url } of [first, second])
      expect((await visitor.get(url)).body).toContain('we have sent it a one-time code')
    await inDatabase('signing', `update one_time_code set expires_at = clock_timestamp() where scope = $1`, [link.id])
    const [expired, without] = [await visitor.get(first.url), await visitor.get(second.url)]
    expect(expired.body).toContain('This code has expired.')
    expect(without.body).toContain('We have not sent a code for this page.')
    for (const page of [expired, without])
      expect(formsOf(page).map(({ action }) => action)).toEqual([expect.stringMatching(/\/resend$/)])
  })

  it('does not say "You have not signed" if another tab has signed meanwhile [D41, I5]', async () => {
    const visitor = visit()
    const link = await makeLink()
    const review = await prove(visitor, link, link.anna)
    const otherText = { contentSha256: '0'.repeat(64), typedName: 'anna', consent: 'yes' }
    const before = await visitor.submit(review, '/sign', otherText)
    expect([before.status, before.body.includes('You have not signed.')]).toEqual([409, true])
    // Writes the state after a signature in another tab, just before the next query of the contract service.
    await inDatabase(
      'signing',
      `insert into sign_attempt (id, contract_id, party_index, session_id, state, typed_name, submitted_at, signed_at)
       select gen_random_uuid(), scope, 0, id, 'accepted', 'anna', clock_timestamp(), clock_timestamp()
         from mailbox_session where scope = $1`,
      [link.id],
    )
    const after = await visitor.submit(review, '/sign', otherText)
    expect([after.status, after.body.includes('You have not signed.')]).toEqual([503, false])
  })

  it('offers no signature, and says that the outcome is unknown, while an attempt has no answer [D41]', async () => {
    const visitor = visit()
    const link = await makeLink()
    const review = await prove(visitor, link, link.anna)
    const { fields } = formsOf(review).find(({ action }) => action.endsWith('/sign'))!
    await inDatabase(
      'signing',
      `insert into sign_attempt (id, contract_id, party_index, session_id, state, typed_name, submitted_at)
       select $1, scope, 0, id, 'submitted', 'anna', clock_timestamp() + interval '10 seconds'
         from mailbox_session where scope = $2 and ended_at is null`,
      [fields['signAttemptId'], link.id],
    )
    const again = await visitor.get(review.url)
    expect(again.status).toBe(503)
    expect(again.body).toContain('We do not know yet whether your signature was recorded.')
    await inDatabase(
      'signing',
      `update sign_attempt set submitted_at = submitted_at - interval '2 hours' where id = $1`,
      [fields['signAttemptId']],
    )
    const form = await until('the form, after no attempt is open', async () => {
      const page = await visitor.get(review.url)
      return page.status === 200 ? page : undefined
    })
    expect(formsOf(form).find(({ action }) => action.endsWith('/sign'))!.fields['signAttemptId']).not.toBe(
      fields['signAttemptId'],
    )
  })
})

describe('a posted form [ceremony: headers]', () => {
  const challenges = async (contractId: string) =>
    (await inDatabase('signing', 'select 1 from challenge where scope = $1', [contractId])).length

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'null' }, 403],
    ['another subdomain of our site', { 'sec-fetch-site': 'same-site' }, 403],
    ['another site in an old browser', { origin: 'https://evil.example' }, 403],
    ['our page, which sends the origin null', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 303],
    ['an old browser that sends only the origin null', { origin: 'null' }, 403],
    ['an old browser that sends no such header', {}, 303],
  ])('is accepted or refused according to its origin: %s', async (_, headers, status) => {
    const visitor = visit()
    const link = await makeLink()
    const [form] = formsOf(await visitor.get(link.shareUrl))
    const fields = { ...form!.fields, email: link.anna }
    const more = headers as Record<string, string>
    expect((await visitor.post(`${link.shareUrl}/code`, fields, more)).status).toBe(status)
    expect(await challenges(link.id)).toBe(status === 303 ? 1 : 0)
  })

  it('without a valid form token is shown again with the typed values, and can then be submitted', async () => {
    const visitor = visit()
    const link = await makeLink()
    const other = await makeLink()
    const token = link.shareUrl.split('/').at(-1)!
    const { pageSecret } = JSON.parse(await readFile(join(running.folder, 'secrets.json'), 'utf8')) as {
      pageSecret: string
    }
    const tokens = createFormTokens(pageSecretsSetting.parse(pageSecret))
    const hoursAgo = (hours: number) => tokens.issue(token, new Date(Date.now() - hours * 3_600_000))
    const [foreign] = formsOf(await visitor.get(other.shareUrl))
    const unfit = ['', 'p1.~.x', foreign!.fields['formToken']!, hoursAgo(26)]
    for (const formToken of unfit) {
      const page = await visitor.post(`${link.shareUrl}/code`, { formToken, email: link.anna })
      expect(page.status).toBe(422)
      expect(formsOf(page)[0]!.fields).toMatchObject({ email: link.anna })
      expect(await challenges(link.id)).toBe(0)
    }
    expect((await visitor.post(`${link.shareUrl}/code`, { formToken: hoursAgo(23), email: link.bert })).status).toBe(
      303,
    )

    const again = await visitor.post(`${link.shareUrl}/code`, { formToken: hoursAgo(26), email: link.anna })
    const codePage = await visitor.follow(await visitor.submit(again, '/code'))
    for (const formToken of unfit) {
      const page = await visitor.submit(codePage, /\/code\/[^/]+$/, { formToken, code: '123 456' })
      expect([page.status, formsOf(page)[0]!.fields['code']]).toEqual([422, '123 456'])
      expect((await visitor.submit(codePage, '/resend', { formToken })).status).toBe(422)
    }
    expect(await challenges(link.id)).toBe(2)
    const code = await createMailbox(running.stack.mailboxUrl).waitForCode(link.anna)
    const page = await visitor.submit(codePage, /\/code\/[^/]+$/, { formToken: hoursAgo(26), code })
    expect((await visitor.submit(page, /\/code\/[^/]+$/)).headers.get('location')).toContain('/review')
  })

  it('of a session needs the form token of this session', async () => {
    const [anna, bert] = [visit(), visit()]
    const link = await makeLink()
    const [open] = formsOf(await anna.get(link.shareUrl))
    const review = await prove(anna, link, link.anna)
    const othersReview = await prove(bert, link, link.bert)
    const othersToken = formsOf(othersReview).find(({ action }) => action.endsWith('/sign'))!.fields['formToken']!
    const signing = { typedName: 'anna', consent: 'yes' }
    for (const formToken of ['', open!.fields['formToken']!, othersToken]) {
      expect((await anna.submit(review, '/sign', { ...signing, formToken })).status).toBe(403)
      await anna.post(`${link.shareUrl}/leave`, { formToken })
    }
    const { fields } = formsOf(review).find(({ action }) => action.endsWith('/sign'))!
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await anna.post(`${link.shareUrl}/sign`, { ...fields, ...signing }, foreign)).status).toBe(403)
    expect((await link.api.get(link.id)).body.contract.signingProgress.signed).toBe(0)
    expectWithMessage(locationOf(await signOn(anna, review, 'anna')), 'the session is still valid').toBe(
      `${link.shareUrl}/done`,
    )
  })
})
