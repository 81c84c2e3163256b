// The sessions of the console: how they end, and who sees them. [D33, P31]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, type TestGateway } from '../../test/gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type ConsoleVisitor } from '../../test/console-fixture.js'

const OPERATOR = 'operator@example.test'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.stop())

let mailboxes = 0
const newMailbox = (): string => `sessions${(mailboxes += 1)}@nordicfoods.example`

async function signedIn(mailbox: string): Promise<ConsoleVisitor> {
  const visitor = createConsoleVisitor(gateway)
  await visitor.signIn(mailbox)
  return visitor
}

const isSignedIn = async (visitor: ConsoleVisitor): Promise<boolean> =>
  (await visitor.get('/console/sessions')).status === 200

const idsOn = async (visitor: ConsoleVisitor): Promise<string[]> =>
  [...(await visitor.get('/console/sessions')).body.matchAll(/name="session" value="([^"]+)"/g)].map(([, id]) => id!)

it('signing out ends the session, also for a copied cookie [D33]', async () => {
  const visitor = await signedIn(newMailbox())
  const copied = new Map(visitor.jar)
  await visitor.submit('/console/sign-out')
  expect(await isSignedIn(visitor)).toBe(false)
  for (const [name, value] of copied) visitor.jar.set(name, value)
  expectWithMessage(await isSignedIn(visitor), 'with a copied cookie').toBe(false)
})

it.each([['an owner'], ['an operator without an account']])(
  'shows %s every session with browser, network and last visit, ends one, and then all [P31]',
  async (person) => {
    const mailbox = person === 'an owner' ? newMailbox() : OPERATOR
    const [one, two, three] = [await signedIn(mailbox), await signedIn(mailbox), await signedIn(mailbox)]
    if (person === 'an owner') await one.submit('/console/application', APPLICATION)
    const list = (await one.get('/console/sessions')).body
    expect(list.match(/<bdi>test browser<\/bdi>/g)).toHaveLength(3)
    expect(list).toContain(`${three.clientAddress.split('.').slice(0, 3).join('.')}.0/24`)
    expect(list).not.toContain(three.clientAddress)

    const [newest] = await idsOn(one)
    expect((await one.submit('/console/sessions/end', { session: newest! })).location).toBe('/console/sessions')
    expect([await isSignedIn(three), await isSignedIn(two), await isSignedIn(one)]).toEqual([false, true, true])
    expect((await one.submit('/console/sessions/end-all')).location).toBe('/console/sign-in')
    expect([await isSignedIn(two), await isSignedIn(one)]).toEqual([false, false])
    const ended = await gateway.sql(
      "select act, subject from audit_entry where mailbox = $1 and act in ('session.ended', 'owner.signed_out_everywhere') order by id",
      [mailbox],
    )
    expect(ended).toEqual([
      { act: 'session.ended', subject: newest },
      { act: 'owner.signed_out_everywhere', subject: null },
    ])
  },
)

it('nobody ends a session of another mailbox [P31]', async () => {
  const [one, other] = [await signedIn(newMailbox()), await signedIn(newMailbox())]
  const [id] = await idsOn(other)
  for (const session of [id!, 'none', ''])
    expect((await one.submit('/console/sessions/end', { session })).status).toBe(303)
  expect(await isSignedIn(other)).toBe(true)
})

it('a session ends after two hours without a request, and lives on with one [P31]', async () => {
  const mailbox = newMailbox()
  const visitor = await signedIn(mailbox)
  const seen = (minutesAgo: number) =>
    gateway.sql('update mailbox_session set last_seen_at = now() - make_interval(mins => $2) where mailbox = $1', [
      mailbox,
      minutesAgo,
    ])
  for (let visit = 0; visit < 3; visit += 1) {
    await seen(119)
    expect(await isSignedIn(visitor)).toBe(true)
  }
  await seen(121)
  expect(await isSignedIn(visitor)).toBe(false)
})

it('a session that no sign-in opened is worthless, whatever its row says [P31]', async () => {
  const mailbox = newMailbox()
  const visitor = await signedIn(mailbox)
  await gateway.sql("update mailbox_session set scope = 'reply acc_other ' || mailbox where mailbox = $1", [mailbox])
  expect(await isSignedIn(visitor)).toBe(false)
})
