// The role × action matrix: every route of the console, requested by every role. [docs/internal/console.md]
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, type TestGateway } from '../../test/gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type ConsoleVisitor } from '../../test/console-fixture.js'
import { ROUTES } from './routes.js'

/** In the order of the columns of docs/internal/console.md. */
const PEOPLE = ['nobody', 'mailbox', 'owner', 'operator'] as const
type Person = (typeof PEOPLE)[number]

let gateway: TestGateway
let visitors: Record<Person, ConsoleVisitor>
/** Values of the path parameters: the id of another account, and ids that do not exist. */
let ids: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  const [nobody, mailbox, owner, operator, other] = Array.from({ length: 5 }, () => createConsoleVisitor(gateway))
  visitors = { nobody: nobody!, mailbox: mailbox!, owner: owner!, operator: operator! }
  await mailbox!.signIn('mailbox@example.test')
  await operator!.signIn('operator@example.test')
  await owner!.signIn('owner@example.test')
  await owner!.submit('/console/application', APPLICATION)
  await other!.signIn('other@example.test')
  await other!.submit('/console/application', APPLICATION)
  await gateway.sql("update account set approved_at = now(), tier = 'growth', subscription_status = 'active'")
  const [account] = await gateway.sql("select account_id as id from account_owner where mailbox = 'other@example.test'")
  ids = {
    environment: 'production',
    challenge: 'A'.repeat(22),
    key: 'key_none',
    application: 'app_none',
    account: String(account!['id']),
  }
})
afterAll(() => gateway.stop())

const pathOf = (path: string): string => path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? 'contract-1-none')

/** The response without the required role: a redirect to sign-in or to /console, or 404. Undefined if the role suffices. */
function refusalOf(person: Person, may: string): string | undefined {
  if (may === 'anybody') return undefined
  if (person === 'nobody') return '303 /console/sign-in'
  if (may === 'signed_in') return undefined
  if (may === 'owner') return person === 'owner' ? undefined : '303 /console'
  return person === 'operator' ? undefined : '404'
}

it.each(ROUTES)('$method $path requires the role $may', async ({ method, path, may }) => {
  for (const person of PEOPLE) {
    const visitor = visitors[person]
    const answer = method === 'GET' ? await visitor.get(pathOf(path)) : await visitor.post(pathOf(path), {})
    const outcome = `${answer.status}${answer.location === undefined ? '' : ` ${answer.location.split('?')[0]}`}`
    const refusal = refusalOf(person, may)
    if (refusal !== undefined) {
      expectWithMessage(outcome, person).toBe(refusal)
      continue
    }
    // With the role, a GET shows a page, and a form without its token is refused.
    if (method === 'POST' && may !== 'anybody') expectWithMessage(outcome, person).toBe('403')
    else if (may === 'owner' || may === 'operator')
      expectWithMessage(outcome, person).not.toMatch(/^303 \/console(\/sign-in)?$/)
    expectWithMessage(answer.status, person).toBeLessThan(500)
    expectWithMessage(answer.headers['cache-control'], person).toBe('no-store')
    expectWithMessage(answer.headers['content-security-policy'], person).toContain("default-src 'none'")
  }
})

it('the console has the same routes and roles as docs/internal/console.md', () => {
  const document = readFileSync(new URL('../../../../docs/internal/console.md', import.meta.url), 'utf8')
  const rows = [
    ...document.matchAll(/^\| `(GET|POST) ([^`]+)` +\| ([^|]*?) +\| ([^|]*?) +\| ([^|]*?) +\| ([^|]*?) +\|/gm),
  ]
  const documented = rows.map(([, method, path, , ...may]) => [`${method} ${path}`, ...may.slice(0, 3)].join(' | '))
  const actual = ROUTES.map(({ method, path, may }) =>
    [
      `${method} ${path}`,
      may === 'anybody' || may === 'signed_in' ? 'yes' : '',
      may === 'operator' ? '' : 'yes',
      may === 'owner' ? '' : 'yes',
    ].join(' | '),
  )
  expect(documented).toEqual(actual)
})
