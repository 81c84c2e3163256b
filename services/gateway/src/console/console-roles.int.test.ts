// The role × action × proof matrix: every route of the console, requested in both environments by every role: without a session, after
// the code alone, with an old proof, and with all that is needed. [docs/internal/console.md, D72, D73]
// The page says what each role may do; the routes come from the code, so none can be forgotten.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { ACCOUNT_ROLES } from '@paraph/protocol/account-role'
import { ENVIRONMENTS, type Environment } from '@paraph/protocol/environment'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, type TestGateway } from '../../test/gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type Answer, type ConsoleVisitor } from '../../test/console-fixture.js'
import { ROUTES } from './routes.js'

/** In the order of the columns of docs/internal/console.md. */
const COLUMNS = ['mailbox', ...ACCOUNT_ROLES, 'operator'] as const
const PEOPLE = ['nobody', ...COLUMNS] as const
type Person = (typeof PEOPLE)[number]

/** `GET /console/keys` → what each person may do there: yes, nothing, or only in the sandbox; and at last the proof that it needs. */
const MATRIX = new Map(
  [...document().matchAll(/^\| `((?:GET|POST) [^`]+)` +\|[^|]*\|((?:[^|\n]*\|){6})$/gm)].map(([, route, cells]) => [
    route!,
    cells!
      .split('|')
      .slice(0, COLUMNS.length + 1)
      .map((cell) => cell.trim()),
  ]),
)
const proofOf = (route: string): string => MATRIX.get(route)?.[COLUMNS.length] ?? ''

function document(): string {
  return readFileSync(new URL('../../../../docs/internal/console.md', import.meta.url), 'utf8')
}

let gateway: TestGateway
let visitors: Record<Person, ConsoleVisitor>
/** The same people after the code alone, each with a passkey; and with a proof that is eleven minutes old. */
let half: ConsoleVisitor[]
let old: Record<'owner' | 'operator', ConsoleVisitor>
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
  half = [visitor(), visitor()]
  old = { owner: visitor(), operator: visitor() }
  await half[0]!.enterCode('operator@example.test')
  await old.operator.signIn('operator@example.test')
  await old.owner.signIn('owner@example.test')
  const { options } = old.owner.device.optionsOn((await old.owner.get('/console/sessions/passkeys/new')).body)!
  const passkey = { name: 'Laptop', answer: old.owner.device.create(options) }
  await old.owner.submit('/console/sessions/passkeys/new', passkey)
  await visitors.owner.proveSecondFactor()
  await half[1]!.enterCode('owner@example.test')
  for (const each of Object.values(old))
    await gateway.sql("update mailbox_session set proven_at = now() - interval '11 minutes' where token_sha256 = $1", [
      createHash('sha256').update(each.jar.get('console')!).digest(),
    ])
  const [{ account_id: accountId }] = (await gateway.sql(
    "select account_id from account_owner where mailbox = 'owner@example.test'",
  )) as [{ account_id: string }]
  const { key } = await gateway.operator.key.create.mutate({ accountId, environment: 'live' })
  ids = {
    challenge: 'A'.repeat(22),
    key: key.id,
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
  if (route.includes('/console/second-factor')) return '303 /console'
  if (route.includes('/console/operator/')) return '404'
  return person === 'mailbox' || person === 'operator' ? '303 /console' : '403 Not part of your role'
}

it('docs/internal/console.md has every route of the console in its order, and no other', () => {
  expect([...MATRIX.keys()]).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`))
  const cells = [...MATRIX.values()]
  expect(new Set(cells.flatMap((row) => row.slice(0, -1)))).toEqual(new Set(['yes', 'sandbox', '']))
  expect(new Set(cells.map((row) => row.at(-1)))).toEqual(new Set(['', 'code', 'fresh', 'production']))
})

const outcomeOf = ({ status, location, body }: Answer): string =>
  `${status}${location === undefined ? (status === 403 ? ` ${/<h1>([^<]*)/.exec(body)?.[1]}` : '') : ` ${location.split('?')[0]}`}`

it.each(ROUTES)('$method $path after the code alone [D73]', async ({ method, path }) => {
  const at = pathIn('production', path)
  for (const each of half) {
    const outcome = outcomeOf(await (method === 'GET' ? each.get(at) : each.post(at, {})))
    if (proofOf(`${method} ${path}`) !== 'code') expect(outcome).toBe('303 /console/second-factor')
    // A form without its token is refused.
    else expect(outcome).not.toMatch(/^303 \/console\/second-factor$/)
  }
})

it.each(ROUTES.filter(({ path }) => path !== '/console/sign-out'))(
  '$method $path with an old proof [D73]',
  async ({ method, path }) => {
    const route = `${method} ${path}`
    const [person, each] = path.includes('/operator/')
      ? (['operator', old.operator] as const)
      : (['owner', old.owner] as const)
    if (refusalOf(person, route, 'production') !== undefined) return
    const at = pathIn('production', path)
    const needsProof = ['fresh', 'production'].includes(proofOf(route))
    // With the token of the session, so that only the proof is missing.
    const send = () =>
      method === 'GET' ? each.get(at) : needsProof ? each.submit(at, { environment: 'production' }) : each.post(at, {})
    const outcome = outcomeOf(await send())
    if (needsProof) expect(outcome).toBe('303 /console/prove')
    else if (!path.startsWith('/console/prove')) expect(outcome).not.toBe('303 /console/prove')
  },
)

it.each(ROUTES)('$method $path answers each role as the matrix says', async ({ method, path }) => {
  const route = `${method} ${path}`
  for (const environment of ENVIRONMENTS)
    for (const person of PEOPLE) {
      const who = `${person} in ${environment}`
      const at = pathIn(environment, path)
      const answer = await (method === 'GET' ? visitors[person].get(at) : visitors[person].post(at, {}))
      const outcome = outcomeOf(answer)
      const { status } = answer
      const refusal = refusalOf(person, route, environment)
      expectWithMessage(status, who).toBeLessThan(500)
      if (refusal !== undefined) {
        expectWithMessage(outcome, who).toBe(refusal)
        continue
      }
      const isBeforeSignIn = path.startsWith('/console/sign-in')
      // A form without its token is refused, and a page is shown. /console leads on, and an approved account needs no application.
      if (method === 'POST' && !isBeforeSignIn) expectWithMessage(outcome, who).toBe('403 Nothing was changed')
      else if (!['/console', '/console/application', '/console/prove'].includes(path) && !isBeforeSignIn)
        expectWithMessage(outcome, who).not.toMatch(/^403|^303 \/console(\/sign-in|\/second-factor)?$/)
      if (!path.startsWith('/console/prove')) expectWithMessage(outcome, who).not.toBe('303 /console/prove')
      expectWithMessage(answer.headers['cache-control'], who).toBe('no-store')
      expectWithMessage(answer.headers['content-security-policy'], who).toContain("default-src 'none'")
    }
})
