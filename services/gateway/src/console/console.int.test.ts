import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'
import { APPLICATION, codeFor, createConsoleVisitor, type ConsoleVisitor } from '../../test/console-fixture.js'

const OPERATOR = 'operator@example.test'

let gateway: TestGateway
let operator: ConsoleVisitor
beforeAll(async () => {
  gateway = await startTestGateway()
  operator = createConsoleVisitor(gateway)
  await operator.signIn(OPERATOR)
})
afterAll(() => gateway.stop())

let owners = 0
const newMailbox = (): string => `owner${(owners += 1)}@nordicfoods.example`

/** The newest application of a mailbox, with its account. */
const newestApplication = async (mailbox: string) =>
  (
    await gateway.sql(
      'select id, account_id, state, reason, revision from application where mailbox = $1 order by sent_at desc',
      [mailbox],
    )
  )[0]!

/** A contract as the contract service returns it. */
const CANCELLED_CONTRACT = {
  id: 'contract-1-a',
  contractNumber: 'EXT-20261120-7KQ4MXTA',
  contractType: 'nda',
  status: 'cancelled',
  senderName: 'Nordic Foods Ltd.',
  accountName: 'Nordic Foods Ltd.',
  language: 'en+fr',
  contentSha256: '3f'.repeat(32),
  contentBytes: 9,
  metadata: {},
  signingProgress: { signed: 0, total: 2, pending: 2, percentage: 0 },
  parties: [],
  createdAt: '2026-11-20T14:03:11.482Z',
  expiresAt: '2026-12-04T14:03:11.482Z',
  completedAt: null,
  cancelledAt: '2026-11-22T09:00:00.000Z',
  cancelledBy: 'owner',
  cancelReason: null,
  erasedAt: null,
  erasure: null,
  isHeld: false,
  shareUrl: null,
}

/** An owner whose account is approved and has a tier. */
async function approvedOwner(tier = 'growth') {
  const mailbox = newMailbox()
  const visitor = createConsoleVisitor(gateway)
  await visitor.signIn(mailbox)
  await visitor.submit('/console/application', APPLICATION)
  const { id, account_id } = await newestApplication(mailbox)
  const answer = await operator.submit(`/console/operator/applications/${String(id)}`, {
    decision: 'approve',
    revision: '1',
    [`tier-${String(id)}`]: tier,
  })
  expect(answer.status).toBe(303)
  return { visitor, mailbox, accountId: String(account_id) }
}

/** Valid fields of the form for a new key. */
async function newKeyForm(visitor: ConsoleVisitor) {
  const { body } = await visitor.get('/console/keys/new')
  const formId = /name="formId" value="([^"]+)"/.exec(body)![1]!
  return { formId, name: 'Order system', environment: 'sandbox', 'scopes-contracts:read': 'yes', life: 'never' }
}

const secretIn = (body: string): string | undefined => /value="(paraph_(?:live|test)_\w+)"/.exec(body)?.[1]
const keysOf = (accountId: string) =>
  gateway.sql('select id, revoked_at from api_key where account_id = $1', [accountId])
const mailsTo = (mailbox: string) =>
  gateway.toOwners
    .filter(({ input }) => input?.['to'] === mailbox)
    .map(({ input }) => input!['kind'] ?? input!['purpose'])

