// Passkeys as second factor, recovery codes, lost devices and fresh proofs, with an authenticator in software. [D73]
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createAuthenticator } from '@paraph/testing/test/authenticator-fixture'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, until, type TestGateway } from '../../../test/gateway-fixture.js'
import {
  APPLICATION,
  codeFor,
  createConsoleVisitor,
  ORIGIN,
  type ConsoleVisitor,
} from '../../../test/console-fixture.js'

const OPERATORS = ['operator@example.test', 'second@example.test', 'third@example.test', 'fourth@example.test']

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ OPERATOR_EMAILS: OPERATORS })
})
afterAll(() => gateway.stop())

let mailboxes = 0
const newMailbox = (): string => `factor${(mailboxes += 1)}@nordicfoods.example`
const visitor = () => createConsoleVisitor(gateway)

async function signedIn(mailbox: string): Promise<ConsoleVisitor> {
  const each = visitor()
  await each.signIn(mailbox)
  return each
}

/** An owner with an approved account. */
async function owner(mailbox = newMailbox()): Promise<{ mailbox: string; on: ConsoleVisitor; accountId: string }> {
  const on = await signedIn(mailbox)
  await on.submit('/console/application', APPLICATION)
  const [row] = await gateway.sql('select account_id from account_owner where mailbox = $1', [mailbox])
  const accountId = String(row!['account_id'])
  await gateway.sql(
    "update account set approved_at = now(), tier = 'growth', subscription_status = 'active' where id = $1",
    [accountId],
  )
  return { mailbox, on, accountId }
}

const join = (accountId: string, mailbox: string, role = 'owner') =>
  gateway.sql(
    'insert into account_owner (account_id, mailbox, address, role, confirmed_at) values ($1, $2, $2, $3, now())',
    [accountId, mailbox, role],
  )

const fieldOn = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? ''
const codesOn = (html: string): string[] => [...html.matchAll(/\b[0-9a-z]{5}-[0-9a-z]{5}\b/g)].map(([code]) => code)

/** Adds a passkey on the page of a signed-in person. @returns the recovery codes of a first one */
async function addPasskey(on: ConsoleVisitor, device = on.device): Promise<string[]> {
  const { options } = device.optionsOn((await on.get('/console/sessions/passkeys/new')).body)!
  const fields = { name: 'Laptop', answer: device.create(options) }
  return codesOn((await on.submit('/console/sessions/passkeys/new', fields)).body)
}

const isSignedIn = async (on: ConsoleVisitor): Promise<boolean> => (await on.get('/console/sessions')).status === 200
/** Ten minutes and a second pass since the last proof. */
const age = (mailbox: string) =>
  gateway.sql("update mailbox_session set proven_at = proven_at - interval '601 seconds' where mailbox = $1", [mailbox])
const actsOf = async (mailbox: string): Promise<unknown[]> =>
  (await gateway.sql('select act from audit_entry where mailbox = $1 order by id', [mailbox])).map(({ act }) => act)
const mailsTo = (mailbox: string) =>
  gateway.toOwners.filter(({ procedure, input }) => procedure === 'owner.mail' && input?.['to'] === mailbox)
const untilMailed = (mailbox: string, kind: string, data: object) =>
  until(() =>
    mailsTo(mailbox).some(
      ({ input }) => input?.['kind'] === kind && JSON.stringify(input['data']) === JSON.stringify(data),
    ),
  )

