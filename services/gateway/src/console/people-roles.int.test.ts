// Each role sees its pages and its acts, from the invitation on. console-roles.int.test.ts has the matrix of routes. [D72]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, until, type TestGateway } from '../../test/gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type ConsoleVisitor } from '../../test/console-fixture.js'

const OWNER = 'owner@nordicfoods.example'
const DEVELOPER = 'developer@nordicfoods.example'
const VIEWER = 'viewer@nordicfoods.example'

let gateway: TestGateway
let owner: ConsoleVisitor
let developer: ConsoleVisitor
let viewer: ConsoleVisitor
let accountId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  owner = createConsoleVisitor(gateway)
  await owner.signIn(OWNER)
  await owner.submit('/console/application', APPLICATION)
  await gateway.sql("update account set approved_at = now(), tier = 'growth', subscription_status = 'active'")
  accountId = String((await gateway.sql('select id from account'))[0]!['id'])
  developer = await invited(DEVELOPER, 'developer')
  viewer = await invited(VIEWER, 'viewer')
})
afterAll(() => gateway.stop())

/** Somebody whom the owner invites, and who accepts. */
async function invited(mailbox: string, role: string): Promise<ConsoleVisitor> {
  expect((await owner.submit('/console/account/owners', { owner: mailbox, role })).location).toContain('inviteDone')
  const visitor = createConsoleVisitor(gateway)
  await visitor.signIn(mailbox)
  expect((await visitor.get('/console/accounts')).body).toContain(`${role[0]!.toUpperCase()}${role.slice(1)}: `)
  await visitor.submit('/console/accounts', { account: accountId, answer: 'yes' })
  return visitor
}