describe('the onboarding [Authentication, D24, D38]', () => {
  it('leads from application to approval, plan and key, and notifies the owner by mail [S2.9, S18.4, S18.6]', async () => {
    const mailbox = newMailbox()
    const visitor = createConsoleVisitor(gateway)
    expect((await visitor.signIn(mailbox)).location).toBe('/console')
    expect((await visitor.get('/console')).location).toBe('/console/application')
    await visitor.submit('/console/application', APPLICATION)
    expect((await visitor.get('/console/application')).body).toContain('We have your application')
    // No keys before the approval, even by a direct request.
    expect((await visitor.get('/console/keys/new')).location).toBe('/console/keys')

    const { id, account_id: accountId } = await newestApplication(mailbox)
    await operator.submit(`/console/operator/applications/${String(id)}`, { decision: 'approve', revision: '1' })
    expect((await visitor.get('/console')).location).toBe('/console/plan')
    await visitor.submit('/console/plan', { tier: 'startup' })
    expect((await visitor.get('/console/plan')).body).toContain('Chosen, waiting for the operator')
    expectWithMessage((await visitor.get('/console/keys/new')).location, 'plan not granted yet').toBe('/console/keys')

    await operator.submit(`/console/operator/accounts/${String(accountId)}/grant`, { tier: 'startup', lastDay: '' })
    const created = await visitor.submit('/console/keys/new', await newKeyForm(visitor))
    expect(created.status).toBe(201)
    const key = secretIn(created.body)!
    expect((await gateway.call('GET', '/api/external/v2/status', { key })).status).toBe(200)
    await until(() => mailsTo(mailbox).length === 3)
    expect(mailsTo(mailbox)).toEqual(['sign_in', 'application_approved', 'key_created'])
  })

  it('shows the applicant the reason of a refusal and accepts another application', async () => {
    const mailbox = newMailbox()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    await visitor.submit('/console/application', APPLICATION)
    const { id } = await newestApplication(mailbox)
    const decide = (fields: Record<string, string>) =>
      operator.submit(`/console/operator/applications/${String(id)}`, fields)
    expectWithMessage((await decide({ decision: 'refuse' })).status, 'without a reason').toBe(422)
    await decide({ decision: 'refuse', revision: '1', [`reason-${String(id)}`]: 'Tell us who signs.' })
    expect((await visitor.get('/console/application')).body).toContain('Tell us who signs.')
    await until(() => mailsTo(mailbox).includes('application_refused'))
    expectWithMessage((await decide({ decision: 'approve', revision: '1' })).status, 'already decided').toBe(409)
    expect((await visitor.submit('/console/application', APPLICATION)).status).toBe(303)
    expect(await newestApplication(mailbox)).toMatchObject({ state: 'pending' })
    const again = await newestApplication(mailbox)
    const queue = (await operator.get('/console/operator/applications')).body
    expect(again['id']).not.toBe(id)
    expect(queue).toContain('1 earlier refusal')
  })

  it('lets an applicant change and withdraw a pending application', async () => {
    const mailbox = newMailbox()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    await visitor.submit('/console/application', APPLICATION)
    await visitor.submit('/console/application', { ...APPLICATION, company: 'Nordic Fish Ltd.' })
    expect((await visitor.get('/console/application')).body).toContain('Nordic Fish Ltd.')
    await visitor.submit('/console/application/withdraw')
    expect((await newestApplication(mailbox))['state']).toBe('withdrawn')
    expect((await visitor.get('/console')).location).toBe('/console/application')
  })

  it('creates one account and one application from repeated and late clicks', async () => {
    const mailbox = newMailbox()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    const form = { ...APPLICATION, formToken: await visitor.tokenOn('/console/application') }
    const send = () => visitor.post('/console/application', form)
    const answers = [...(await Promise.all([send(), send(), send()])), await send()]
    expect(answers.map(({ status, location }) => `${status} ${location}`)).toEqual(answers.map(() => '303 /console'))
    const states = () =>
      gateway.sql(
        'select state from application join account_owner using (account_id) where account_owner.mailbox = $1',
        [mailbox],
      )
    expect(await states()).toEqual([{ state: 'pending' }])
    const { id, revision } = await newestApplication(mailbox)
    const decision = { decision: 'approve', revision: String(revision) }
    await operator.submit(`/console/operator/applications/${String(id)}`, decision)
    for (const late of [send, () => visitor.submit('/console/application/withdraw')])
      expect(await late()).toMatchObject({ status: 303, location: '/console' })
    expect(await states()).toEqual([{ state: 'approved' }])
  })

  it('is approved on the command line only in the revision that it showed [D36, D38]', async () => {
    const mailbox = newMailbox()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    await visitor.submit('/console/application', APPLICATION)
    const id = String((await newestApplication(mailbox)).id)
    const { revision } = (await gateway.operator.application.show.query({ id })).application
    await visitor.submit('/console/application', { ...APPLICATION, company: 'Bank of Canada' })
    const approve = (shown: number) => gateway.operator.application.approve.mutate({ id, revision: shown })
    await expect(approve(revision)).rejects.toThrow('The applicant has changed this application.')
    expect((await newestApplication(mailbox)).state).toBe('pending')
    const read = (await gateway.operator.application.show.query({ id })).application
    expect([read.company, read.revision]).toEqual(['Bank of Canada', revision + 1])
    await approve(read.revision)
    expect((await newestApplication(mailbox)).state).toBe('approved')
    await expect(gateway.operator.application.show.query({ id: 'app_none' })).rejects.toThrow(
      'no application with this id',
    )
  })

  it('rejects a decision on an application that changed since the operator read it [D36]', async () => {
    const mailbox = newMailbox()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    await visitor.submit('/console/application', APPLICATION)
    const { id } = await newestApplication(mailbox)
    const decide = `/console/operator/applications/${String(id)}`
    const revisionShown = async () => {
      const { body } = await operator.get('/console/operator/applications')
      const form = body.slice(body.indexOf(`action="${decide}"`))
      return /name="revision" value="(\d+)"/.exec(form)![1]!
    }
    const read = { decision: 'approve', revision: await revisionShown() }
    await visitor.submit('/console/application', { ...APPLICATION, company: 'Another Bank of Nova Scotia' })
    const answer = await operator.submit(decide, read)
    expect(answer.status).toBe(409)
    expect(answer.body).toContain('Another Bank of Nova Scotia')
    expect((await newestApplication(mailbox))['state']).toBe('pending')
    expect((await operator.submit(decide, { ...read, revision: await revisionShown() })).status).toBe(303)
  })

  it('shows an error at every invalid field, keeps the typed values and creates nothing', async () => {
    const mailbox = newMailbox()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    const answer = await visitor.submit('/console/application', {
      company: 'verify@paraph.example',
      website: 'no website',
      purpose: 'It stays <here>.',
      volume: 'lots',
    })
    expect(answer.status).toBe(422)
    for (const id of ['company', 'website', 'contractTypes', 'otherParties', 'volume', 'terms'])
      expect(answer.body).toContain(`href="#${id}"`)
    expect(answer.body).toContain('It stays &lt;here>.')
    expect(await gateway.sql('select 1 from account_owner where mailbox = $1', [mailbox])).toEqual([])
    const long = await visitor.submit('/console/application', { ...APPLICATION, purpose: 'x'.repeat(70_000) })
    expect([long.status, /<h1>([^<]*)/.exec(long.body)?.[1]]).toEqual([413, 'The form is too long'])
  })
})