describe('the second factor at sign-in [D73]', () => {
  it('an operator signs in only with a passkey, makes the first one, and gets ten recovery codes once', async () => {
    const [mailbox] = OPERATORS as [string]
    const on = visitor()
    expect((await on.enterCode(mailbox)).location).toBe('/console')
    for (const path of ['/console', '/console/operator/accounts', '/console/sessions', '/console/account'])
      expectWithMessage((await on.get(path)).location?.split('?')[0], path).toBe('/console/second-factor')
    expect((await on.get('/console/operator/accounts')).location).toBe(
      '/console/second-factor?next=%2Fconsole%2Foperator%2Faccounts',
    )
    const page = await on.get('/console/second-factor')
    expect(page.body).toContain('<h1>Make your passkey</h1>')
    expect(page.body).not.toContain('recovery code')

    const made = await on.proveSecondFactor('/console/operator/accounts')
    expect(made.status).toBe(201)
    expect(new Set(codesOn(made.body)).size).toBe(10)
    expect(made.body).toContain('href="/console/operator/accounts"')
    expect((await on.get('/console/operator/accounts')).status).toBe(200)
    expect(await actsOf(mailbox)).toContain('passkey.added')
    await untilMailed(mailbox, 'sign_in_changed', { change: 'passkey_added' })

    const again = visitor()
    await again.enterCode(mailbox)
    expect((await again.get('/console/second-factor')).body).toContain('<h1>Confirm with your passkey</h1>')
    expect((await again.proveSecondFactor()).location).toBe('/console')
    expect((await again.get('/console/operator/accounts')).status).toBe(200)
    expect(await actsOf(mailbox)).toContain('second_factor.proven')
    expect((await again.get('/console/second-factor')).location).toBe('/console')
  })

  it('an owner needs none until the first passkey, which every session of the mailbox must then prove', async () => {
    const { mailbox, on } = await owner()
    const other = await signedIn(mailbox)
    expect((await on.get('/console/sessions')).body).toContain('Add a passkey, and a code is no longer enough.')
    expect(await addPasskey(on)).toHaveLength(10)
    expect(await isSignedIn(on)).toBe(true)
    expect((await other.get('/console/keys')).location).toContain('/console/second-factor')
    await other.proveSecondFactor()
    expect(await isSignedIn(other)).toBe(true)
  })

  it('a session without its second factor changes nothing, and can sign out', async () => {
    const { mailbox, on, accountId } = await owner()
    await gateway.operator.key.create.mutate({ accountId, environment: 'test' })
    await addPasskey(on)
    const half = visitor()
    await half.enterCode(mailbox)
    const formToken = fieldOn((await half.get('/console/second-factor')).body, 'formToken')
    const tried = await half.post('/console/account/owners', { formToken, owner: 'me@elsewhere.test', role: 'owner' })
    expect(tried.location).toBe('/console/second-factor')
    expect(await gateway.sql('select 1 from account_owner where account_id = $1', [accountId])).toHaveLength(1)
    expect((await half.post('/console/second-factor/code', { code: 'x' })).status).toBe(403)
    const hint = /paraph_test_…\w{4}/
    expectWithMessage((await on.get('/docs')).body, 'to the owner').toMatch(hint)
    expectWithMessage((await half.get('/docs')).body, 'after the code alone').not.toMatch(hint)
    expect((await half.post('/console/sign-out', { formToken })).location).toBe('/console/sign-in')
    expect((await half.get('/console/second-factor')).location).toContain('/console/sign-in')
  })

  it('an operator’s mailbox gets and loses no passkey in a session that the owners’ issuer opened', async () => {
    const [mailbox] = OPERATORS as [string]
    const on = visitor()
    await on.enterCode(mailbox)
    await gateway.sql("update mailbox_session set issuer = 'owners' where mailbox = $1 and ended_at is null", [mailbox])
    const { body } = await on.get('/console/sessions')
    expect(body).not.toContain('/console/sessions/passkeys/new')
    const formToken = fieldOn(body, 'formToken')
    for (const path of ['passkeys/new', 'passkeys/remove', 'recovery-codes'])
      expectWithMessage((await on.post(`/console/sessions/${path}`, { formToken })).status, path).toBe(404)
    await gateway.sql('update mailbox_session set ended_at = now() where mailbox = $1', [mailbox])
  })

  it('a session that an issuer opened needs no passkey', async () => {
    const { mailbox, on } = await owner()
    await addPasskey(on)
    const half = visitor()
    await half.enterCode(mailbox)
    expect(await isSignedIn(half)).toBe(false)
    await gateway.sql("update mailbox_session set issuer = 'owners' where mailbox = $1 and second_factor_at is null", [
      mailbox,
    ])
    expect(await isSignedIn(half)).toBe(true)
  })

  it.each([
    ['of another site', { origin: 'https://sign.test.evil.example' }],
    ['without a verified person', { isVerified: false }],
  ])('an answer %s is refused, and so is a second use of the same answer', async (_, behaviour) => {
    const { mailbox, on } = await owner()
    await addPasskey(on)
    const half = visitor()
    await half.enterCode(mailbox)
    const page = await half.get('/console/second-factor')
    const { options } = half.device.optionsOn(page.body)!
    const formToken = fieldOn(page.body, 'formToken')
    const send = (answer: string) => half.post('/console/second-factor/passkey', { formToken, answer })
    expect((await send(half.device.get(options, behaviour))).status).toBe(422)
    // That answer used the challenge up.
    expect((await send(half.device.get(options))).status).toBe(422)
    const next = half.device.optionsOn((await half.get('/console/second-factor')).body)!
    const right = half.device.get(next.options)
    expect((await send(right)).status).toBe(303)

    const third = visitor()
    await third.enterCode(mailbox)
    const token = fieldOn((await third.get('/console/second-factor')).body, 'formToken')
    const repeated = await third.post('/console/second-factor/passkey', { formToken: token, answer: right })
    expectWithMessage(repeated.status, 'an answer of another session').toBe(422)
    expect(await isSignedIn(third)).toBe(false)
  })

  it('a passkey of another mailbox, a copied key and text that is no answer are refused', async () => {
    const [one, two] = [await owner(), await owner()]
    await addPasskey(one.on)
    await addPasskey(two.on)
    const half = visitor()
    await half.enterCode(one.mailbox)
    const send = async (answerOf: (options: object & { challenge: string }) => string) => {
      const { body } = await half.get('/console/second-factor')
      const answer = answerOf(half.device.optionsOn(body)!.options)
      return (await half.post('/console/second-factor/passkey', { formToken: fieldOn(body, 'formToken'), answer }))
        .status
    }
    const [row] = await gateway.sql('select credential_id as id from passkey where mailbox = $1', [two.mailbox])
    const others = [{ id: String(row!['id']) }]
    expect(await send((options) => half.device.get({ ...options, allowCredentials: others }))).toBe(422)
    for (const text of ['', '{', '[]', '{"id":"x"}', 'x'.repeat(20_000)]) expect(await send(() => text)).toBe(422)
    expect(await send((options) => half.device.get(options, { counter: 5 }))).toBe(303)
    const copy = visitor()
    await copy.enterCode(one.mailbox)
    const { body } = await copy.get('/console/second-factor')
    const answer = copy.device.get(copy.device.optionsOn(body)!.options, { counter: 5 })
    const formToken = fieldOn(body, 'formToken')
    expect((await copy.post('/console/second-factor/passkey', { formToken, answer })).status).toBe(422)
  })

  it('an expired challenge is refused, and a session that lacks its passkey cannot add another', async () => {
    const { mailbox, on } = await owner()
    await addPasskey(on)
    const half = visitor()
    await half.enterCode(mailbox)
    const { body } = await half.get('/console/second-factor')
    const formToken = fieldOn(body, 'formToken')
    const { options } = half.device.optionsOn(body)!
    const stranger = createAuthenticator(ORIGIN)
    const first = stranger.create({ ...options, rp: { id: 'sign.test' } })
    expect((await half.post('/console/second-factor/first', { formToken, name: 'Mine', answer: first })).status).toBe(
      422,
    )
    const { options: later } = half.device.optionsOn((await half.get('/console/second-factor')).body)!
    await gateway.sql(
      "update mailbox_session set passkey_challenge_until = now() - interval '1 second' where mailbox = $1",
      [mailbox],
    )
    const answer = half.device.get(later)
    expect((await half.post('/console/second-factor/passkey', { formToken, answer })).status).toBe(422)
    expect(await gateway.sql('select 1 from passkey where mailbox = $1', [mailbox])).toHaveLength(1)
  })
})

