// Owners and operators sign in at a real OpenID Connect provider, oidc-provider in a process of its own. [D73]
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestGateway, type TestGateway } from '../../../test/gateway-fixture.js'
import { createConsoleVisitor, type Answer, type ConsoleVisitor } from '../../../test/console-fixture.js'
import {
  createProviderVisitor,
  settingsFor,
  startIdentityProvider,
  type IdentityProvider,
  type ProviderPerson,
} from '../../../test/identity-provider-fixture.js'
import type { IssuerKind } from './settings.js'

const BASE = 'http://sign.test'
const OPERATOR_PAGE = '/console/operator/accounts'
const BY_CODE = 'operator@example.test'

let provider: IdentityProvider
let gateway: TestGateway
/** Without sign-in by code, and with an operators' client that gets no refresh tokens. */
let strict: TestGateway
beforeAll(async () => {
  provider = await startIdentityProvider(BASE)
  const settings = settingsFor(provider.issuer)
  const strictSettings = { OIDC_OWNERS_CODES: 'off', OIDC_OPERATORS_CLIENT_ID: 'paraph-without-refresh' } as const
  ;[gateway, strict] = await Promise.all([
    startTestGateway({ ...settings, OPERATOR_EMAILS: [BY_CODE] }),
    startTestGateway({ ...settings, ...strictSettings }),
  ])
})
afterEach(async () => {
  await provider.setAway(false)
  await provider.setLogin(null)
})
afterAll(async () => {
  await Promise.all([gateway?.stop(), strict?.stop()])
  await provider?.stop()
})

let people = 0
/** A new person at the provider; the login is the part of the address before the @. */
async function newPerson(more: ProviderPerson = {}): Promise<{ login: string; mailbox: string }> {
  people += 1
  const [login, mailbox] = [`person${people}`, `person${people}@nordicfoods.example`]
  await provider.set(login, { email: mailbox, email_verified: true, ...more })
  return { login, mailbox }
}
const OPERATORS = { groups: ['everybody', 'paraph-operators'] }

/** The answer of the console to the provider's redirect. */
async function signInAt(
  visitor: ConsoleVisitor,
  kind: IssuerKind,
  login: string,
  { at = createProviderVisitor(), next = '/console' } = {},
): Promise<Answer> {
  const begun = await visitor.get(`/console/sign-in/issuer/${kind}?next=${encodeURIComponent(next)}`)
  return finish(visitor, await at.signIn(begun.location!, login))
}
const finish = (visitor: ConsoleVisitor, back: string): Promise<Answer> => visitor.get(back.slice(BASE.length))

async function newOperator(on = gateway) {
  const person = await newPerson(OPERATORS)
  const visitor = createConsoleVisitor(on)
  await signInAt(visitor, 'operators', person.login)
  return { ...person, visitor }
}

const isSignedIn = async (visitor: ConsoleVisitor): Promise<boolean> =>
  (await visitor.get('/console/sessions')).status === 200
const alertIn = ({ body }: Answer): string | undefined => /<li><a href="#issuer">([^<]+)/.exec(body)?.[1]
const sessionOf = async (mailbox: string, on = gateway) => {
  const rows = await on.sql(
    'select id, issuer, proven_at, second_factor_at, ended_at from mailbox_session where mailbox = $1 order by created_at desc',
    [mailbox],
  )
  return rows[0]
}
/** Moves the last check of the mailbox's sessions into the past. */
const checkedAgo = (mailbox: string, seconds: number, on = gateway) =>
  on.sql(
    `update issuer_session set checked_at = now() - make_interval(secs => $2), failed_at = null
      where session_id in (select id from mailbox_session where mailbox = $1)`,
    [mailbox, seconds],
  )
const actsOf = (mailbox: string) =>
  gateway.sql('select actor, act, facts from audit_entry where mailbox = $1 order by id', [mailbox])