describe('a key in the console [D28]', () => {
  it('is shown once, in the response to the form, and is never stored in clear text [S18.5]', async () => {
    const { visitor, accountId } = await approvedOwner()
    const form = await newKeyForm(visitor)
    const created = await visitor.submit('/console/keys/new', form)
    const secret = secretIn(created.body)!
    expect(created.status).toBe(201)
    expect(created.headers['cache-control']).toBe('no-store')
    expect(created.headers['location']).toBeUndefined()
    const again = await visitor.submit('/console/keys/new', form)
    expectWithMessage(again.status, 'a second click').toBe(409)
    expect(again.body).not.toContain(secret)
    expect(await keysOf(accountId)).toHaveLength(1)
    for (const path of ['/console/keys', '/console/keys/new', '/console/account/audit', '/console/account/export'])
      expect((await visitor.get(path)).body).not.toContain(secret)
    const tables = await gateway.sql("select table_name from information_schema.tables where table_schema = 'public'")
    for (const { table_name: table } of tables) {
      const rows = await gateway.sql(`select 1 from "${String(table)}" t where strpos(t::text, $1) > 0`, [secret])
      expectWithMessage(rows, String(table)).toEqual([])
    }
  })

  it('is included in the key count of the page, and its hint appears in the code samples for its owner [D28]', async () => {
    const { visitor } = await approvedOwner()
    const countIn = (body: string) => /<span>API access<\/span> <span class="count">(\d+)</.exec(body)![1]
    const sampleIn = ({ body }: { body: string }) => /export PARAPH_KEY=(\S+)/.exec(body)![1]
    const anybody = createConsoleVisitor(gateway)
    expect((await anybody.get('/docs')).body).toContain('Sign in to the console')
    expect((await visitor.get('/docs')).body).toContain('You have no active sandbox key.')

    const created = await visitor.submit('/console/keys/new', await newKeyForm(visitor))
    const secret = secretIn(created.body)!
    expect(countIn(created.body)).toBe('1')
    const live = { ...(await newKeyForm(visitor)), environment: 'production' as const }
    expect(countIn((await visitor.submit('/console/keys/new', live)).body)).toBe('2')
    const hint = `paraph_test_…${secret.slice(-4)}`
    const read = await visitor.get('/docs')
    expect([sampleIn(read), sampleIn(await anybody.get('/docs'))]).toEqual([hint, 'paraph_test_…'])
    expect(read.headers['cache-control']).toBe('no-store')

    const id = /\/console\/keys\/([\w-]+)\/revoke/
    const page = (await visitor.get('/console/keys')).body
    const [, testKey] = id.exec(page.slice(page.indexOf(hint)))!
    await visitor.submit(`/console/keys/${testKey}/revoke`)
    expectWithMessage(sampleIn(await visitor.get('/docs')), 'after the revocation').toBe('paraph_test_…')
  })

  it('is created once by two simultaneous clicks', async () => {
    const { visitor, accountId } = await approvedOwner()
    const form = await newKeyForm(visitor)
    const answers = await Promise.all([1, 2, 3].map(() => visitor.submit('/console/keys/new', form)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(await keysOf(accountId)).toHaveLength(1)
  })

  it('takes its lifetime from the form’s choices; any other value is an error, not a key without expiry', async () => {
    const { visitor, accountId } = await approvedOwner()
    for (const life of ['', '31', 'constructor', '__proto__', undefined]) {
      const { life: _, ...form } = await newKeyForm(visitor)
      const { status, body } = await visitor.submit('/console/keys/new', life === undefined ? form : { ...form, life })
      expectWithMessage(status, String(life)).toBe(422)
      expect(body).toContain('href="#life"')
    }
    expect(await keysOf(accountId)).toEqual([])
  })

  it('is rotated with an overlap, and revoked on a page of its own', async () => {
    const { visitor, accountId } = await approvedOwner()
    const first = secretIn((await visitor.submit('/console/keys/new', await newKeyForm(visitor))).body)!
    const [{ id }] = (await keysOf(accountId)) as [{ id: string }]
    const rotation = (await visitor.get(`/console/keys/${id}/rotate`)).body
    const formId = /name="formId" value="([^"]+)"/.exec(rotation)![1]!
    const rotated = await visitor.submit(`/console/keys/${id}/rotate`, { formId, overlap: '1' })
    const second = secretIn(rotated.body)!
    const isGood = async (key: string) => (await gateway.call('GET', '/api/external/v2/status', { key })).status
    expect([await isGood(first), await isGood(second)]).toEqual([200, 200])
    expect((await visitor.get(`/console/keys/${id}/revoke`)).body).toContain('Revoke “Order system”?')
    await visitor.submit(`/console/keys/${id}/revoke`)
    await until(async () => (await isGood(first)) === 401)
    expect(await isGood(second)).toBe(200)
  })

  it('that is revoked during its rotation does not cause the error about too many keys', async () => {
    const { visitor, accountId } = await approvedOwner()
    await visitor.submit('/console/keys/new', await newKeyForm(visitor))
    const [{ id }] = (await keysOf(accountId)) as [{ id: string }]
    const release = await gateway.lock(`select 1 from account where id = '${accountId}' for update`)
    const rotating = visitor.submit(`/console/keys/${id}/rotate`, { formId: randomUUID(), overlap: '1' })
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await until(async () => (await gateway.sql(waiting)).length > 0)
    await gateway.sql('update api_key set revoked_at = now() where id = $1', [id])
    release()
    expect(await rotating).toMatchObject({ status: 303, location: '/console/keys' })
    expect(await keysOf(accountId)).toHaveLength(1)
  })

  it('cannot be rotated while the account is suspended or after the plan has ended [D37, D38]', async () => {
    const { visitor, accountId } = await approvedOwner()
    await visitor.submit('/console/keys/new', await newKeyForm(visitor))
    const [{ id }] = (await keysOf(accountId)) as [{ id: string }]
    for (const act of ['suspend', 'resume', 'end-plan']) {
      await operator.submit(`/console/operator/accounts/${accountId}/${act}`)
      if (act === 'resume') continue
      expect((await visitor.get('/console/keys')).body).not.toContain(`/console/keys/${id}/rotate`)
      expectWithMessage((await visitor.get(`/console/keys/${id}/rotate`)).location, act).toBe('/console/keys')
      const form = { formId: randomUUID(), overlap: '1' }
      expectWithMessage((await visitor.submit(`/console/keys/${id}/rotate`, form)).location, act).toBe('/console/keys')
    }
    expectWithMessage((await visitor.get(`/console/keys/${id}/revoke`)).status, 'revoking is always possible').toBe(200)
    expect(await keysOf(accountId)).toHaveLength(1)
  })

  it('of a trial works in the sandbox only', async () => {
    const trial = await startTestGateway({ AUTO_APPROVE: 'trial' })
    try {
      const visitor = createConsoleVisitor(trial)
      await visitor.signIn('quick@nordicfoods.example')
      await visitor.submit('/console/application', APPLICATION)
      expectWithMessage((await visitor.get('/console')).location, 'approved without an operator').toBe('/console/plan')
      const formToken = await visitor.tokenOn('/console/plan')
      const clicks = [1, 2, 3].map(() => visitor.post('/console/plan', { tier: 'startup', from: '', formToken }))
      for (const click of await Promise.all(clicks)) expect(click.location).toMatch(/^\/console(\/keys)?$/)
      expect((await visitor.get('/console/plan')).body).not.toContain('Chosen, waiting')
      const form = await newKeyForm(visitor)
      const refused = await visitor.submit('/console/keys/new', { ...form, environment: 'production' })
      expect(refused.status).toBe(422)
      expect(refused.body).toContain('Production keys need a paid plan')
      const created = await visitor.submit('/console/keys/new', form)
      expect(secretIn(created.body)).toMatch(/^paraph_test_/)
      const plan = {
        tier: 'startup',
        from: /name="from" value="([^"]*)"/.exec((await visitor.get('/console/plan')).body)![1]!,
      }
      expectWithMessage((await visitor.submit('/console/plan', plan)).location, 'a paid plan after its trial').toBe(
        '/console/plan',
      )
      expect((await visitor.get('/console/plan')).body).toContain('Chosen, waiting for the operator')
      const acts = (await visitor.get('/console/account/audit')).body
      expect(acts).toContain('Paraph itself')
    } finally {
      await trial.stop()
    }
  })
})