describe('recovery codes [D73]', () => {
  it('each signs in once, however it is typed, is mailed, and offers to make a new passkey', async () => {
    const { mailbox, on } = await owner()
    const [code] = (await addPasskey(on)) as [string]
    const use = async (typed: string) => {
      const half = visitor()
      await half.enterCode(mailbox)
      const formToken = fieldOn((await half.get('/console/second-factor')).body, 'formToken')
      return { half, answer: await half.post('/console/second-factor/code', { formToken, code: typed }) }
    }
    const { half, answer } = await use(` ${code.toUpperCase().replace('-', ' ').replaceAll('0', 'O')} `)
    expect(answer.location).toBe('/console/sessions?done=recovered')
    const page = (await half.get(answer.location!)).body
    expect(page).toContain('You used a recovery code.')
    expect(page).toContain('href="/console/sessions/passkeys/new"')
    expect(page).toContain('9')
    await untilMailed(mailbox, 'sign_in_changed', { change: 'code_used' })
    expect((await use(code)).answer.status).toBe(422)
    expect((await actsOf(mailbox)).slice(-2)).toEqual(['session.opened', 'recovery_code.refused'])
    const [row] = await gateway.sql('select * from recovery_code where mailbox = $1 and used_at is not null', [mailbox])
    expect(JSON.stringify(row)).not.toContain(code)
  })

  it('ten wrong ones in a day close them, for a right one too, with one mail; the passkey still works', async () => {
    const { mailbox, on } = await owner()
    const [code] = (await addPasskey(on)) as [string]
    const half = visitor()
    await half.enterCode(mailbox)
    const formToken = fieldOn((await half.get('/console/second-factor')).body, 'formToken')
    const use = async (typed: string) => half.post('/console/second-factor/code', { formToken, code: typed })
    for (let tries = 0; tries < 10; tries += 1) expect((await use('aaaaa-aaaaa')).status).toBe(422)
    const answer = await use(code)
    expect(answer.body).toContain('Too many wrong recovery codes were entered today')
    expect(await isSignedIn(half)).toBe(false)
    await untilMailed(mailbox, 'sign_in_changed', { change: 'codes_locked' })
    await half.proveSecondFactor()
    expect(await isSignedIn(half)).toBe(true)
    expect((await actsOf(mailbox)).filter((act) => act === 'recovery_code.refused')).toHaveLength(9)
    expect((await actsOf(mailbox)).filter((act) => act === 'recovery_code.locked')).toHaveLength(1)
  })

  it('new ones replace the old ones', async () => {
    const { mailbox, on } = await owner()
    const [old] = (await addPasskey(on)) as [string]
    const [fresh] = codesOn((await on.submit('/console/sessions/recovery-codes')).body) as [string]
    const half = visitor()
    await half.enterCode(mailbox)
    const formToken = fieldOn((await half.get('/console/second-factor')).body, 'formToken')
    expect((await half.post('/console/second-factor/code', { formToken, code: old })).status).toBe(422)
    expect((await half.post('/console/second-factor/code', { formToken, code: fresh })).status).toBe(303)
  })
})

