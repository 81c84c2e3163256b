// What the CI of a client platform does in the sandbox, without a mailbox: parties that act by themselves, webhooks, the test mailbox. [D63, D64, D65]
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { openBrowser } from '../../harness/browser/browser.js'
import { press, TEXTS } from '../../harness/browser/party.js'
import { createApiClient, createMailbox, type ContractBody } from '../../harness/clients/api-client.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'
import { until } from '../../harness/until.js'

const OWNER = 'owner@sandbox-ci.example'

interface Heard {
  headers: Record<string, string>
  body: string
}

let running: SharedStack
let browser: Browser
let page: Page
let keys: { liveKey: string; testKey: string }
const heard: Heard[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => {
    heard.push({ headers: request.headers as Record<string, string>, body })
    response.writeHead(204).end()
  })
})
beforeAll(async () => {
  ;[running, browser] = await Promise.all([joinStack(), openBrowser()])
  keys = await createAccount(running.folder, { name: 'Sandbox CI Ltd.', email: OWNER })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  page = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })).newPage()
})
afterAll(async () => {
  receiver.close()
  await browser?.close()
  await running?.close()
})

const consoleUrl = (path: string) => `${running.stack.shareUrl}/console${path}`
const bodyOf = (...emails: string[]) => ({
  contractType: 'nda',
  content: 'NON-DISCLOSURE AGREEMENT\n\nThe parties keep secrets secret.',
  parties: emails.map((email, index) => ({ role: 'Party', legalName: `Person ${index}`, email })),
})

/** Waits until the contract is as `ask` wants it, by long polls. */
async function untilContract(id: string, ask: (contract: ContractBody['contract']) => boolean) {
  const api = createApiClient(running.stack.apiUrl, keys.testKey)
  let known: Record<string, string> = {}
  return until(`the contract ${id}`, async () => {
    const { headers, body } = await api.call<ContractBody>('GET', `/contracts/${id}`, undefined, known)
    known = { 'If-None-Match': headers.get('ETag') ?? '', Prefer: 'wait=10' }
    return body.contract && ask(body.contract) ? body.contract : undefined
  })
}

it('parties of the sandbox sign by themselves, and an endpoint made in the console hears of each step [D63, D65]', async () => {
  const mailbox = createMailbox(running.stack.mailboxUrl)
  const seen = await mailbox.idsTo(OWNER)
  await page.goto(consoleUrl('/webhooks?environment=sandbox'))
  await page.getByLabel('Your email address').fill(OWNER)
  await press(page, TEXTS.en.sendCode)
  await page.getByLabel(TEXTS.en.code).fill(await mailbox.waitForCode(OWNER, seen))
  await press(page, TEXTS.en.continue)
  await page.goto(consoleUrl('/webhooks?environment=sandbox'))
  const { port } = receiver.address() as AddressInfo
  await page.getByLabel('URL').fill(`http://127.0.0.1:${port}/hook`)
  expect(await press(page, 'Add')).toBe(201)
  const webhook = new Webhook(await page.getByLabel('Secret').inputValue())

  const api = createApiClient(running.stack.apiUrl, keys.testKey)
  const created = await api.create(bodyOf('signs+buyer@simulator.test', 'signs-after-1s+seller@simulator.test'))
  expect(created.status).toBe(201)
  const { id, contractNumber } = created.body.contract
  await untilContract(id, ({ status }) => status === 'signed')

  await until('both messages', () => (heard.length === 2 ? true : undefined))
  const messages = heard.map(({ headers, body }) => webhook.verify(body, headers) as { type: string; data: object })
  expect(messages.map(({ type }) => type)).toEqual(['contract.partially_signed', 'contract.signed'])
  expect(messages[1]!.data).toEqual({
    id,
    contractNumber,
    status: 'signed',
    signingProgress: { signed: 2, total: 2, pending: 0, percentage: 100 },
  })
  await page.getByRole('link', { name: 'Go to the endpoint' }).click()
  expect(await page.getByText('Delivered: 204').count()).toBe(2)
})