const sectionsIn = ({ body }: { body: string }): string[] => [
  ...new Set([...body.matchAll(/<a href="\/console\/([a-z-]+)[^"]*"[^>]*><span>/g)].map(([, section]) => section!)),
]
const roleOf = async (mailbox: string) =>
  (await gateway.sql('select role from account_owner where mailbox = $1', [mailbox]))[0]?.['role']

it('each role starts at a page of its own, and its menu has the pages of its role', async () => {
  expect((await developer.get('/console')).location).toBe('/console/keys')
  expect((await viewer.get('/console')).location).toBe('/console/contracts')
  expect(sectionsIn(await developer.get('/console/keys'))).toEqual([
    'overview',
    'contracts',
    'keys',
    'requests',
    'webhooks',
    'test-mail',
    'account',
  ])
  expect(sectionsIn(await viewer.get('/console/contracts'))).toEqual(['overview', 'contracts', 'account'])
  expect(sectionsIn(await owner.get('/console/overview'))).toContain('plan')
})

it('a page has no button that leads to a refusal, and refuses with a sentence', async () => {
  const { body } = await viewer.get('/console/account')
  expect(body).toContain('Viewer: contracts and usage')
  expect(body.match(/action="[^"]+"/g)).toEqual(['action="/console/account/leave"'])
  expect((await viewer.get('/console/overview')).body).not.toContain('/console/overview/quota')
  const refused = await viewer.get('/console/keys')
  expect([refused.status, refused.body.includes('Ask an owner of the account.')]).toEqual([403, true])
})

it('a developer stays in the sandbox with contracts and usage, also by links', async () => {
  gateway.far.rpc['console.count'] = () => {
    const total = { count: 4, isMore: false }
    return { total, waiting: total, lastCreatedAt: null }
  }
  for (const path of ['/console/contracts', '/console/overview']) {
    const { status, body } = await developer.get(path)
    expectWithMessage(status, path).toBe(200)
    expectWithMessage(body, path).not.toContain('environment=production')
  }
  const { body } = await developer.get('/console/requests?environment=production')
  expect(body).toContain('href="/console/contracts?environment=sandbox"')
  expect((await developer.get('/console/contracts?environment=live')).status).toBe(403)
  delete gateway.far.rpc['console.count']
})

it('the log and the mails say who acted, with the role of that time; mails go to those whom they concern', async () => {
  const { body } = await developer.get('/console/keys/new')
  const formId = /name="formId" value="([^"]+)"/.exec(body)![1]!
  const key = { formId, name: 'Order system', environment: 'sandbox', 'scopes-contracts:read': 'yes', life: 'never' }
  expect((await developer.submit('/console/keys/new', key)).status).toBe(201)
  const acts = await gateway.sql("select actor, mailbox from audit_entry where act = 'key.created'")
  expect(acts).toEqual([{ actor: 'developer', mailbox: DEVELOPER }])
  const about = (mailbox: string) =>
    gateway.toOwners
      .filter(({ input }) => input?.['to'] === mailbox && input['kind'] === 'key_created')
      .map(({ input }) => (input!['data'] as { by: string }).by)
  await until(() => about(OWNER).length + about(DEVELOPER).length === 2)
  expect([about(OWNER), about(DEVELOPER), about(VIEWER)]).toEqual([[DEVELOPER], [DEVELOPER], []])
})

it('a change of role counts at the next request of a session, is in the log, and is mailed to owners and the person', async () => {
  const change = (mailbox: string, role: string) =>
    owner.submit('/console/account/owners/role', { owner: mailbox, role })
  expect((await developer.get('/console/keys')).status).toBe(200)
  expect((await change(DEVELOPER, 'viewer')).location).toBe('/console/account?done=roleChanged')
  expect((await developer.get('/console/keys')).status).toBe(403)
  expect((await change(DEVELOPER, 'developer')).status).toBe(303)
  expect((await developer.get('/console/keys')).status).toBe(200)
  const acts = await gateway.sql(
    "select actor, facts ->> 'role' as role from audit_entry where act = 'owner.role_changed' order by id",
  )
  expect(acts).toEqual([
    { actor: 'owner', role: 'viewer' },
    { actor: 'owner', role: 'developer' },
  ])
  const mails = (mailbox: string) =>
    gateway.toOwners.filter(
      ({ input }) =>
        input?.['to'] === mailbox && (input['data'] as { change?: string } | undefined)?.change === 'role_changed',
    ).length
  await until(() => mails(OWNER) === 2 && mails(DEVELOPER) === 2)
  expect(mails(VIEWER)).toBe(0)
})

it('only an owner gives roles, in words that exist, and never takes the role of the last owner', async () => {
  expect((await developer.submit('/console/account/owners/role', { owner: VIEWER, role: 'owner' })).status).toBe(403)
  for (const [mailbox, role] of [
    [VIEWER, 'operator'],
    [OWNER, 'viewer'],
  ] as const)
    expectWithMessage((await owner.submit('/console/account/owners/role', { owner: mailbox, role })).status, role).toBe(
      422,
    )
  const invitation = { owner: 'somebody@nordicfoods.example', role: 'admin' }
  expect((await owner.submit('/console/account/owners', invitation)).status).toBe(422)
  expect((await owner.submit('/console/account/leave')).status).toBe(422)
  expect([await roleOf(OWNER), await roleOf(VIEWER)]).toEqual(['owner', 'viewer'])
})

it('an invited owner does not count as an owner, and of two owners who step down at once one stays', async () => {
  const second = 'second@nordicfoods.example'
  await owner.submit('/console/account/owners', { owner: second, role: 'owner' })
  expect((await owner.submit('/console/account/owners/role', { owner: OWNER, role: 'viewer' })).status).toBe(422)
  const other = createConsoleVisitor(gateway)
  await other.signIn(second)
  await other.submit('/console/accounts', { account: accountId, answer: 'yes' })
  const answers = await Promise.all([
    owner.submit('/console/account/owners/role', { owner: OWNER, role: 'developer' }),
    other.submit('/console/account/owners/role', { owner: second, role: 'developer' }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422])
  const left = await gateway.sql("select mailbox from account_owner where role = 'owner'")
  expect(left).toHaveLength(1)
  await gateway.sql("update account_owner set role = 'owner' where mailbox = $1", [OWNER])
})

it('everybody can leave, and has no access from then on', async () => {
  expect((await viewer.submit('/console/account/leave')).location).toBe('/console')
  expect(await roleOf(VIEWER)).toBeUndefined()
  expect((await viewer.get('/console/contracts')).location).toBe('/console')
})