describe('passkeys of a signed-in person [D73]', () => {
  it('an owner may remove the last one, and signs in by code alone again; an operator may not', async () => {
    const { mailbox, on } = await owner()
    await addPasskey(on)
    const id = fieldOn((await on.get('/console/sessions')).body, 'passkey')
    expect((await on.submit('/console/sessions/passkeys/remove', { passkey: id })).location).toContain('passkeyRemoved')
    expect(await gateway.sql('select 1 from recovery_code where mailbox = $1', [mailbox])).toEqual([])
    const again = visitor()
    await again.enterCode(mailbox)
    expect(await isSignedIn(again)).toBe(true)

    const operator = await signedIn(OPERATORS[1]!)
    const only = fieldOn((await operator.get('/console/sessions')).body, 'passkey')
    const refused = await operator.submit('/console/sessions/passkeys/remove', { passkey: only })
    expect([refused.status, refused.body.includes('An operator needs a passkey.')]).toEqual([422, true])
  })

  it('a credential that exists is not added again, and a passkey of another mailbox is not removed', async () => {
    const [one, two] = [await owner(), await owner()]
    const { options } = one.on.device.optionsOn((await one.on.get('/console/sessions/passkeys/new')).body)!
    const answer = one.on.device.create(options)
    await one.on.submit('/console/sessions/passkeys/new', { name: 'Laptop', answer })
    const again = await one.on.submit('/console/sessions/passkeys/new', { name: 'Laptop', answer })
    expect(again.status).toBe(422)
    const id = fieldOn((await one.on.get('/console/sessions')).body, 'passkey')
    await two.on.submit('/console/sessions/passkeys/remove', { passkey: id })
    expect(await gateway.sql('select 1 from passkey where mailbox = $1', [one.mailbox])).toHaveLength(1)
  })
})