describe('an attacker', () => {
  it('cannot post a form without its token, with the token of another session, or from another site', async () => {
    const one = await approvedOwner()
    const other = await approvedOwner()
    const form = await newKeyForm(one.visitor)
    const token = await one.visitor.tokenOn('/console/sign-out')
    const foreign = await other.visitor.tokenOn('/console/sign-out')
    const attempts = [
      await one.visitor.post('/console/keys/new', form),
      await one.visitor.post('/console/keys/new', { ...form, formToken: foreign }),
      await one.visitor.post('/console/keys/new', { ...form, formToken: token }, { 'sec-fetch-site': 'cross-site' }),
      await one.visitor.post('/console/keys/new', { ...form, formToken: token }, { origin: 'https://evil.example' }),
    ]
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await keysOf(one.accountId)).toEqual([])
  })

  it('cannot use session fixation: sign-in creates a new session and ends the previous one [D33]', async () => {
    const { visitor, mailbox } = await approvedOwner()
    const planted = 'A'.repeat(43)
    const victim = createConsoleVisitor(gateway)
    victim.jar.set('console', planted)
    await victim.signIn(mailbox)
    expect(victim.jar.get('console')).toMatch(/^[\w-]{43}$/)
    expect(victim.jar.get('console')).not.toBe(planted)
    // A code of another mailbox, typed in a browser that is already signed in.
    const before = visitor.jar.get('console')!
    const otherTab = createConsoleVisitor(gateway)
    otherTab.jar.set('console-browser', visitor.jar.get('console-browser')!)
    const formToken = await otherTab.tokenOn('/console/sign-in')
    const other = newMailbox()
    const asked = await visitor.post('/console/sign-in', { email: other, formToken })
    await visitor.post(asked.location!, { code: await codeFor(gateway, other), formToken })
    expect(visitor.jar.get('console')).not.toBe(before)
    const thief = createConsoleVisitor(gateway)
    thief.jar.set('console', before)
    expect((await thief.get('/console/keys')).location).toMatch(/^\/console\/sign-in/)
  })

  it('cannot redirect a visitor to another site after sign-in', async () => {
    for (const next of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/console/../docs',
      '/console?x=//e',
      '/evil',
    ])
      expectWithMessage((await createConsoleVisitor(gateway).signIn(newMailbox(), next)).location, next).toBe(
        '/console',
      )
    const kept = await createConsoleVisitor(gateway).signIn(newMailbox(), '/console/account/audit')
    expect(kept.location).toBe('/console/account/audit')
  })

  it('cannot reach another tenant’s key, invitation, mailbox or account by its id', async () => {
    const one = await approvedOwner()
    const other = await approvedOwner()
    await other.visitor.submit('/console/keys/new', await newKeyForm(other.visitor))
    const [{ id }] = (await keysOf(other.accountId)) as [{ id: string }]
    for (const act of ['rotate', 'revoke'])
      expect((await one.visitor.get(`/console/keys/${id}/${act}`)).status).toBe(404)
    await one.visitor.submit(`/console/keys/${id}/revoke`)
    const stolen = await one.visitor.submit(`/console/keys/${id}/rotate`, { formId: randomUUID(), overlap: '0' })
    expect(stolen.status).toBe(404)
    expect(await keysOf(other.accountId)).toEqual([{ id, revoked_at: null }])
    const chosen = await one.visitor.submit('/console/accounts', { account: other.accountId, answer: 'open' })
    expect(chosen.status).toBe(404)
    const asked = await other.visitor.submit('/console/account/reply', { reply: `answers-${other.mailbox}` })
    expectWithMessage((await one.visitor.get(asked.location!)).location, 'the code page of another account').toBe(
      '/console/account',
    )
  })

  it('cannot change one account with the form of another that was opened in a second tab', async () => {
    const one = await approvedOwner()
    const other = await approvedOwner()
    await other.visitor.submit('/console/account/owners', { owner: one.mailbox, role: 'owner' })
    await one.visitor.submit('/console/accounts', { account: other.accountId, answer: 'yes' })
    const formToken = await one.visitor.tokenOn('/console/account')
    await one.visitor.submit('/console/accounts', { account: one.accountId, answer: 'open' })
    const guest = newMailbox()
    const invited = await one.visitor.post('/console/account/owners', { formToken, owner: guest, role: 'owner' })
    expect(invited.status).toBe(403)
    expect(await gateway.sql('select 1 from account_owner where mailbox = $1', [guest])).toEqual([])
    const chosen = await one.visitor.post('/console/accounts', { formToken, account: other.accountId, answer: 'open' })
    expectWithMessage(chosen.status, 'the form that chooses an account is bound to none').toBe(303)
  })

  it('cannot set values that a form does not offer', async () => {
    const { visitor, accountId } = await approvedOwner('startup')
    await visitor.submit('/console/account/settings', {
      senderName: 'Nordic procurement',
      name: 'Bank of Canada',
      language: 'fr',
      timeZone: 'America/Toronto',
      onDecline: 'cancel',
      reminders: 'remindNobody',
      tier: 'enterprise',
      status: 'active',
      subscription_status: 'active',
      id: 'acc_other',
      stopAtQuota: 'yes',
      period_end: '2099-01-01',
      approved_at: '2020-01-01',
      replyAddress: 'me@evil.example',
    })
    const [row] = await gateway.sql('select * from account where id = $1', [accountId])
    expect(row).toMatchObject({ sender_name: 'Nordic procurement', language: 'fr', time_zone: 'America/Toronto' })
    expect(row).toMatchObject({ cancels_on_decline: true, reminds_parties: false })
    expectWithMessage(row, 'only the operator can change the approved name [D36]').toMatchObject({
      name: APPLICATION.company,
      tier: 'startup',
    })
    expect(row).toMatchObject({ stop_at_quota: false, reply_address: null, period_end: null })
    expectWithMessage(
      (await visitor.submit('/console/plan', { tier: 'load' })).status,
      'a tier that is not offered',
    ).toBe(400)
  })

  it('cannot request more than 30 codes an hour from one client address', async () => {
    const visitor = createConsoleVisitor(gateway)
    const formToken = await visitor.tokenOn('/console/sign-in')
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1)
      statuses.push((await visitor.post('/console/sign-in', { email: newMailbox(), formToken })).status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('an owner', () => {
  it('confirms the reply address by a code that signs nobody in [D36]', async () => {
    const { visitor, accountId, mailbox } = await approvedOwner()
    const reply = `answers-${mailbox}`
    const replyOf = async () =>
      (await gateway.sql('select reply_address from account where id = $1', [accountId]))[0]!['reply_address']
    const asked = await visitor.submit('/console/account/reply', { reply })
    expectWithMessage(await replyOf(), 'a typed address is not proven yet').toBeNull()
    const code = await codeFor(gateway, reply)
    expect(
      (await visitor.submit(asked.location!, { code: code === '00000000' ? '00000001' : '00000000' })).status,
    ).toBe(422)
    await visitor.submit(asked.location!, { code })
    expect(await replyOf()).toBe(reply)
    expect(await gateway.sql('select 1 from mailbox_session where mailbox = $1 and ended_at is null', [reply])).toEqual(
      [],
    )
    await visitor.submit('/console/account/reply-remove')
    expect(await replyOf()).toBeNull()
    await until(() => mailsTo(mailbox).filter((kind) => kind === 'reply_address_changed').length === 2)
  })

  it('invites another person, who becomes an owner by accepting; the last owner cannot be removed', async () => {
    const { visitor, mailbox, accountId } = await approvedOwner()
    const second = newMailbox()
    await visitor.submit('/console/account/owners', { owner: second, role: 'owner' })
    await until(() => mailsTo(second).includes('owner_invited'))
    const guest = createConsoleVisitor(gateway)
    await guest.signIn(second)
    expectWithMessage((await guest.get('/console/keys')).location, 'no access before acceptance').toBe('/console')
    await guest.submit('/console/accounts', { account: accountId, answer: 'yes' })
    expect((await guest.get('/console/keys')).status).toBe(200)
    await guest.submit('/console/account/owners/remove', { owner: mailbox })
    expectWithMessage((await visitor.get('/console/keys')).location, 'a removed owner has no access').toBe('/console')
    const last = await guest.submit('/console/account/owners/remove', { owner: second })
    expect(last.status).toBe(422)
    expect((await guest.get('/console/keys')).status).toBe(200)
  })

  it('cannot cause mail to other mailboxes before an operator has approved the account [D36]', async () => {
    const [mailbox, stranger] = [newMailbox(), newMailbox()]
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    await visitor.submit('/console/application', APPLICATION)
    const asked = await visitor.submit('/console/account/owners', { owner: stranger, role: 'owner' })
    expect(asked.status).toBe(422)
    expect(asked.body).toContain('once your application is approved')
    const reply = await visitor.submit('/console/account/reply', { reply: stranger })
    const shown = await visitor.get(reply.location!)
    expect([shown.status, shown.body.includes('once your application is approved')]).toEqual([422, true])
    expect(await gateway.sql('select 1 from code_send where mailbox = $1', [stranger])).toEqual([])
    expect(
      await gateway.sql("select 1 from owner_mail where kind = 'owner_invited' and address = $1", [stranger]),
    ).toEqual([])
  })

  it('cannot cause a code mail in the name of the account while it is suspended, neither first nor again [D36, D37]', async () => {
    const { visitor, accountId } = await approvedOwner()
    const [first, second] = [newMailbox(), newMailbox()]
    const asked = await visitor.submit('/console/account/reply', { reply: first })
    const challenge = asked.location!.split('/').at(-1)!
    await operator.submit(`/console/operator/accounts/${accountId}/suspend`)
    await gateway.sql("update code_send set created_at = created_at - interval '10 minutes' where mailbox = $1", [
      first,
    ])
    for (const [path, fields] of [
      ['reply', { reply: second }],
      ['reply-again', { challenge }],
    ] as const) {
      const { location } = await visitor.submit(`/console/account/${path}`, fields)
      expectWithMessage(location, path).toBe('/console/account?reply=replyOnHold')
      expect((await visitor.get(location!)).body).toContain('while the account is suspended')
    }
    const sent = await gateway.sql('select mailbox from code_send where mailbox = any($1)', [[first, second]])
    expect(sent).toEqual([{ mailbox: first }])
  })

  it('keeps their pages when invited to another account, and sees the invitation at the start', async () => {
    const { mailbox, accountId } = await approvedOwner()
    const other = await approvedOwner()
    const visitor = createConsoleVisitor(gateway)
    await visitor.signIn(mailbox)
    await other.visitor.submit('/console/account/owners', { owner: mailbox, role: 'owner' })
    expect((await visitor.submit('/console/keys/new', await newKeyForm(visitor))).status).toBe(201)
    expect((await visitor.get('/console')).location).toBe('/console/accounts')
    await visitor.submit('/console/accounts', { account: accountId, answer: 'open' })
    expect((await visitor.get('/console')).location).toBe('/console/overview')
  })

  it('sends at most 20 invitations a day, one to each stranger, and none while suspended [D24, D37]', async () => {
    const { visitor, accountId, mailbox } = await approvedOwner()
    const invite = async (owner: string) => {
      const { status, body } = await visitor.submit('/console/account/owners', { owner, role: 'owner' })
      return `${status} ${/field-error"[^>]*>([^<]*)/.exec(body)?.[1] ?? ''}`.trim()
    }
    const stranger = newMailbox()
    for (let n = 0; n < 3; n += 1) {
      expect(await invite(stranger)).toBe('303')
      await visitor.submit('/console/account/owners/remove', { owner: stranger })
    }
    expect(await invite(mailbox)).toBe('422 This address already has access, or an invitation')
    for (let n = 1; n < 20; n += 1) expectWithMessage(await invite(newMailbox()), `invitation ${n + 1}`).toBe('303')
    expect(await invite(newMailbox())).toMatch(/^422 An account can have 20 people/)
    await gateway.sql('delete from account_owner where account_id = $1 and confirmed_at is null', [accountId])
    expect(await invite(newMailbox())).toMatch(/^422 You can invite 20 people in 24 hours/)
    expectWithMessage(await invite(stranger), 'a repeated invitation sends no mail').toBe('303')
    await operator.submit(`/console/operator/accounts/${accountId}/suspend`)
    expect(await invite(newMailbox())).toMatch(/^422 You cannot invite anyone while the account is suspended/)
    const queued = await gateway.sql(
      "select count(*)::int as mails from owner_mail where account_id = $1 and kind = 'owner_invited'",
      [accountId],
    )
    expect(queued).toEqual([{ mails: 20 }])
  })

  it('sees the chosen plan beside the current plan, and after the current plan has ended [Subscription tiers]', async () => {
    const { visitor, accountId } = await approvedOwner('startup')
    const choose = async (tier: string) => {
      await visitor.submit('/console/plan', { tier, from: 'startup' })
      return (await visitor.get('/console/plan')).body
    }
    const both = await choose('enterprise')
    expect(both).toContain('Your plan')
    expect(both).toContain('Chosen, waiting for the operator')
    await operator.submit(`/console/operator/accounts/${accountId}/suspend`)
    expect((await visitor.get('/console/plan')).body).toContain('name="from" value="startup"')
    await operator.submit(`/console/operator/accounts/${accountId}/end-plan`)
    expect(await choose('growth')).toContain('Chosen, waiting for the operator')
  })

  it('sees until when keys work while the payment is overdue, and then that they stopped [Subscription tiers]', async () => {
    const { visitor, accountId } = await approvedOwner()
    const end = (interval: string) =>
      gateway.sql(`update account set period_end = now() - $1::interval where id = $2`, [interval, accountId])
    await end('6 days')
    expect((await visitor.get('/console/keys')).body).toContain('Your payment is overdue. Your keys stop working on')
    expect((await visitor.get('/console/keys/new')).status).toBe(200)
    await end('7 days')
    expect((await visitor.get('/console/keys')).body).toContain('Your subscription has ended')
    expect((await visitor.get('/console/keys/new')).location).toBe('/console/keys')
  })

  it('sees the usage of a month that the list offers, and of the current month for any other value [Usage, D3]', async () => {
    const { visitor } = await approvedOwner()
    const titleOf = async (month: string) => {
      const { status, body } = await visitor.get(`/console/overview?month=${month}`)
      return `${status} ${/<h1>([^<]*)/.exec(body)![1]}`
    }
    const running = await titleOf('none')
    const lastYear = new Date()
    lastYear.setUTCDate(1)
    lastYear.setUTCMonth(lastYear.getUTCMonth() - 11)
    expect(await titleOf(lastYear.toISOString().slice(0, 7))).not.toBe(running)
    // A chart of all days since the year 0 would block every other request.
    for (const month of ['0000-01', '0001-01', '1999-12', '2026-13', '9999-01'])
      expectWithMessage(await titleOf(month), month).toBe(running)
  })

  it('is warned of a used-up quota in the current month only [D4]', async () => {
    const { visitor, accountId } = await approvedOwner('startup')
    const use = (day: Date) =>
      gateway.sql(
        "insert into usage (account_id, environment, day, endpoint, total, billable) values ($1, 'production', $2, 'POST /contracts', 6000, 6000)",
        [accountId, day.toISOString().slice(0, 10)],
      )
    const endOfLast = new Date()
    endOfLast.setUTCDate(0)
    await use(endOfLast)
    const last = (await visitor.get(`/console/overview?month=${endOfLast.toISOString().slice(0, 7)}`)).body
    expect(last).toContain('6,000 of 5,000 calls used')
    expect(last).not.toContain('You are over your quota')
    await use(new Date())
    expect((await visitor.get('/console/overview')).body).toContain('You are over your quota')
  })

  it('requests an erasure with a mail to every owner, takes it back, and cannot request one while suspended [D43, P32]', async () => {
    const { visitor, mailbox, accountId } = await approvedOwner()
    const second = newMailbox()
    await visitor.submit('/console/account/owners', { owner: second, role: 'owner' })
    const guest = createConsoleVisitor(gateway)
    await guest.signIn(second)
    await guest.submit('/console/accounts', { account: accountId, answer: 'yes' })
    const at = '2026-12-02T14:03:00.000Z'
    let erasure: { at: string; by: string } | null = null
    const asked: unknown[] = []
    gateway.far.rpc['console.detail'] = () => ({ ...CANCELLED_CONTRACT, erasure })
    gateway.far.rpc['console.requestErasure'] = (input) => {
      asked.push(input)
      const outcome = erasure ? 'already_requested' : 'requested'
      erasure ??= { at, by: mailbox }
      return { outcome, at }
    }
    gateway.far.rpc['console.keep'] = () => {
      erasure = null
      return { outcome: 'kept' }
    }
    const path = `/console/contracts/production/${CANCELLED_CONTRACT.id}`
    const number = CANCELLED_CONTRACT.contractNumber
    const requested = await visitor.submit(`${path}/erase`, { number })
    expect(requested.body).toContain('This contract will be erased after')
    expect(requested.body).toContain('Keep this contract')
    expect(requested.body).not.toContain('href="/console/contracts/production/contract-1-a/erase"')
    await visitor.submit(`${path}/erase`, { number })
    expect(asked).toEqual([
      { id: CANCELLED_CONTRACT.id, by: mailbox },
      { id: CANCELLED_CONTRACT.id, by: mailbox },
    ])
    for (const to of [mailbox, second]) await until(() => mailsTo(to).includes('erasure_requested'))
    expect(mailsTo(second).filter((kind) => kind === 'erasure_requested')).toHaveLength(1)
    await operator.submit(`/console/operator/accounts/${accountId}/suspend`)
    expect((await guest.submit(`${path}/keep`)).body).toContain('The contract will not be erased.')
    const refused = await visitor.submit(`${path}/erase`, { number })
    expect(refused.body).toContain('only the operator can erase contracts')
    expect((await visitor.get(`${path}/erase`)).location).toBe(path)
    expect(asked).toHaveLength(2)
    const acts = await gateway.sql(
      "select act, mailbox from audit_entry where account_id = $1 and act like 'contract.%' order by id",
      [accountId],
    )
    expect(acts).toEqual([
      { act: 'contract.erasure_requested', mailbox },
      { act: 'contract.kept', mailbox: second },
    ])
  })

  it('exports all data of the account as JSON, and no data of another account', async () => {
    const one = await approvedOwner()
    const other = await approvedOwner()
    gateway.far.exported = [
      { contracts: [{ id: 'contract-1' }], older: '1.x' },
      { contracts: [], older: null },
    ]
    const { headers, body } = await one.visitor.get('/console/account/export')
    expect(headers['content-disposition']).toBe(`attachment; filename="${one.accountId}.json"`)
    const exported = JSON.parse(body) as Record<string, unknown>
    expect(exported).toMatchObject({
      account: { id: one.accountId },
      owners: [{ mailbox: one.mailbox }],
      applications: [{ state: 'approved' }],
      keys: [],
      productionContracts: [{ id: 'contract-1' }],
      sandboxContracts: [],
    })
    expect(exported).toHaveProperty('usage.production.length', 12)
    expect((exported['acts'] as { act: string }[])[0]).toMatchObject({ act: 'account.exported' })
    expect(body).not.toContain(other.accountId)
    expect(body).not.toContain(other.mailbox)
  })

  it('can be exported six times an hour; then the page says when again, with Retry-After [P34]', async () => {
    const { visitor, mailbox } = await approvedOwner()
    for (let n = 0; n < 6; n += 1) expect((await visitor.get('/console/account/export')).status).toBe(200)
    const { status, headers, body } = await visitor.get('/console/account/export')
    expect([status, body.includes('exported several times in the last hour')]).toEqual([429, true])
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_500)
    await until(() => mailsTo(mailbox).includes('account_exported'))
    expect(mailsTo(mailbox).filter((kind) => kind === 'account_exported')).toHaveLength(1)
  })

  it('gets a broken download, which does not look complete, if the contract service fails during the export', async () => {
    const { visitor } = await approvedOwner()
    gateway.far.exported = [{ contracts: [{ id: 'contract-1' }], older: '1.x' }, undefined]
    await expect(visitor.get('/console/account/export')).rejects.toThrow()
    gateway.far.exported = [{ contracts: [], older: null }]
  })
})

describe('the list of contracts [D71]', () => {
  const FILTER =
    'environment=production&search=Jane+Roe&status=open&contractType=nda&problem=declined&from=2026-11-20&until=2026-11-20'
  const listed = {
    id: 'contract-1-a',
    contractNumber: 'EXT-20261120-7KQ4MXTA',
    contractType: 'nda',
    senderName: '=cmd|calc',
    partyNames: ['Café "Nord"', 'Jane Roe'],
    status: 'partially_signed',
    signed: 1,
    total: 3,
    createdAt: '2026-11-20T14:03:11.482Z',
    expiresAt: '2026-12-04T14:03:11.482Z',
    endedAt: null,
    isErased: false,
    eraseDueAt: null,
    isHeld: false,
    deliveryProblem: 'refused',
    isDeclined: true,
  }
  const empty = gatewayList([])
  afterEach(() => {
    gateway.far.rpc['console.list'] = () => empty
  })
  function gatewayList(contracts: object[], more: object = {}) {
    return { contracts, older: null, newer: null, isCut: false, broad: [], ...more }
  }

  it('is searched and filtered by the address of the page, with the days of the account’s time zone', async () => {
    const { visitor, accountId } = await approvedOwner()
    await gateway.sql("update account set time_zone = 'America/Toronto' where id = $1", [accountId])
    const asked: unknown[] = []
    gateway.far.rpc['console.list'] = (input) => {
      asked.push(input)
      return gatewayList([listed], { older: '1.a', newer: '2.b', isCut: true, broad: ['ROE'] })
    }
    const { body } = await visitor.get(`/console/contracts?${FILTER}&older=9.c`)
    expect(asked).toEqual([
      {
        search: 'Jane Roe',
        status: 'open',
        contractType: 'nda',
        problem: 'declined',
        createdFrom: '2026-11-20T05:00:00.000Z',
        createdBefore: '2026-11-21T05:00:00.000Z',
        page: { older: '9.c' },
      },
    ])
    for (const text of [
      'and 1 other',
      'Email refused',
      'A party declined',
      'whole word: roe',
      'Search older contracts',
    ])
      expectWithMessage(body, text).toContain(text)
    for (const link of [`/console/contracts?${FILTER}&older=1.a`, `/console/contracts/export?${FILTER}`])
      expectWithMessage(body, link).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
    for (const value of ['value="Jane Roe"', 'value="2026-11-20"']) expect(body).toContain(value)
  })

  it('is downloaded as CSV with the same filter, page by page, without formulas, and leaves an audit entry', async () => {
    const { visitor, mailbox, accountId } = await approvedOwner()
    const asked: { page?: unknown; limit?: unknown; search?: unknown }[] = []
    gateway.far.rpc['console.list'] = (input) => {
      asked.push(input as object)
      return gatewayList([listed], { older: asked.length < 3 ? `${asked.length}.a` : null })
    }
    const { status, headers, body } = await visitor.get(`/console/contracts/export?${FILTER}`)
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toMatch(/^attachment; filename="contracts-production-\d{4}-\d\d-\d\d\.csv"$/)
    expect(asked.map(({ page }) => page)).toEqual([undefined, { older: '1.a' }, { older: '2.a' }])
    expect(asked.every(({ search, limit }) => search === 'Jane Roe' && limit === 50)).toBe(true)
    const lines = body.trim().split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toBe(
      `"EXT-20261120-7KQ4MXTA","contract-1-a","nda","partially_signed","'=cmd|calc","Café ""Nord""; Jane Roe","3","1","refused","yes",` +
        '"2026-11-20T14:03:11.482Z","2026-12-04T14:03:11.482Z",""',
    )
    const acts = await gateway.sql(
      "select act, mailbox from audit_entry where account_id = $1 and act like '%exported'",
      [accountId],
    )
    expect(acts).toEqual([{ act: 'contracts.exported', mailbox }])
    await until(() => mailsTo(mailbox).includes('account_exported'))
  })

  it('counts with the exports of the account, six an hour [P34]', async () => {
    const { visitor } = await approvedOwner()
    for (const path of ['account', 'contracts', 'account', 'contracts', 'account', 'contracts'])
      expect((await visitor.get(`/console/${path}/export`)).status).toBe(200)
    for (const path of ['account', 'contracts']) {
      const { status, headers } = await visitor.get(`/console/${path}/export`)
      expect([status, Number(headers['retry-after']) > 3_500]).toEqual([429, true])
    }
  })

  it('gets a broken download, which does not look complete, if the contract service fails during the export', async () => {
    const { visitor } = await approvedOwner()
    let calls = 0
    gateway.far.rpc['console.list'] = () => ((calls += 1) === 1 ? gatewayList([listed], { older: '1.a' }) : undefined)
    await expect(visitor.get('/console/contracts/export')).rejects.toThrow()
  })
})

it('the overview begins with the contracts, each number a link to its list [D71]', async () => {
  const { visitor } = await approvedOwner()
  const count = (number: number) => ({ count: number, isMore: number === 1_000 })
  gateway.far.rpc['console.overview'] = () => ({
    waiting: count(1_000),
    expiring: count(4),
    delivery: count(3),
    declined: count(2),
    completed: count(5),
    medianMs: 14 * 3_600_000,
  })
  const { body } = await visitor.get('/console/overview?environment=production')
  const figures = [...body.matchAll(/<dt>([^<]*)<\/dt><dd>(?:<a href="([^"]*)">)?([^<]*)/g)].map(([, , href, text]) => [
    href,
    text,
  ])
  const list = '/console/contracts?environment=production&amp;'
  expect(figures.slice(0, 6)).toEqual([
    [`${list}status=open`, '1,000+'],
    [`${list}status=expiring`, '4'],
    [`${list}problem=delivery`, '3'],
    [`${list}problem=declined`, '2'],
    [`${list}status=signed`, '5'],
    [undefined, '14\u00A0hours'],
  ])
  delete gateway.far.rpc['console.overview']
  expect((await visitor.get('/console/overview?environment=production')).body).toContain(
    'Contract numbers are unavailable',
  )
})

