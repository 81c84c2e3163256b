// The role × action matrix: every route of the console, requested in both environments by every role. [docs/internal/console.md, D72]
// The page says what each role may do; the routes come from the code, so none can be forgotten.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { ACCOUNT_ROLES } from '@paraph/protocol/account-role'
import { ENVIRONMENTS, type Environment } from '@paraph/protocol/environment'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, type TestGateway } from '../../test/gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type ConsoleVisitor } from '../../test/console-fixture.js'
import { ROUTES } from './routes.js'

/** In the order of the columns of docs/internal/console.md. */
const COLUMNS = ['mailbox', ...ACCOUNT_ROLES, 'operator'] as const
const PEOPLE = ['nobody', ...COLUMNS] as const
type Person = (typeof PEOPLE)[number]

/** `GET /console/keys` → what each person may do there: yes, nothing, or only in the sandbox. */
const MATRIX = new Map(
  [...document().matchAll(/^\| `((?:GET|POST) [^`]+)` +\|[^|]*\|((?:[^|\n]*\|){5})$/gm)].map(([, route, cells]) => [
    route!,
    cells!
      .split('|')
      .slice(0, COLUMNS.length)
      .map((cell) => cell.trim()),
  ]),
)

function document(): string {
  return readFileSync(new URL('../../../../docs/internal/console.md', import.meta.url), 'utf8')
}

let gateway: TestGateway
let visitors: Record<Person, ConsoleVisitor>
/** Values of the path parameters: the id of another account, and ids that do not exist. */
let ids: Record<string, string>
beforeAll(async () => {
  gateway = await startTestGateway()
  const visitor = () => createConsoleVisitor(gateway)
  visitors = {
    nobody: visitor(),
    mailbox: visitor(),
    owner: visitor(),
    developer: visitor(),
    viewer: visitor(),
    operator: visitor(),
  }
  for (const person of COLUMNS) await visitors[person].signIn(`${person}@example.test`)
  const other = visitor()
  await other.signIn('other@example.test')
  for (const applicant of [visitors.owner, other]) await applicant.submit('/console/application', APPLICATION)
  await gateway.sql("update account set approved_at = now(), tier = 'growth', subscription_status = 'active'")
  for (const role of ['developer', 'viewer'])
    await gateway.sql(
      `insert into account_owner (account_id, mailbox, address, role, confirmed_at)
       select account_id, $1, $1, $2, now() from account_owner where mailbox = 'owner@example.test'`,
      [`${role}@example.test`, role],
    )
  const [account] = await gateway.sql("select account_id as id from account_owner where mailbox = 'other@example.test'")
  ids = {
    challenge: 'A'.repeat(22),
    key: 'key_none',
    hook: '7',
    mail: '7',
    report: '0d3f4c1a-7a52-4c35-9c57-1b6ad0b9e8f1',
    application: 'app_none',
    account: String(account!['id']),
  }
})
afterAll(() => gateway.stop())

function pathIn(environment: Environment, path: string): string {
  const named = path.replace(/:(\w+)/g, (_, name: string) =>
    name === 'environment' ? environment : (ids[name] ?? 'contract-1-none'),
  )
  return path.includes(':environment') ? named : `${named}?environment=${environment}`
}

/** The answer to who may not; undefined for who may. */
function refusalOf(person: Person, route: string, environment: Environment): string | undefined {
  const cells = MATRIX.get(route) ?? []
  if (person === 'nobody') return / \/console\/sign-in(\/|$)/.test(route) ? undefined : '303 /console/sign-in'
  const cell = cells[COLUMNS.indexOf(person)]
  if (cell === 'yes' || cell === environment) return undefined
  if (route.includes('/console/operator/')) return '404'
  return person === 'mailbox' || person === 'operator' ? '303 /console' : '403 Not part of your role'
}

it('docs/internal/console.md has every route of the console in its order, and no other', () => {
  expect([...MATRIX.keys()]).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`))
  expect(new Set([...MATRIX.values()].flat())).toEqual(new Set(['yes', 'sandbox', '']))
})

it.each(ROUTES)('$method $path answers each role as the matrix says', async ({ method, path }) => {
  const route = `${method} ${path}`
  for (const environment of ENVIRONMENTS)
    for (const person of PEOPLE) {
      const who = `${person} in ${environment}`
      const at = pathIn(environment, path)
      const answer = await (method === 'GET' ? visitors[person].get(at) : visitors[person].post(at, {}))
      const { status, location, body } = answer
      const title = status === 403 ? ` ${/<h1>([^<]*)/.exec(body)?.[1]}` : ''
      const outcome = `${status}${location === undefined ? title : ` ${location.split('?')[0]}`}`
      const refusal = refusalOf(person, route, environment)
      expectWithMessage(status, who).toBeLessThan(500)
      if (refusal !== undefined) {
        expectWithMessage(outcome, who).toBe(refusal)
        continue
      }
      const isBeforeSignIn = path.startsWith('/console/sign-in')
      // A form without its token is refused, and a page is shown. /console leads on, and an approved account needs no application.
      if (method === 'POST' && !isBeforeSignIn) expectWithMessage(outcome, who).toBe('403 Nothing was changed')
      else if (path !== '/console' && path !== '/console/application' && !isBeforeSignIn)
        expectWithMessage(outcome, who).not.toMatch(/^403|^303 \/console(\/sign-in)?$/)
      expectWithMessage(answer.headers['cache-control'], who).toBe('no-store')
      expectWithMessage(answer.headers['content-security-policy'], who).toContain("default-src 'none'")
    }
})