describe('a lost device [D73]', () => {
  it('another owner resets the passkeys: the sessions end, everybody hears of it, and a code signs in', async () => {
    const { mailbox, on, accountId } = await owner()
    const person = newMailbox()
    await join(accountId, person, 'developer')
    const lost = await signedIn(person)
    await addPasskey(lost)
    await gateway.sql(
      "insert into issuer_session (session_id, key_id, tokens) select id, 'k1', 'x' from mailbox_session where mailbox = $1",
      [person],
    )
    expect((await on.submit('/console/account/owners/passkeys', { lost: person })).location).toContain('resetDone')
    const tokens = 'select 1 from issuer_session join mailbox_session on id = session_id where mailbox = $1'
    expect(await gateway.sql(tokens, [person])).toEqual([])
    expect(await isSignedIn(lost)).toBe(false)
    for (const each of [mailbox, person]) await untilMailed(each, 'passkeys_reset', { owner: person, by: mailbox })
    const entries = await gateway.sql(
      "select mailbox, account_id, facts from audit_entry where act = 'passkey.reset' and account_id = $1",
      [accountId],
    )
    expect(entries).toEqual([{ mailbox, account_id: accountId, facts: { owner: person } }])
    const again = visitor()
    await again.enterCode(person)
    expect(await isSignedIn(again)).toBe(true)
  })

  it.each([
    ['an operator', async () => OPERATORS[2]!],
    ['a person who also belongs to an account of others', async () => (await owner()).mailbox],
  ])('no owner resets the passkeys of %s', async (_, personOf) => {
    const { on, accountId } = await owner()
    const person = await personOf()
    await join(accountId, person)
    const theirs = await signedIn(person)
    if (!OPERATORS.includes(person)) await addPasskey(theirs)
    const refused = await on.submit('/console/account/owners/passkeys', { lost: person })
    expect([refused.status, refused.body.includes('You can reset passkeys only')]).toEqual([422, true])
    expect(await isSignedIn(theirs)).toBe(true)
    expect(await gateway.sql('select 1 from passkey where mailbox = $1', [person])).toHaveLength(1)
  })

  it('nobody resets the passkeys of a person of another account, of an invited one, or their own', async () => {
    const [one, two] = [await owner(), await owner()]
    await addPasskey(one.on)
    await addPasskey(two.on)
    await gateway.sql('insert into account_owner (account_id, mailbox, address, role) values ($1, $2, $2, $3)', [
      one.accountId,
      two.mailbox,
      'viewer',
    ])
    for (const person of [two.mailbox, one.mailbox])
      expect((await one.on.submit('/console/account/owners/passkeys', { lost: person })).status).toBe(422)
    expect([await isSignedIn(one.on), await isSignedIn(two.on)]).toEqual([true, true])
  })

  it('the command line resets those of an operator, with the name of the person who did', async () => {
    const person = OPERATORS[3]!
    const on = await signedIn(person)
    expect(await gateway.operator.passkey.reset.mutate({ mailbox: 'Fourth@Example.test' })).toEqual({
      mailbox: person,
      hadPasskeys: true,
    })
    expect(await isSignedIn(on)).toBe(false)
    await untilMailed(person, 'passkeys_reset', { owner: person, by: null })
    expect(
      await gateway.sql(
        "select actor, actor_name, facts from audit_entry where act = 'passkey.reset' and actor = 'command_line'",
      ),
    ).toEqual([{ actor: 'command_line', actor_name: 'Jane Roe', facts: { owner: person } }])
    expect(await gateway.operator.passkey.reset.mutate({ mailbox: person })).toMatchObject({ hadPasskeys: false })
  })
})