describe('the environment of a page', () => {
  /** Lets the contract service count contracts in each environment. */
  const countContracts = (counts: Record<'production' | 'sandbox', number>) => {
    gateway.far.rpc['console.count'] = (_, environment) => {
      const total = { count: counts[environment!], isMore: false }
      return { total }
    }
  }
  afterAll(() => {
    delete gateway.far.rpc['console.count']
  })
  const shownIn = ({ body }: { body: string }) => {
    const [, tab] = /aria-current="page">(Production|Sandbox)</.exec(body)!
    const [, count] = /<span>Contracts<\/span> <span class="count">(\d+)</.exec(body)!
    return `${tab} ${count}`
  }

  it('is the one with contracts if the address names none, and the side list counts what the page shows', async () => {
    const { visitor } = await approvedOwner()
    for (const [counts, shown] of [
      [{ production: 0, sandbox: 3 }, 'Sandbox 3'],
      [{ production: 2, sandbox: 3 }, 'Production 2'],
      [{ production: 0, sandbox: 0 }, 'Production 0'],
    ] as const) {
      countContracts(counts)
      for (const path of ['/console/contracts', '/console/overview'])
        expectWithMessage(shownIn(await visitor.get(path)), path).toBe(shown)
    }
  })

  it('is also named by the words of keys; an unknown name is not found', async () => {
    const { visitor } = await approvedOwner()
    countContracts({ production: 2, sandbox: 3 })
    for (const [name, shown] of [
      ['test', 'Sandbox 3'],
      ['live', 'Production 2'],
    ])
      expect(shownIn(await visitor.get(`/console/contracts?environment=${name}`))).toBe(shown)
    for (const name of ['staging', '', 'test&environment=live'])
      expectWithMessage((await visitor.get(`/console/contracts?environment=${name}`)).status, name).toBe(404)
  })

  it('without contracts leads to the contracts of the other environment', async () => {
    const { visitor } = await approvedOwner()
    countContracts({ production: 0, sandbox: 1 })
    const { body } = await visitor.get('/console/contracts?environment=production')
    expect(body).toContain('<a href="/console/contracts?environment=sandbox">1 contract in the sandbox</a>')
  })
})

