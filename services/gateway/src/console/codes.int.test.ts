// The one-time codes of the console: bound to one challenge and one browser, with a budget of wrong codes for each day. [P30]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, type TestGateway } from '../../test/gateway-fixture.js'
import { codeFor, createConsoleVisitor, type ConsoleVisitor } from '../../test/console-fixture.js'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
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

const wrongFor = (code: string): string => (code === '00000000' ? '00000001' : '00000000')

it('a code opens the console only in the browser that asked for it, and the page of another browser says so [P30]', async () => {
  const mailbox = newMailbox()
  const [owner, thief] = [createConsoleVisitor(gateway), createConsoleVisitor(gateway)]
  const page = await ask(owner, mailbox)
  const code = await codeFor(gateway, mailbox)
  expect(code).toMatch(/^\d{8}$/)
  const seen = await thief.get(page)
  expect([seen.status, seen.body.includes('This code was asked for in another browser')]).toEqual([403, true])
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
  expect((await visitor.get(page)).body).toContain('so we did not send another')
  const elsewhere = await ask(other, mailbox)
  expect(elsewhere).not.toBe(page)
  expect((await other.get(elsewhere)).body).toContain('none was sent from this page')
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

it('a browser that keeps no cookies is told so, and nothing is sent [P30]', async () => {
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