describe('a fresh proof [D73]', () => {
  it('is asked for after ten minutes, by a code to the mailbox, and leads back; the form stored nothing', async () => {
    const { mailbox, on, accountId } = await owner()
    await age(mailbox)
    const tried = await on.submit('/console/account/owners', { owner: 'new@nordicfoods.example', role: 'viewer' })
    expect(tried.location).toBe('/console/prove?next=%2Fconsole%2Faccount')
    expect(await gateway.sql('select 1 from account_owner where account_id = $1', [accountId])).toHaveLength(1)
    const page = (await on.get('/console/account')).body
    expect(page).toContain('href="/console/prove?next=%2Fconsole%2Faccount"')
    expect(page).not.toContain('action="/console/account/owners"')

    expect((await on.get('/console/prove?next=/console/account')).body).toContain('Send a code')
    const asked = await on.submit('/console/prove/send', { next: '/console/account' })
    const path = asked.location!.split('?')[0]!
    await until(() => gateway.toOwners.some(({ input }) => input?.['to'] === mailbox && input['purpose'] === 'prove'))
    const code = await codeFor(gateway, mailbox, 1)
    expect((await on.submit(path, { code: '00000000', next: '/console/account' })).status).toBe(422)
    expect((await on.submit(path, { code, next: '/console/account' })).location).toBe('/console/account')
    expect((await on.get('/console/account')).body).toContain('action="/console/account/owners"')
    const sent = await on.submit('/console/account/owners', { owner: 'new@nordicfoods.example', role: 'viewer' })
    expect(sent.location).toContain('inviteDone')
  })

  it('by a code proves the session that asked for it, and no other one of the mailbox', async () => {
    const { mailbox, on } = await owner()
    const other = await signedIn(mailbox)
    await age(mailbox)
    const asked = await on.submit('/console/prove/send')
    const code = await codeFor(gateway, mailbox, 2)
    const path = asked.location!.split('?')[0]!
    expect((await other.submit(path, { code })).location).toBe('/console/prove')
    expect((await other.get('/console/account/export')).location).toContain('/console/prove')
    expect((await on.submit(path, { code })).location).toBe('/console')
    expect((await on.get('/console/account/export')).status).toBe(200)
    expect((await other.get('/console/account/export')).location).toContain('/console/prove')
    const sessions = await gateway.sql(
      "select 1 from mailbox_session where mailbox = $1 and ended_at is null and scope like 'prove %'",
      [mailbox],
    )
    expect(sessions).toEqual([])
  })

  it('is by passkey where the mailbox has one: a code is not sent', async () => {
    const { mailbox, on } = await owner()
    const [code] = (await addPasskey(on)) as [string]
    await age(mailbox)
    expect((await on.submit('/console/prove/send')).location).toBe('/console/prove')
    const { options } = on.device.optionsOn((await on.get('/console/prove?next=/console/account')).body)!
    const answer = { answer: on.device.get(options), next: '/console/account' }
    expect((await on.submit('/console/prove/passkey', answer)).location).toBe('/console/account')
    expect((await on.get('/console/account/export')).status).toBe(200)
    await age(mailbox)
    expectWithMessage((await on.submit('/console/prove/passkey', answer)).status, 'the same answer again').toBe(422)
    expect((await on.get('/console/account/export')).location).toContain('/console/prove')
    const byCode = await on.submit('/console/prove/recovery', { code, next: '/console/account' })
    expect(byCode.location).toBe('/console/account')
  })

  it('is at the issuer for a session that it opened', async () => {
    const { mailbox, on } = await owner()
    await gateway.sql("update mailbox_session set issuer = 'owners' where mailbox = $1", [mailbox])
    await age(mailbox)
    const { body } = await on.get('/console/prove?next=/console/account')
    expect(body).toContain('href="/console/prove/issuer?next=%2Fconsole%2Faccount"')
    // Codes sign owners in here, so one may take the issuer's place.
    expect((await on.submit('/console/prove/send')).location).toMatch(/^\/console\/prove\/code\//)
    await gateway.sql("update mailbox_session set issuer = 'operators' where mailbox = $1", [mailbox])
    expect((await on.get('/console/prove')).body).not.toContain('/console/prove/send')
    expect((await on.submit('/console/prove/send')).location).toBe('/console/prove')
  })

  it('is needed for a key of production, and not for one of the sandbox', async () => {
    const { mailbox, on } = await owner()
    const keyWith = (environment: string) => ({
      name: 'Orders',
      environment,
      'scopes-contracts:read': 'yes',
      life: 'never',
      formId: crypto.randomUUID(),
    })
    expect((await on.submit('/console/keys/new', keyWith('production'))).status).toBe(201)
    await age(mailbox)
    expect((await on.submit('/console/keys/new', keyWith('sandbox'))).status).toBe(201)
    expect((await on.submit('/console/keys/new', keyWith('production'))).location).toBe(
      '/console/prove?next=%2Fconsole%2Fkeys%2Fnew',
    )
    const form = (await on.get('/console/keys/new')).body
    expect(form).toContain('A key for production needs a fresh proof.')
    expect(form).not.toContain('value="production"')
    const keys = await gateway.sql(
      'select api_key.id, environment from api_key join account_owner using (account_id) where mailbox = $1',
      [mailbox],
    )
    expect(keys.map(({ environment }) => environment).toSorted()).toEqual(['production', 'sandbox'])
    for (const { id, environment } of keys) {
      const page = await on.get(`/console/keys/${String(id)}/rotate`)
      expect(page.status).toBe(environment === 'production' ? 303 : 200)
    }
  })

  it.each(['//evil.example', 'https://evil.example', '/console/../x', '/console/a?b=//c', '/consolex'])(
    'leads to no other place: %s',
    async (next) => {
      const { on } = await owner()
      expect((await on.get(`/console/prove?next=${encodeURIComponent(next)}`)).location).toBe('/console')
    },
  )
})

it('the other owners hear of a sign-in in a new browser, and of nobody else’s [P31, D73]', async () => {
  const { mailbox, accountId } = await owner()
  const [second, viewer] = [newMailbox(), newMailbox()]
  await join(accountId, second)
  await join(accountId, viewer, 'viewer')
  const first = await signedIn(second)
  expect(mailsTo(mailbox).filter(({ input }) => input?.['kind'] === 'owner_new_browser')).toEqual([])
  const again = await signedIn(second)
  const network = again.clientAddress.replace(/\d+$/, '0/24')
  await untilMailed(mailbox, 'owner_new_browser', { accountName: APPLICATION.company, owner: second, network })
  await untilMailed(second, 'new_browser', { network })
  for (const each of [second, viewer])
    expect(mailsTo(each).filter(({ input }) => input?.['kind'] === 'owner_new_browser')).toEqual([])
  expect(await isSignedIn(first)).toBe(true)
})
