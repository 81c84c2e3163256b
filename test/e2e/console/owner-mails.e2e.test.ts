// Mails to owners: none about the first start, and one about each later event, even if a process is killed at any point. Then webhooks,
// which come at least once. [D24, D65, F16]
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { UNRECORDED } from '@paraph/notification/queue/claim-delivery'
import { createApiClient, createMailbox, type Mailbox } from '../../harness/clients/api-client.js'
import { createVisitor, locationOf } from '../../harness/clients/ceremony-client.js'
import { expectKillAt } from '../../harness/stack/fail-points.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraph,
  paraphJson,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { until } from '../../harness/until.js'

const OWNER = 'owner@example.test'

let running: RunningStack
let points: string
let mailbox: Mailbox
let accountId: string
beforeAll(async () => {
  points = await mkdtemp(join(tmpdir(), 'paraph-points-'))
  running = await startStack(await makeDataFolder(), { FAIL_POINT_DIR: points, PARAPH_RESTART_MS_MAX: '100' })
  mailbox = createMailbox(running.stack.mailboxUrl)
  const { accounts } = await paraphJson<{ accounts: { id: string }[] }>(running.folder, 'account', 'list')
  accountId = accounts[0]!.id
})
afterAll(async () => {
  // Usage may exceed the receipts, because gateways are killed. [D40]
  await running?.close({ receipts: 'at least' })
  await rm(points, { recursive: true, force: true })
})

const query = async (service: 'gateway' | 'notification', sql: string) =>
  (await withClient(databaseUrlOf(running.stack, service), (client) => client.query<Record<string, unknown>>(sql))).rows

const createKey = () => paraph(running.folder, 'key', 'create', '--account', accountId, '--environment', 'test')

/** Statements that skip the time for which a killed process keeps the lease of a mail or code. */
const RELEASE = {
  gateway: 'with mail as (update owner_mail set leased_until = null) update code_send set leased_until = null',
  notification: `update delivery set claimed_until = now(), outcome = '${UNRECORDED}' where claimed_until is not null`,
} as const

async function untilAllIsSent(): Promise<void> {
  const isEmpty = async (service: 'gateway' | 'notification', sql: string) => (await query(service, sql)).length === 0
  await until('every mail to be pushed and sent', async () =>
    (await isEmpty('gateway', 'select 1 from owner_mail where finished_at is null')) &&
    (await isEmpty('gateway', 'select 1 from code_send where finished_at is null')) &&
    (await isEmpty('notification', "select 1 from delivery where state = 'due'"))
      ? true
      : undefined,
  )
}

/** The Message-IDs of the mails to `address` whose ids are not in `seen`. */
async function newTo(address: string, seen: ReadonlySet<string> = new Set()): Promise<string[]> {
  return (await mailbox.listTo(address)).filter(({ ID }) => !seen.has(ID)).map(({ MessageID }) => MessageID)
}

it('the owner gets a mail for each key, also of the first start, and the audit log names who made it [D24, P36, local-stack]', async () => {
  const acts = await query(
    'gateway',
    "select distinct actor, actor_name, act from audit_entry where act <> 'operator.read' order by act",
  )
  expect(acts).toEqual([
    { actor: 'command_line', actor_name: 'npm start', act: 'account.created' },
    { actor: 'command_line', actor_name: 'npm start', act: 'key.created' },
  ])
  expect((await createKey()).code).toBe(0)
  await untilAllIsSent()
  expect(await newTo(OWNER)).toHaveLength(3)
})

describe('after kill -9 during the delivery of a mail to an owner [D24, F16]', () => {
  it.each([
    ['gateway', 'owner-mail.pushed', 1],
    ['notification', 'mail.claimed', 1],
    // The only point at which a kill may cause a duplicate, with the same Message-ID. [F8]
    ['notification', 'mail.accepted', 2],
    ['notification', 'mail.finished', 1],
  ] as const)('of %s at %s, the owner gets %i mail(s) with one Message-ID', async (service, point, copies) => {
    const seen = await mailbox.idsTo(OWNER)
    const killed = await expectKillAt(running, { points, service, point })
    // The command may get no answer because of the kill, but the gateway creates the key.
    await createKey()
    await killed()
    await query(service, RELEASE[service])
    await untilAllIsSent()
    const arrived = await newTo(OWNER, seen)
    expect([arrived.length, new Set(arrived).size]).toEqual([copies, 1])
  })

  it('and after the delivery, neither database contains the address or the text', async () => {
    await untilAllIsSent()
    expect(await query('gateway', 'select 1 from owner_mail where address is not null or data is not null')).toEqual([])
    expect(await query('notification', 'select 1 from delivery where sealed is not null')).toEqual([])
  })
})

describe('after kill -9 of the gateway during the sending of a code, the owner gets one valid code [D16, D42, F16]', () => {
  it.each(['claimed', 'pushed', 'wiped', 'committed'])('at code.%s', async (step) => {
    const email = `${step}@example.test`
    const visitor = createVisitor()
    const killed = await expectKillAt(running, { points, service: 'gateway', point: `code.${step}` })
    const page = await visitor.get(`${running.stack.shareUrl}/console/sign-in`)
    const sent = await visitor.submit(page, /\/sign-in$/, { email })
    await killed()
    await query('gateway', RELEASE.gateway)
    const code = await mailbox.waitForCode(email)
    const challenge = await visitor.get(locationOf(sent))
    const opened = await visitor.submit(challenge, new URL(locationOf(sent)).pathname, { code })
    expect([opened.status, locationOf(opened)]).toEqual([303, `${running.stack.shareUrl}/console`])
    await untilAllIsSent()
    expect(await newTo(email)).toHaveLength(1)
    visitor.close()
  })
})

it('after kill -9 of notification between the POST of a webhook and its record, the message comes again, and the next one after it [D65, F16]', async () => {
  const heard: { headers: IncomingHttpHeaders; body: string }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      heard.push({ headers: request.headers, body })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const visitor = createVisitor()
  const seen = await mailbox.idsTo(OWNER)
  const signIn = await visitor.get(`${running.stack.shareUrl}/console/sign-in`)
  const challengeUrl = locationOf(await visitor.submit(signIn, /\/sign-in$/, { email: OWNER }))
  const code = await mailbox.waitForCode(OWNER, seen)
  await visitor.submit(await visitor.get(challengeUrl), new URL(challengeUrl).pathname, { code })
  const page = await visitor.get(`${running.stack.shareUrl}/console/webhooks?environment=sandbox`)
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  expect((await visitor.submit(page, /\/webhooks$/, { url })).status).toBe(201)

  const killed = await expectKillAt(running, { points, service: 'notification', point: 'webhook.posted' })
  const parties = ['buyer', 'seller'].map((role) => ({ role, legalName: role, email: `signs+${role}@simulator.test` }))
  const api = createApiClient(running.stack.apiUrl, running.stack.testKey)
  expect((await api.create({ contractType: 'nda', content: 'SECRETS\n\nStay secret.', parties })).status).toBe(201)
  await killed()
  await query('notification', 'update webhook_message set claimed_until = null')
  await until('the completion', () => (heard.some(({ body }) => body.includes('contract.signed')) ? true : undefined))
  const [first, again, last] = heard
  expect(heard).toHaveLength(3)
  expect(again).toMatchObject({ body: first!.body, headers: { 'webhook-id': first!.headers['webhook-id'] } })
  expect(last!.headers['webhook-id']).not.toBe(first!.headers['webhook-id'])
  visitor.close()
  receiver.close()
})
