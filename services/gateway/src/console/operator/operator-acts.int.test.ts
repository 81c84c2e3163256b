// An operator finds a report, acts on its account and contract, and reads accounts and the audit log. [D75]
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { startTestGateway, type TestGateway } from '../../../test/gateway-fixture.js'
import { APPLICATION, createConsoleVisitor, type ConsoleVisitor } from '../../../test/console-fixture.js'

const OPERATOR = 'operator@example.test'
const OWNER = 'owner@nordicfoods.example'

const CONTRACT = {
  id: 'contract-1-a',
  contractNumber: 'EXT-20261120-7KQ4MXTA',
  contractType: 'nda',
  status: 'pending_signature',
  senderName: 'Nordic Bank',
  signingProgress: { signed: 0, total: 2, pending: 2, percentage: 0 },
  parties: [{ role: 'Recipient', legalName: 'Jane Roe', email: 'jane@example.test', signedAt: null, declinedAt: null }],
  createdAt: '2026-11-20T14:03:11.482Z',
  expiresAt: '2026-12-04T14:03:11.482Z',
  completedAt: null,
  cancelledAt: null as string | null,
  cancelledBy: null as string | null,
  cancelReason: null as string | null,
  erasedAt: null,
}
const REPORT_ID = '0d3f4c1a-7a52-4c35-9c57-1b6ad0b9e8f1'

let gateway: TestGateway
let operator: ConsoleVisitor
let owner: ConsoleVisitor
let accountId: string
/** The report as signing has it, and the contract as the contract service has it. */
let report: Record<string, unknown>
let contract: typeof CONTRACT
beforeAll(async () => {
  gateway = await startTestGateway()
  operator = createConsoleVisitor(gateway)
  await operator.signIn(OPERATOR)
  owner = createConsoleVisitor(gateway)
  await owner.signIn(OWNER)
  await owner.submit('/console/application', APPLICATION)
  await gateway.sql("update account set approved_at = now(), tier = 'growth', subscription_status = 'active'")
  accountId = String((await gateway.sql('select id from account'))[0]!['id'])
  contract = { ...CONTRACT }
  report = {
    id: REPORT_ID,
    contractId: CONTRACT.id,
    accountId,
    reason: 'impersonation',
    message: 'This is not my bank.',
    createdAt: '2026-11-23T10:22:08.905Z',
    handledAt: null,
    handledBy: null,
    note: null,
  }
  const shown = () => ({
    ...report,
    contract: {
      environment: 'production',
      contractNumber: CONTRACT.contractNumber,
      status: contract.status,
      senderName: CONTRACT.senderName,
    },
  })
  const isOpen = () => report['handledAt'] === null
  Object.assign(gateway.far.rpc, {
    'report.list': (input: { isHandled: boolean }) => ({ reports: input.isHandled === isOpen() ? [] : [shown()] }),
    'report.show': shown,
    'report.countOpen': () => ({ count: isOpen() ? 1 : 0, isMore: false }),
    'report.handle': ({ by, note }: { by: string; note: string }) => {
      report = { ...report, handledAt: '2026-11-24T09:00:00.000Z', handledBy: by, note }
      return { isNew: true }
    },
    'console.detail': () => contract,
    'console.lately': () => ({ contracts: { count: 42, isMore: false }, invitations: { ended: 200, refused: 5 } }),
    'console.cancel': ({ reason, actor }: { reason: string; actor: string }) => {
      const cancelledAt = '2026-11-24T09:00:00.000Z'
      contract = { ...contract, status: 'cancelled', cancelledAt, cancelledBy: actor, cancelReason: reason }
      return { outcome: 'cancelled', at: cancelledAt }
    },
  })
})
afterAll(() => gateway.stop())