describe('an owner [D73]', () => {
  it('signs in with the address that the provider has verified, and gets to the page that was asked for', async () => {
    const { login, mailbox } = await newPerson()
    const visitor = createConsoleVisitor(gateway)
    expect((await visitor.get('/console/sign-in')).body).toContain('Sign in with your company account')
    const answer = await signInAt(visitor, 'owners', login, { next: '/console/account' })
    expect([answer.status, answer.location]).toEqual([303, '/console/account'])
    expect(answer.headers['set-cookie']).toContainEqual(expect.stringMatching(/^console=.*HttpOnly; SameSite=Lax/))
    expect((await visitor.get('/console/application')).status).toBe(200)
    const session = await sessionOf(mailbox)
    expect(session).toMatchObject({ issuer: 'owners', second_factor_at: expect.any(Date), ended_at: null })
    expect(await actsOf(mailbox)).toMatchObject([
      { actor: 'owner', act: 'session.opened', facts: { issuer: 'owners' } },
    ])
  })

  it('is the same person as by a code, and a new session replaces the one in the browser', async () => {
    const { login, mailbox } = await newPerson()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    const first = await sessionOf(mailbox)
    await signInAt(visitor, 'owners', login)
    const rows = await gateway.sql('select id, ended_at from mailbox_session where mailbox = $1', [mailbox])
    expect(rows).toHaveLength(2)
    expect(rows.filter((row) => row['ended_at'] !== null).map((row) => row['id'])).toEqual([first!['id']])
  })

  it.each([
    ['an address that is not verified', { email_verified: false }],
    ['an address without a word on its verification', { email_verified: undefined }],
    ['no address', { email: undefined }],
    ['something else than an address', { email: 'Anna <anna@nordicfoods.example>' }],
  ])('does not sign in with %s', async (_, claims) => {
    const { login } = await newPerson(claims as ProviderPerson)
    const visitor = createConsoleVisitor(gateway)
    const answer = await signInAt(visitor, 'owners', login)
    expect([answer.status, alertIn(answer)]).toEqual([403, expect.stringContaining('no verified email address')])
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it('becomes no operator by the group, nor by a mailbox of OPERATOR_EMAILS', async () => {
    for (const more of [OPERATORS, { email: BY_CODE }]) {
      const { login } = await newPerson(more)
      const visitor = createConsoleVisitor(gateway)
      await signInAt(visitor, 'owners', login)
      expect(await isSignedIn(visitor)).toBe(true)
      expect((await visitor.get(OPERATOR_PAGE)).status).toBe(404)
    }
  })
})

describe('the redirect of the provider [D73]', () => {
  async function begunBy(visitor: ConsoleVisitor): Promise<URL> {
    const { login } = await newPerson()
    const begun = await visitor.get('/console/sign-in/issuer/owners')
    return new URL(await createProviderVisitor().signIn(begun.location!, login))
  }

  it('is worthless with a wrong state', async () => {
    const visitor = createConsoleVisitor(gateway)
    const back = await begunBy(visitor)
    back.searchParams.set('state', 'A'.repeat(43))
    const answer = await finish(visitor, back.href)
    expect([answer.status, alertIn(answer)]).toEqual([403, expect.stringContaining('could not verify the reply')])
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it('is worthless with the name of another issuer', async () => {
    const visitor = createConsoleVisitor(gateway)
    const back = await begunBy(visitor)
    back.searchParams.set('iss', 'https://another.example')
    expect((await finish(visitor, back.href)).status).toBe(403)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it('is worthless in a browser that did not begin, and with a cookie that was taken to one', async () => {
    const [visitor, other] = [createConsoleVisitor(gateway), createConsoleVisitor(gateway)]
    const back = await begunBy(visitor)
    expect((await finish(other, back.href)).status).toBe(422)
    await other.get('/console/sign-in')
    other.jar.set('console-issuer', visitor.jar.get('console-issuer')!)
    expect((await finish(other, back.href)).status).toBe(422)
    expect(await isSignedIn(other)).toBe(false)
  })

  it('is worthless for the other kind of sign-in, and a second time', async () => {
    const visitor = createConsoleVisitor(gateway)
    const back = await begunBy(visitor)
    const kept = visitor.jar.get('console-issuer')!
    expect((await finish(visitor, back.href.replace('callback/owners', 'callback/operators'))).status).toBe(422)
    visitor.jar.set('console-issuer', kept)
    expect((await finish(visitor, back.href)).status).toBe(303)
    visitor.jar.clear()
    expect((await finish(visitor, back.href)).status).toBe(422)
  })

  it('says so if the person did not sign in, and never repeats the query on the page', async () => {
    const visitor = createConsoleVisitor(gateway)
    const back = await begunBy(visitor)
    const search = new URLSearchParams({ error: 'access_denied', error_description: 'a text of the provider' })
    for (const name of ['state', 'iss']) search.set(name, back.searchParams.get(name)!)
    const answer = await visitor.get(`${back.pathname}?${search.toString()}`)
    expect([answer.status, alertIn(answer)]).toEqual([403, expect.stringContaining('did not finish')])
    for (const text of ['a text of the provider', back.searchParams.get('state')!])
      expect(answer.body).not.toContain(text)
  })
})

describe('an operator [D73]', () => {
  it('is a member of the group; who is not gets no session', async () => {
    const { visitor, mailbox } = await newOperator()
    expect((await visitor.get('/console')).location).toBe('/console/operator/applications')
    expect((await visitor.get(OPERATOR_PAGE)).status).toBe(200)
    expect(await actsOf(mailbox)).toMatchObject([
      { actor: 'operator', act: 'session.opened', facts: { issuer: 'operators' } },
      { actor: 'operator', act: 'operator.read' },
    ])
    for (const groups of [undefined, [], ['paraph-operators-of-others']]) {
      const { login } = await newPerson(groups && { groups })
      const other = createConsoleVisitor(gateway)
      const answer = await signInAt(other, 'operators', login)
      expect([answer.status, alertIn(answer)]).toEqual([403, expect.stringContaining('not in the operators')])
      expect(await isSignedIn(other)).toBe(false)
    }
  })

  it('is nobody by a code, also not with a mailbox of OPERATOR_EMAILS', async () => {
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(BY_CODE)
    expect(await isSignedIn(visitor)).toBe(true)
    expect((await visitor.get(OPERATOR_PAGE)).status).toBe(404)
    expect((await actsOf(BY_CODE)).map(({ actor }) => actor)).not.toContain('operator')
  })

  it.each([
    ['a refresh token', () => gateway],
    ['an access token alone', () => strict],
  ])(
    'whose group is taken away loses the session at the next check, after five minutes: with %s',
    async (_, onGateway) => {
      const on = onGateway()
      const { visitor, login, mailbox } = await newOperator(on)
      await provider.set(login, { email: mailbox, email_verified: true, groups: ['everybody'] })
      await checkedAgo(mailbox, 290, on)
      expect((await visitor.get(OPERATOR_PAGE)).status).toBe(200)
      await checkedAgo(mailbox, 301, on)
      expect((await visitor.get(OPERATOR_PAGE)).location).toContain('/console/sign-in')
      expect(await isSignedIn(visitor)).toBe(false)
      expect(await sessionOf(mailbox, on)).toMatchObject({ ended_at: expect.any(Date) })
      const entries = await on.sql(
        "select actor, facts from audit_entry where mailbox = $1 and act = 'session.withdrawn'",
        [mailbox],
      )
      expect(entries).toEqual([{ actor: 'operator', facts: { reason: 'group_removed' } }])
    },
  )

  it.each([
    ['who is gone', undefined],
    ['whose address changed', { email: 'someone.else@nordicfoods.example', email_verified: true, ...OPERATORS }],
  ])('%s loses the session at the next check', async (_, person) => {
    const { visitor, login, mailbox } = await newOperator()
    await provider.set(login, person)
    await checkedAgo(mailbox, 301)
    expect((await visitor.get(OPERATOR_PAGE)).location).toContain('/console/sign-in')
    expect((await actsOf(mailbox)).at(-1)).toMatchObject({
      act: 'session.withdrawn',
      facts: { reason: 'issuer_refused' },
    })
    expect(
      await gateway.sql('select 1 from issuer_session where session_id = $1', [(await sessionOf(mailbox))!['id']]),
    ).toEqual([])
  })

  it('stays one while the provider says so, and many requests ask it once', async () => {
    const { visitor, mailbox } = await newOperator()
    await checkedAgo(mailbox, 301)
    const before = await provider.asked()
    const answers = await Promise.all(Array.from({ length: 12 }, () => visitor.get(OPERATOR_PAGE)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await provider.asked()) - before).toBe(1)
    await checkedAgo(mailbox, 301)
    expect((await visitor.get(OPERATOR_PAGE)).status).toBe(200)
  })
})

describe('while the provider is away [D73]', () => {
  it('an operator is one for five minutes, then no page of operators is shown, and the session lives on', async () => {
    const { visitor, mailbox } = await newOperator()
    await provider.setAway(true)
    expect((await visitor.get(OPERATOR_PAGE)).status).toBe(200)
    await checkedAgo(mailbox, 301)
    for (const answer of [await visitor.get(OPERATOR_PAGE), await visitor.submit('/console/operator/reports/x')]) {
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('15')
      expect(answer.body).toContain('We cannot check your company account')
    }
    expect((await visitor.get('/console')).location).toBe('/console/operator/applications')
    expect(await isSignedIn(visitor)).toBe(true)
    await provider.setAway(false)
    // A provider that was away is left alone for a moment.
    expect((await visitor.get(OPERATOR_PAGE)).status).toBe(503)
    await checkedAgo(mailbox, 301)
    expect((await visitor.get(OPERATOR_PAGE)).status).toBe(200)
  })

  it('nobody signs in with it, and owners can still get a code', async () => {
    // A new gateway has not read the provider's document.
    const fresh = await startTestGateway({ ...settingsFor(provider.issuer), OPERATOR_EMAILS: [BY_CODE] })
    try {
      await provider.setAway(true)
      for (const kind of ['owners', 'operators']) {
        const answer = await createConsoleVisitor(fresh).get(`/console/sign-in/issuer/${kind}`)
        expect([answer.status, alertIn(answer)]).toEqual([503, expect.stringContaining('not available at the moment')])
        expect(answer.body).toContain('name="email"')
      }
      const visitor = createConsoleVisitor(fresh)
      await visitor.signIn(BY_CODE)
      expect(await isSignedIn(visitor)).toBe(true)
      expect((await visitor.get(OPERATOR_PAGE)).status).toBe(404)
      await provider.setAway(false)
      expect((await createConsoleVisitor(fresh).get('/console/sign-in/issuer/owners')).status).toBe(303)
    } finally {
      await fresh.stop()
    }
  })

  it('the redirect of a sign-in that began before says so', async () => {
    const { login } = await newPerson()
    const visitor = createConsoleVisitor(gateway)
    const begun = await visitor.get('/console/sign-in/issuer/owners')
    const back = await createProviderVisitor().signIn(begun.location!, login)
    await provider.setAway(true)
    expect((await finish(visitor, back)).status).toBe(503)
    expect(await isSignedIn(visitor)).toBe(false)
  })
})

it('where codes are off, no code is sent or checked [D73]', async () => {
  const visitor = createConsoleVisitor(strict)
  const page = await visitor.get('/console/sign-in')
  expect(page.body).toContain('Sign in with your company account')
  expect(page.body).not.toContain('name="email"')
  const formToken = await createConsoleVisitor(gateway).tokenOn('/console/sign-in')
  const { status } = await visitor.post('/console/sign-in', { email: 'owner@nordicfoods.example', formToken })
  expect(status).toBe(404)
  const challenge = `/console/sign-in/${'A'.repeat(22)}`
  expect((await visitor.get(challenge)).location).toBe('/console/sign-in')
  expect(strict.toOwners.filter(({ procedure }) => procedure === 'owner.code')).toEqual([])
})

describe('the sign-out [D73]', () => {
  it.each([['/console/sign-out'], ['/console/sessions/end-all'], ['/console/sessions/end']])(
    'at %s ends the session here, and leads to the sign-out of the provider',
    async (path) => {
      const { login, mailbox } = await newPerson()
      const visitor = createConsoleVisitor(gateway)
      await signInAt(visitor, 'owners', login)
      const session = (await sessionOf(mailbox))!
      const answer = await visitor.submit(path, { session: String(session['id']) })
      const [, href = ''] = /^0; url=(.+)$/.exec(String(answer.headers['refresh'])) ?? []
      const url = new URL(href)
      expect([answer.status, url.origin]).toEqual([200, provider.issuer])
      expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${BASE}/console/sign-in`)
      expect(url.searchParams.get('client_id')).toBe('paraph-owners')
      const [, payload = ''] = url.searchParams.get('id_token_hint')!.split('.')
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ sub: login })
      expect((await createProviderVisitor().send(href)).status).toBe(200)
      expect(await isSignedIn(visitor)).toBe(false)
      expect(await gateway.sql('select 1 from issuer_session where session_id = $1', [session['id']])).toEqual([])
    },
  )

  it('leads to sign-in for a session by a code', async () => {
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn((await newPerson()).mailbox)
    const { location, headers } = await visitor.submit('/console/sign-out')
    expect([location, headers['refresh']]).toEqual(['/console/sign-in', undefined])
  })
})

describe('a fresh proof [D73]', () => {
  const PROVE = '/console/prove/issuer?next=/console/account'
  const provenAt = async (mailbox: string) => (await sessionOf(mailbox))!['proven_at'] as Date
  const age = (mailbox: string) =>
    gateway.sql("update mailbox_session set proven_at = now() - interval '1 hour' where mailbox = $1", [mailbox])

  it('is a new sign-in of the same person at the provider, also while the provider keeps a session', async () => {
    const { login, mailbox } = await newPerson()
    const [visitor, at] = [createConsoleVisitor(gateway), createProviderVisitor()]
    await signInAt(visitor, 'owners', login, { at })
    await age(mailbox)
    const begun = await visitor.get(PROVE)
    expect(new URL(begun.location!).searchParams.get('prompt')).toBe('login')
    const answer = await finish(visitor, await at.signIn(begun.location!, login))
    expect([answer.status, answer.location]).toEqual([303, '/console/account'])
    expect(Date.now() - (await provenAt(mailbox)).getTime()).toBeLessThan(60_000)
    expect(await gateway.sql('select 1 from mailbox_session where mailbox = $1', [mailbox])).toHaveLength(1)
  })

  it('is none by another person, nor by a session that the provider kept', async () => {
    const [{ login, mailbox }, other] = [await newPerson(), await newPerson()]
    const [visitor, at] = [createConsoleVisitor(gateway), createProviderVisitor()]
    await signInAt(visitor, 'owners', login, { at })
    await age(mailbox)
    const before = await provenAt(mailbox)
    const one = await visitor.get(PROVE)
    const byOther = await finish(visitor, await createProviderVisitor().signIn(one.location!, other.login))
    expect([byOther.status, alertIn(byOther)]).toEqual([403, expect.stringContaining('another email address')])

    const two = new URL((await visitor.get(PROVE)).location!)
    for (const name of ['prompt', 'max_age']) two.searchParams.delete(name)
    // Longer ago than clocks may differ.
    await provider.setLogin(70)
    const back = await at.signIn(two.href, 'nobody: the provider does not ask')
    const old = await finish(visitor, back)
    expect([old.status, alertIn(old)]).toEqual([403, expect.stringContaining('did not ask you to sign in again')])
    expect(await provenAt(mailbox)).toEqual(before)
    expect(await isSignedIn(visitor)).toBe(true)
  })

  it('is not what a sign-in gives that the provider did not ask for', async () => {
    const { login, mailbox } = await newPerson()
    const at = createProviderVisitor()
    await signInAt(createConsoleVisitor(gateway), 'owners', login, { at })
    expect(Date.now() - (await provenAt(mailbox)).getTime()).toBeLessThan(60_000)
    await provider.setLogin(3_600)
    await signInAt(createConsoleVisitor(gateway), 'owners', 'nobody: the provider does not ask', { at })
    expect(Math.round((Date.now() - (await provenAt(mailbox)).getTime()) / 60_000)).toBe(60)
  })

  it('is not there for a session by a code', async () => {
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn((await newPerson()).mailbox)
    expect((await visitor.get(PROVE)).status).toBe(404)
  })
})