describe('the link to the other language [D25]', () => {
  const linkIn = (body: string) => /href="([^"]*lang=fr[^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')

  it('keeps path and query of the page; after a form it leads to the page of the form', async () => {
    const { visitor, accountId } = await approvedOwner()
    const filters = '/console/contracts?environment=sandbox&status=signed'
    expect(linkIn((await visitor.get(filters)).body)).toBe(`${filters}&lang=fr`)
    const asked = await visitor.submit('/console/account/reply', { reply: newMailbox() })
    const answers = [
      await visitor.submit('/console/account/settings', { senderName: '' }),
      await visitor.submit('/console/account/owners', { owner: 'nobody' }),
      await visitor.submit(asked.location!, { code: '' }),
      await visitor.submit('/console/keys/new', {}),
      await visitor.post('/console/overview/quota', {}),
      await operator.submit(`/console/operator/accounts/${accountId}/grant`, { tier: '' }),
      await operator.submit('/console/operator/applications/app_none', { decision: 'refuse' }),
    ]
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400)
      const link = linkIn(body)!
      const page = await (link.includes('/operator/') ? operator : visitor).get(link.replace('lang=fr', 'lang=en'))
      expectWithMessage(page.status, link).toBe(200)
    }
  })

  it('is missing on the page that shows a key, since the key cannot be shown again [D28]', async () => {
    const { visitor } = await approvedOwner()
    const created = await visitor.submit('/console/keys/new', await newKeyForm(visitor))
    expect(secretIn(created.body)).toBeDefined()
    expect(linkIn(created.body)).toBeUndefined()
  })
})