/** Follows the link with `text`; `&` is escaped in an address. */
async function click(on: { body: string }, text: string) {
  const [, href] = new RegExp(`<a[^>]* href="([^"]+)"[^>]*>(?:<[^>]+>)*${text}`).exec(on.body) ?? []
  expectWithMessage(href, text).toBeDefined()
  return operator.get(href!.replaceAll('&amp;', '&'))
}
const actionIn = ({ body }: { body: string }): string => /<form method="post" action="([^"]+)"/.exec(body)![1]!
const actsBy = async (mailbox: string) =>
  (
    await gateway.sql(
      "select act from audit_entry where mailbox = $1 and act not in ('operator.read', 'session.opened') order by id",
      [mailbox],
    )
  ).map(({ act }) => act)

it('the menu says Operator on top, counts open reports, and leads only to the pages of operators', async () => {
  const { body } = await operator.get('/console/operator/reports')
  expect(body).toContain('<p class="side-operator">Operator</p>')
  expect(body).toContain('<span>Reports</span> <span class="count">1</span>')
  expect(body).not.toMatch(/href="\/console\/(keys|contracts|account)["?]/)
  expect((await owner.get('/console/keys')).body).not.toContain('side-operator')
})

it('a report leads to a suspension in three clicks', async () => {
  const list = await operator.get('/console/operator/reports')
  const page = await click(list, '<time')
  expect(page.body).toContain('This is not my bank.')
  expect(page.body).toContain(`href="/console/operator/accounts/${accountId}"`)
  expect(page.body).toContain('Nordic Bank')
  const question = await click(page, 'Suspend the account')
  await operator.submit(actionIn(question))
  expect(await gateway.sql('select status from account')).toEqual([{ status: 'suspended' }])
  expect((await operator.get(`/console/operator/reports/${REPORT_ID}`)).body).not.toContain('Suspend the account')
  await operator.submit(`/console/operator/accounts/${accountId}/resume`)
})

it('a report leads to the cancellation of its contract in three clicks; the owners see who cancelled it', async () => {
  const page = await click(await operator.get('/console/operator/reports'), '<time')
  const question = await click(page, 'Cancel contract')
  const long = await operator.submit(actionIn(question), { reason: 'x'.repeat(501) })
  expect(long.status).toBe(422)
  const { location } = await operator.submit(actionIn(question), { reason: 'Reported as fraud.' })
  expect(contract).toMatchObject({ status: 'cancelled', cancelledBy: 'operator', cancelReason: 'Reported as fraud.' })
  const after = await operator.get(location!)
  expect(after.body).toContain('Reported as fraud.')
  expectWithMessage(after.body, 'no text and no party').not.toMatch(/Jane Roe|jane@example/)
  expect((await operator.get(`${location}/cancel`)).location).toBe(location)
  const entries = await gateway.sql(
    "select account_id, mailbox, subject from audit_entry where act = 'contract.cancelled'",
  )
  expect(entries).toEqual([{ account_id: accountId, mailbox: OPERATOR, subject: CONTRACT.id }])
})

it('a report is handled with a note, which stays with it; the owners of the account do not hear of it', async () => {
  const path = `/console/operator/reports/${REPORT_ID}`
  expect((await operator.submit(path, { note: ' ' })).status).toBe(422)
  expect((await operator.submit(path, { note: 'Suspended, then cancelled.' })).location).toBe(
    '/console/operator/reports',
  )
  const { body } = await operator.get(path)
  for (const part of [OPERATOR, 'Suspended, then cancelled.']) expect(body).toContain(part)
  expect(body).not.toContain('name="note"')
  expect((await operator.get('/console/operator/reports')).body).toContain('No open reports.')
  expect((await operator.get('/console/operator/reports?state=handled')).body).toContain('This is not my bank.')
  expect((await actsBy(OPERATOR)).at(-1)).toBe('report.handled')
  expect((await owner.get('/console/account/audit')).body).not.toContain('Handled a report')
})

