// The one-time codes of the console: bound to one challenge and one browser, with a budget of wrong codes for each day, and what a
// sign-in leaves behind. [P29, P30, P31]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'
import { APPLICATION, codeFor, createConsoleVisitor, type ConsoleVisitor } from '../../test/console-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ OPERATOR_EMAILS: ['operator@example.test', 'another@example.test'] })
})
afterAll(() => gateway.stop())

let mailboxes = 0
const newMailbox = (): string => `codes${(mailboxes += 1)}@nordicfoods.example`

/** Moves the codes and challenges of the mailbox into the past, for the limits of sends. */
async function age(mailbox: string, seconds: number): Promise<void> {
  for (const table of ['code_send', 'challenge'])
    await gateway.sql(`update ${table} set created_at = created_at - make_interval(secs => $2) where mailbox = $1`, [
      mailbox,
      seconds,
    ])
}

const sentTo = (mailbox: string): number =>
  gateway.toOwners.filter(({ procedure, input }) => procedure === 'owner.code' && input?.['to'] === mailbox).length

/** Asks for a code in the visitor's browser. @returns the path of the code's page */
async function ask(visitor: ConsoleVisitor, mailbox: string): Promise<string> {
  const formToken = await visitor.tokenOn('/console/sign-in')
  return (await visitor.post('/console/sign-in', { email: mailbox, formToken })).location!
}

const type = async (visitor: ConsoleVisitor, page: string, code: string) =>
  visitor.post(page, { code, formToken: await visitor.tokenOn(page) })

/** The kinds of the owner mails to the mailbox, after `count` have arrived. */
async function mailsTo(mailbox: string, count: number): Promise<unknown[]> {
  const mails = () =>
    gateway.toOwners.filter(({ procedure, input }) => procedure === 'owner.mail' && input?.['to'] === mailbox)
  await until(() => mails().length >= count)
  return mails().map(({ input }) => input!['kind'])
}

/** The acts about sessions and codes of the mailbox. */
const actsOf = (mailbox: string) =>
  gateway.sql(
    "select act, actor, account_id as account, subject, facts from audit_entry where mailbox = $1 and act ~ '^(session|code)' order by id",
    [mailbox],
  )

const wrongFor = (code: string): string => (code === '00000000' ? '00000001' : '00000000')

it('a code opens the console only in the browser that asked for it, and the page of another browser says so [P30]', async () => {
  const mailbox = newMailbox()
  const [owner, thief] = [createConsoleVisitor(gateway), createConsoleVisitor(gateway)]
  const page = await ask(owner, mailbox)
  const code = await codeFor(gateway, mailbox)
  expect(code).toMatch(/^\d{8}$/)
  const seen = await thief.get(page)
  expect([seen.status, seen.body.includes('This code was requested in another browser')]).toEqual([403, true])
  for (let guess = 0; guess < 7; guess += 1) expect((await type(thief, page, code)).status).toBe(403)
  expectWithMessage(thief.jar.has('console'), 'a session of the other browser').toBe(false)
  const opened = await type(owner, page, code)
  expectWithMessage([opened.status, opened.location], 'the guesses elsewhere cost no try').toEqual([303, '/console'])
})

it('another browser may ask for a code of its own from that page [P30]', async () => {
  const mailbox = newMailbox()
  const [one, two] = [createConsoleVisitor(gateway), createConsoleVisitor(gateway)]
  const page = await ask(one, mailbox)
  await codeFor(gateway, mailbox)
  await age(mailbox, 61)
  const formToken = await two.tokenOn(page)
  const resent = await two.post('/console/sign-in/again', { challenge: page.split('/').at(-1)!, formToken })
  expect((await type(two, resent.location!, await codeFor(gateway, mailbox, 1))).location).toBe('/console')
})

it('a code never works at another challenge, also of the same browser and mailbox [P30]', async () => {
  const mailbox = newMailbox()
  const visitor = createConsoleVisitor(gateway)
  const first = await ask(visitor, mailbox)
  const code = await codeFor(gateway, mailbox)
  await age(mailbox, 61)
  const second = await ask(visitor, mailbox)
  expect(second).not.toBe(first)
  expect((await type(visitor, second, code)).status).toBe(422)
  expect((await type(visitor, first, code)).location).toBe('/console')
})