it('a mailbox of the simulator refuses its invitation, and the endpoint hears of it [D52, D63, D65]', async () => {
  const before = heard.length
  const api = createApiClient(running.stack.apiUrl, keys.testKey)
  const { id } = (await api.create(bodyOf('refuses@simulator.test', 'never@simulator.test'))).body.contract
  const { parties } = await untilContract(id, (contract) =>
    contract.parties.every(({ delivery }) => delivery !== 'pending'),
  )
  expect(parties.map(({ delivery }) => delivery)).toEqual(['refused', 'sent'])
  const { body } = await until('the message', () => heard[before])
  expect(JSON.parse(body)).toMatchObject({ type: 'party.delivery_refused', data: { id } })
})

it('a party that declines by itself is heard of, and the console shows it [D57, D63, D65]', async () => {
  const before = heard.length
  const api = createApiClient(running.stack.apiUrl, keys.testKey)
  const { id } = (await api.create(bodyOf('declines@simulator.test', 'never@simulator.test'))).body.contract
  const { status } = await untilContract(id, ({ parties }) => parties[0]!.declinedAt !== null)
  expect(status).toBe('pending_signature')
  const { body } = await until('the message', () => heard[before])
  expect(JSON.parse(body)).toMatchObject({ type: 'party.declined', data: { id, status: 'pending_signature' } })
  await page.goto(consoleUrl(`/contracts/sandbox/${id}`))
  expect(await page.locator('.party-list').innerText()).toContain('Declined to sign')
})

it('a simulated address is refused in production, and one without a meaning in the sandbox [D63]', async () => {
  const emails = ['jane@example.test', 'signs@simulator.test']
  const production = await createApiClient(running.stack.apiUrl, keys.liveKey).create(bodyOf(...emails))
  expect(production).toMatchObject({ status: 400, body: { issues: [{ path: 'parties[1].email' }] } })
  const sandbox = createApiClient(running.stack.apiUrl, keys.testKey)
  expect(await sandbox.create(bodyOf('jane@example.test', 'sings@simulator.test'))).toMatchObject({ status: 400 })
})

it('an owner signs as a party and expires a contract in the console, in the sandbox alone [D63]', async () => {
  const api = createApiClient(running.stack.apiUrl, keys.testKey)
  const { id } = (await api.create(bodyOf('jane@example.test', 'never@simulator.test'))).body.contract
  await page.goto(consoleUrl(`/contracts/sandbox/${id}`))
  await page.getByRole('button', { name: 'Sign as this party' }).first().click()
  await untilContract(id, ({ status }) => status === 'partially_signed')
  await page.goto(consoleUrl(`/contracts/sandbox/${id}`))
  expect(await page.getByRole('button', { name: 'Sign as this party' }).count()).toBe(1)
  expect(await press(page, 'Expire now')).toBe(200)
  expect((await api.get(id)).body.contract.status).toBe('expired')
  const live = createApiClient(running.stack.apiUrl, keys.liveKey)
  const production = (await live.create(bodyOf('jane@example.test', 'joe@example.test'))).body.contract
  await page.goto(consoleUrl(`/contracts/production/${production.id}`))
  expect(await page.getByRole('button', { name: /Sign as|Expire now/ }).count()).toBe(0)
})

it('the test mailbox shows the mails of the sandbox as text, HTML and raw [D64]', async () => {
  await page.goto(consoleUrl('/test-mail'))
  const subjects = await page.locator('tbody a').allTextContents()
  expectWithMessage(subjects.filter((subject) => subject.includes('Contract to sign')).length, 'invitations').toBe(8)
  expectWithMessage(subjects.filter((subject) => subject.includes('one-time code')).length, 'codes').toBe(4)
  await page.getByRole('link', { name: 'Contract to sign' }).first().click()
  const text = await page.locator('pre').innerText()
  expect(text).toContain('/contract/')
  const html = await page.context().request.get(`${page.url()}/html`)
  expect([html.status(), html.headers()['content-security-policy']]).toEqual([
    200,
    expect.stringMatching(/^sandbox .*; img-src 'self';/),
  ])
  const raw = await (await page.context().request.get(`${page.url()}/raw`)).text()
  expect(raw).toMatch(/^(?:.+\r\n)*Subject: /)
})