it('an account shows its usage, contracts and refused invitations of 30 days, and open reports', async () => {
  const day = new Date().toISOString().slice(0, 10)
  await gateway.sql(
    "insert into usage (account_id, environment, day, endpoint, total, billable) values ($1, 'production', $2, 'POST /contracts', 70, 60)",
    [accountId, day],
  )
  const { body } = await operator.get(`/console/operator/accounts/${accountId}`)
  const text = body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  for (const fact of ['60 of 25,000', 'Contracts in 30 days 42', '2.5% (5 of 200)', 'nordicfoods.example (Owner)'])
    expect(text).toContain(fact)
  expect(body).toContain(`href="/console/operator/reports?account=${accountId}&amp;state=open"`)
  delete gateway.far.rpc['console.lately']
  delete gateway.far.rpc['report.countOpen']
  const without = await operator.get(`/console/operator/accounts/${accountId}`)
  expectWithMessage(without.status, 'while the other services do not respond').toBe(200)
})

it('accounts are found by part of a name, of an id or of an address, and no sign is a wildcard', async () => {
  const found = async (search: string) =>
    (await operator.get(`/console/operator/accounts?${new URLSearchParams({ search }).toString()}`)).body.includes(
      accountId,
    )
  for (const part of ['nordic', 'FOODS', accountId.slice(3, 12), 'owner@nordic'])
    expectWithMessage(await found(part), part).toBe(true)
  for (const part of ['%', 'n_rdic', '\\', 'other@', "'", '\u0000x'])
    expectWithMessage(await found(part), part).toBe(part === '\u0000x')
})

it('the audit log is filtered by actor, person, act and day, and a filter that nobody can have filters nothing', async () => {
  const rows = async (query: Record<string, string>) =>
    ((await operator.get(`/console/operator/audit?${new URLSearchParams(query).toString()}`)).body.match(/<tr>/g) ?? [])
      .length
  const today = new Date().toISOString().slice(0, 10)
  const sent = (await rows({ act: 'application.sent' })) - 1
  expect(sent).toBe(1)
  expect(
    await rows({ act: 'application.sent', who: OWNER.toUpperCase(), actor: 'owner', from: today, until: today }),
  ).toBe(2)
  for (const query of [
    { who: 'nobody@example.test' },
    { actor: 'viewer' },
    { from: '2999-01-01' },
    { until: '2001-01-01' },
  ])
    expectWithMessage(await rows({ act: 'application.sent', ...query }), JSON.stringify(query)).toBe(0)
  for (const query of [
    { from: '0000-01-01' },
    { until: 'x' },
    { who: '\u0000' },
    { before: '-1' },
    { before: '9'.repeat(30) },
  ])
    expectWithMessage(
      await rows({ act: 'application.sent', ...query } as Record<string, string>),
      JSON.stringify(query),
    ).toBe(2)
})

it('the audit log is a CSV of every entry of the filter, in which nothing runs as a formula [CWE-1236]', async () => {
  await gateway.sql(
    `insert into audit_entry (actor, actor_name, account_id, act, subject)
     select 'command_line', '=HYPERLINK("http://evil.example")', $1, 'account.renamed', '+' || n from generate_series(1, 1200) as n`,
    [accountId],
  )
  const { headers, body } = await operator.get('/console/operator/audit/csv?act=account.renamed')
  expect(headers['content-type']).toMatch(/^text\/csv/)
  const [head, ...lines] = body.trimEnd().split('\r\n')
  expect(head).toBe('"time","actor","who","act","account","subject","facts"')
  expect(lines).toHaveLength(1_200)
  expect(lines[0]).toMatch(
    /^"\d{4}-[^"]+Z","command_line","'=HYPERLINK\(""http:\/\/evil\.example""\)","account\.renamed","acc_\w+","'\+1200","\{\}"$/,
  )
  const reads = await gateway.sql(
    "select subject from audit_entry where act = 'operator.read' and mailbox = $1 and subject in ('audit', 'csv')",
    [OPERATOR],
  )
  expect(reads).toEqual([{ subject: 'audit' }])
})
