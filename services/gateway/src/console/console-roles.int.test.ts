// The role × action matrix, walked: every address of the console by everybody who may come by. [docs/console.md]
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type ConsoleVisitor } from './console-fixture.js'
import { ROUTES } from './routes.js'

/** In the order of their columns in the document. */
const PEOPLE = ['nobody', 'mailbox', 'owner', 'operator'] as const
type Person = (typeof PEOPLE)[number]

let gateway: TestGateway
let visitors: Record<Person, ConsoleVisitor>
/** Ids that belong to somebody else. */
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

/** What somebody gets who may not: the way to the sign-in, the start of the console, or a page that says there is none. */
function refusalOf(person: Person, may: string): string | undefined {
  if (may === 'anybody') return undefined
  if (person === 'nobody') return '303 /console/sign-in'
  if (may === 'signed_in') return undefined
  if (may === 'owner') return person === 'owner' ? undefined : '303 /console'
  return person === 'operator' ? undefined : '404'
}

it.each(ROUTES)('$method $path is for $may, and for nobody else', async ({ method, path, may }) => {
  for (const person of PEOPLE) {
    const visitor = visitors[person]
    const answer = method === 'GET' ? await visitor.get(pathOf(path)) : await visitor.post(pathOf(path), {})
    const said = `${answer.status}${answer.location === undefined ? '' : ` ${answer.location.split('?')[0]}`}`
    const refusal = refusalOf(person, may)
    if (refusal !== undefined) {
      expect(said, person).toBe(refusal)
      continue
    }
    // Whoever may get a page gets one; a form without its token changes nothing.
    if (method === 'POST' && may !== 'anybody') expect(said, person).toBe('403')
    else if (may === 'owner' || may === 'operator') expect(said, person).not.toMatch(/^303 \/console(\/sign-in)?$/)
    expect(answer.status, person).toBeLessThan(500)
    expect(answer.headers['cache-control'], person).toBe('no-store')
    expect(answer.headers['content-security-policy'], person).toContain("default-src 'none'")
  }
})

it('is the table of docs/console.md, row by row', () => {
  const document = readFileSync(new URL('../../../../docs/console.md', import.meta.url), 'utf8')
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