it('a request within a minute leads back to the page where the code works [P30]', async () => {
  const mailbox = newMailbox()
  const [visitor, other] = [createConsoleVisitor(gateway), createConsoleVisitor(gateway)]
  const page = await ask(visitor, mailbox)
  expect(await ask(visitor, mailbox)).toBe(page)
  expect((await visitor.get(page)).body).toContain('We have not sent another code')
  const elsewhere = await ask(other, mailbox)
  expect(elsewhere).not.toBe(page)
  expect((await other.get(elsewhere)).body).toContain('We have not sent a code for this page')
  expect((await type(visitor, page, await codeFor(gateway, mailbox))).location).toBe('/console')
  expect(sentTo(mailbox)).toBe(1)
})

it('a form before sign-in is worthless in another browser, so nobody can sign a visitor in as somebody else [P30]', async () => {
  const [thief, victim] = [createConsoleVisitor(gateway), createConsoleVisitor(gateway)]
  const mailbox = newMailbox()
  const page = await ask(thief, mailbox)
  const formToken = await thief.tokenOn(page)
  const code = await codeFor(gateway, mailbox)
  await victim.get('/console/sign-in')
  expect((await victim.post(page, { code, formToken })).status).toBe(403)
  expect((await victim.post('/console/sign-in', { email: newMailbox(), formToken })).status).toBe(422)
  expect(victim.jar.has('console')).toBe(false)
})

it('the console tells a browser without cookies to allow them, and sends no code [P30]', async () => {
  const mailbox = newMailbox()
  const visitor = createConsoleVisitor(gateway)
  const formToken = await visitor.tokenOn('/console/sign-in')
  visitor.jar.clear()
  const answer = await visitor.post('/console/sign-in', { email: mailbox, formToken })
  expect([answer.status, answer.body.includes('Allow cookies for this site')]).toEqual([422, true])
  expect(answer.body).toContain(mailbox)
  expect(await gateway.sql('select 1 from challenge where mailbox = $1', [mailbox])).toEqual([])
})

it('20 wrong codes on a day end the live codes and make the next ones long until the day is over, whatever code is right [P30]', async () => {
  const mailbox = newMailbox()
  const visitor = createConsoleVisitor(gateway)
  /** Asks for a code and types `wrong` wrong ones. @returns the page and its code */
  async function guess(wrong: number) {
    const before = sentTo(mailbox)
    const page = await ask(visitor, mailbox)
    const code = await codeFor(gateway, mailbox, before)
    for (let n = 0; n < wrong; n += 1) await type(visitor, page, wrongFor(code))
    await age(mailbox, 3_601)
    return { page, code }
  }
  for (let n = 0; n < 4; n += 1) await guess(4)
  const right = await guess(3)
  expect((await type(visitor, right.page, right.code)).location).toBe('/console')
  visitor.jar.delete('console')
  const locked = await guess(1)
  expectWithMessage((await type(visitor, locked.page, locked.code)).status, 'a live code after the lock').toBe(422)
  visitor.jar.delete('console')
  const long = await guess(0)
  expect(long.code).toMatch(/^\d{12}$/)
  expect((await type(visitor, long.page, long.code)).location).toBe('/console')
  visitor.jar.delete('console')
  expectWithMessage((await guess(0)).code, 'after a right code on the same day').toMatch(/^\d{12}$/)
  await gateway.sql('update mailbox_guard set counted_on = counted_on - 1 where mailbox = $1', [mailbox])
  expectWithMessage((await guess(0)).code, 'on the next day').toMatch(/^\d{8}$/)
})

it('a sign-in from a new browser is mailed and recorded, the first one ever and one from a used browser only recorded [P31]', async () => {
  const mailbox = newMailbox()
  const [first, second] = [createConsoleVisitor(gateway), createConsoleVisitor(gateway)]
  await first.signIn(mailbox)
  await first.submit('/console/application', APPLICATION)
  first.jar.delete('console')
  await first.signIn(mailbox)
  await second.signIn(mailbox)
  expect(await mailsTo(mailbox, 1)).toEqual(['new_browser'])
  const [owned] = await gateway.sql('select account_id from account_owner where mailbox = $1', [mailbox])
  const network = (visitor: ConsoleVisitor) => `${visitor.clientAddress.split('.').slice(0, 3).join('.')}.0/24`
  const opened = (visitor: ConsoleVisitor, account: unknown, newBrowser: boolean) => ({
    act: 'session.opened',
    actor: 'owner',
    account,
    subject: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
    facts: { browser: 'test browser', network: network(visitor), newBrowser },
  })
  const account = owned!['account_id']
  expect(await actsOf(mailbox)).toEqual([
    opened(first, null, false),
    opened(first, account, false),
    opened(second, account, true),
  ])
  const ids = [first, second].map(({ jar }) => jar.get('console-browser')!)
  const stored = await gateway.sql('select * from known_browser where mailbox = $1', [mailbox])
  expect(stored).toHaveLength(2)
  for (const id of ids) expect(JSON.stringify(stored)).not.toContain(id)
})