describe('an operator', () => {
  it('gets the first accounts for a cursor that no account can have', async () => {
    for (const place of ['name=%00&id=acc_1', 'name=Nordic&id=%00', 'name=Nordic', 'name=a&name=b&id=c'])
      expectWithMessage((await operator.get(`/console/operator/accounts?${place}`)).status, place).toBe(200)
  })
})

describe('the audit log', () => {
  it('records every act of operators and owners with its actor', async () => {
    const { visitor, mailbox, accountId } = await approvedOwner('startup')
    await visitor.submit('/console/keys/new', await newKeyForm(visitor))
    const [{ id }] = (await keysOf(accountId)) as [{ id: string }]
    const [, formId = ''] = /name="formId" value="([^"]+)"/.exec(
      (await visitor.get(`/console/keys/${id}/rotate`)).body,
    )!
    await visitor.submit(`/console/keys/${id}/rotate`, { formId, overlap: '1' })
    await visitor.submit(`/console/keys/${id}/revoke`)
    await visitor.submit('/console/overview/quota', { stop: 'yes' })
    await operator.submit(`/console/operator/accounts/${accountId}/suspend`)
    await operator.submit(`/console/operator/accounts/${accountId}/resume`)
    await operator.submit(`/console/operator/accounts/${accountId}/end-plan`)
    const acts = await gateway.sql(
      "select actor || ' ' || coalesce(mailbox, '') || ' ' || act as done from audit_entry where account_id = $1 order by id",
      [accountId],
    )
    expect(acts.map(({ done }) => done)).toEqual([
      `owner ${mailbox} application.sent`,
      `operator ${OPERATOR} application.approved`,
      `operator ${OPERATOR} subscription.granted`,
      ...['key.created', 'key.rotated', 'key.created', 'key.revoked'].map((act) => `owner ${mailbox} ${act}`),
      `owner ${mailbox} quota.stopped`,
      `operator ${OPERATOR} account.suspended`,
      `operator ${OPERATOR} account.resumed`,
      `operator ${OPERATOR} subscription.ended`,
    ])
  })

  it.each(['update audit_entry set act = act', 'delete from audit_entry', 'truncate audit_entry'])(
    'refuses %s, to the owner of the table too',
    async (statement) => {
      await expect(gateway.sql(statement)).rejects.toThrow(/append-only|permission denied/)
    },
  )
})