it('wrong codes for a proven mailbox leave an entry for each dead challenge and one for the lock, and one mail; for a stranger nothing [P30, P31]', async () => {
  const [operator, stranger] = ['operator@example.test', newMailbox()]
  const lockMails = () => gateway.sql("select 1 from owner_mail where kind = 'codes_locked'")
  const lockMailsBefore = (await lockMails()).length
  for (const mailbox of [operator, stranger]) {
    const visitor = createConsoleVisitor(gateway)
    for (let n = 0; n < 6; n += 1) {
      const before = sentTo(mailbox)
      const page = await ask(visitor, mailbox)
      const wrong = wrongFor(await codeFor(gateway, mailbox, before))
      for (let guess = 0; guess < 5; guess += 1) await type(visitor, page, wrong.padStart(n > 3 ? 12 : 8, '0'))
      await age(mailbox, 3_601)
    }
  }
  const acts = await actsOf(operator)
  expect(acts.map(({ act }) => act)).toEqual([...Array<string>(3).fill('code.refused'), 'code.locked', 'code.refused'])
  for (const { actor, account } of acts) expect([actor, account]).toEqual(['operator', null])
  expect(await mailsTo(operator, 1)).toEqual(['codes_locked'])
  expect(await actsOf(stranger)).toEqual([])
  expect(await lockMails()).toHaveLength(lockMailsBefore + 1)
})

it('strangers who ask for codes never stop a mailbox in a browser where it signed in before [P30]', async () => {
  const mailbox = newMailbox()
  const owner = createConsoleVisitor(gateway)
  await owner.signIn(mailbox)
  owner.jar.delete('console')
  await age(mailbox, 86_401)
  const stranger = createConsoleVisitor(gateway)
  for (let n = 0; n < 6; n += 1) {
    await ask(stranger, mailbox)
    await age(mailbox, 61)
  }
  const refused = await stranger.get(await ask(stranger, mailbox))
  expectWithMessage(refused.body.includes('We cannot send more codes now'), 'the stranger is refused').toBe(true)
  await until(
    async () =>
      (await gateway.sql('select 1 from code_send where mailbox = $1 and finished_at is null', [mailbox])).length === 0,
  )
  const before = sentTo(mailbox)
  const page = await ask(owner, mailbox)
  expect((await type(owner, page, await codeFor(gateway, mailbox, before))).location).toBe('/console')
})

it('the budget of codes to unknown mailboxes stops mails to them alone, with the same page [P29]', async () => {
  const [known, invited, unknown] = [newMailbox(), newMailbox(), newMailbox()]
  const visitor = createConsoleVisitor(gateway)
  await visitor.signIn(known)
  await visitor.submit('/console/application', APPLICATION)
  await gateway.sql(
    'insert into account_owner (account_id, mailbox, address) select account_id, $2, $2 from account_owner where mailbox = $1',
    [known, invited],
  )
  await gateway.sql(
    `insert into code_send (id, scope, mailbox, recipient, code_key_id, expires_at, finished_at)
     select gen_random_uuid(), 'sign-in ' || n, n || '@flood.example', 'newcomer', 'k1', now(), now()
       from generate_series(1, 200) n`,
  )
  const pages: string[] = []
  for (const mailbox of [unknown, invited, known, 'another@example.test']) {
    const person = createConsoleVisitor(gateway)
    await age(mailbox, 3_601)
    const before = sentTo(mailbox)
    const { status, body } = await person.get(await ask(person, mailbox))
    pages.push(
      `${status} ${/<main.*<\/main>/s
        .exec(body)?.[0]
        .replaceAll(mailbox, '')
        .replace(/value="[^"]*"|action="[^"]*"/g, '')}`,
    )
    if (mailbox !== unknown) await codeFor(gateway, mailbox, before)
  }
  expect(pages.slice(1)).toEqual(pages.slice(1).map(() => pages[0]))
  expect(sentTo(unknown)).toBe(0)
  expect(await gateway.sql('select recipient from code_send where mailbox = $1', [unknown])).toEqual([
    { recipient: null },
  ])
  await gateway.sql("update code_send set created_at = created_at - interval '61 minutes' where recipient = 'newcomer'")
  const signedIn = await createConsoleVisitor(gateway).signIn(newMailbox())
  expectWithMessage(signedIn.location, 'a newcomer an hour later').toBe('/console')
})
