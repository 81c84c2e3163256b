import type { Client } from 'pg'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createApiClient, createMailbox, type ContractBody } from '../../harness/clients/api-client.js'
import { openBrowser } from '../../harness/browser/browser.js'
import {
  databaseUrlOf,
  makeDataFolder,
  paraph,
  paraphJson,
  startStack,
  type RunningStack,
} from '../../harness/stack/local-stack.js'
import { openPhone, proveMailbox, signAs, TEXTS } from '../../harness/browser/party.js'
import { print } from '../../harness/print.js'
import { until } from '../../harness/until.js'

const CONTENT =
  'NON-DISCLOSURE AGREEMENT\n\n1. PURPOSE\n\nThe parties keep secrets secret.\r\n\r\n2. TERM\n\nTwo years.'
const PARTIES = [
  { role: 'Discloser', legalName: 'Nordic Foods Ltd.', email: 'nordic@example.test' },
  { role: 'Recipient', legalName: 'Jane Roe', email: 'Jane.Roe@example.test' },
  { role: 'Recipient', legalName: 'Hélène Côté', email: 'helene@example.test' },
]

/** The browser of each party: a wide window; scripts off; a phone in French. */
const VISITS: readonly { language: 'en' | 'fr'; options: BrowserContextOptions }[] = [
  { language: 'en', options: { locale: 'en-GB', viewport: { width: 1280, height: 900 } } },
  { language: 'en', options: { locale: 'en-GB', javaScriptEnabled: false } },
  { language: 'fr', options: { locale: 'fr-CA', viewport: { width: 390, height: 844 } } },
]

let running: RunningStack
let browser: Browser
/** The contract that everyone signs in the first test, and the open page of each party. */
let signed: { contract: ContractBody['contract']; pages: Page[] } | undefined
beforeAll(async () => {
  ;[running, browser] = await Promise.all([
    makeDataFolder({ isNew: true }).then((folder) => startStack(folder)),
    openBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await running?.close()
})

it('one POST causes three mails, three signatures and the status signed [S1.1, S1.4, S2.1, S2.3-6, S4.4, S12.3, S14.8, S25.12]', async () => {
  const { apiUrl, liveKey, mailboxUrl, shareUrl } = running.stack
  const api = createApiClient(apiUrl, liveKey)
  const mailbox = createMailbox(mailboxUrl)

  const postedAt = Date.now()
  const created = await api.create({
    parties: PARTIES,
    contractType: 'nda',
    content: CONTENT,
    senderName: 'Nordic Foods procurement',
  })
  expect(created.status).toBe(201)
  const { contract } = created.body
  expect(contract).toMatchObject({
    status: 'pending_signature',
    parties: PARTIES,
    signingProgress: { signed: 0, total: 3, pending: 3, percentage: 0 },
  })
  expect(contract.shareUrl.startsWith(`${shareUrl}/contract/`)).toBe(true)

  const invitations = await Promise.all(PARTIES.map(({ email }) => mailbox.waitFor(email, 'Contract to sign')))
  print(`POST → three mails: ${Math.max(...invitations.map(({ Created }) => Date.parse(Created))) - postedAt} ms`)
  for (const [index, invitation] of invitations.entries()) {
    const { Text } = await mailbox.read(invitation.ID)
    expect(Text).toContain(contract.shareUrl)
    expect(Text).toContain(PARTIES[index]!.legalName)
    expect(invitation.From.Name).toBe('Nordic Foods procurement via Paraph')
  }

  const expected = ['partially_signed', 'partially_signed', 'signed']
  const pages: Page[] = []
  for (const [index, party] of PARTIES.entries()) {
    const { language, options } = VISITS[index]!
    const page = await (await browser.newContext(options)).newPage()
    pages.push(page)
    // The party types the address in lower case, because case does not matter. [D14]
    await proveMailbox(page, contract.shareUrl, party.email.toLowerCase(), mailboxUrl, language)
    expect(await page.getByRole('article').innerText()).toContain('The parties keep secrets secret.')
    expect(await signAs(page, party.legalName, language)).toBe(200)
    expect(await page.locator('h1').innerText()).toBe(TEXTS[language][index < 2 ? 'signed' : 'allSigned'])
    const seen = (await api.get(contract.id)).body.contract
    expect(seen).toMatchObject({
      status: expected[index],
      signingProgress: { signed: index + 1, percentage: [33.33, 66.67, 100][index] },
    })
    expect(seen.parties.map(({ hasSigned }) => hasSigned)).toEqual(PARTIES.map((_, at) => at <= index))
    expect(seen.signatures?.map(({ signerEmail }) => signerEmail)).toEqual(
      PARTIES.slice(0, index + 1).map(({ email }) => email),
    )
  }
  const final = (await api.get(contract.id)).body.contract
  expect(final.completedAt).toBe(final.signatures?.at(-1)?.signedAt)
  signed = { contract, pages }
  await everyoneReadsThatEveryoneSigned()
})

/** Opens the share link in each party's browser, and expects that everyone has signed. */
async function everyoneReadsThatEveryoneSigned(): Promise<void> {
  const { contract, pages } = signed!
  for (const [index, page] of pages.entries()) {
    await page.goto(contract.shareUrl)
    expect(await page.locator('h1').innerText()).toBe(TEXTS[VISITS[index]!.language].allSigned)
    for (const { legalName } of PARTIES) expect(await page.locator('main').innerText()).toContain(legalName)
  }
}

it('a stranger with the link gets the same page as a party, and no mail [S2.5, D16, D29]', async () => {
  const { apiUrl, liveKey, mailboxUrl } = running.stack
  const { contract } = (
    await createApiClient(apiUrl, liveKey).create({ parties: PARTIES, contractType: 'nda', content: CONTENT })
  ).body
  const texts: string[] = []
  for (const address of ['helene@example.test', 'stranger@example.test']) {
    const page = await openPhone(browser)
    await page.goto(contract.shareUrl)
    expect(await page.content()).not.toContain('Jane Roe')
    await page.getByLabel('Your email address').fill(address)
    await page.getByRole('button', { name: 'Send me a code' }).click()
    texts.push((await page.locator('body').innerText()).replaceAll(address, 'ADDRESS'))
    await page.context().close()
  }
  expect(texts[0]).toBe(texts[1])
  await createMailbox(mailboxUrl).waitForCode('helene@example.test')
  expect(await createMailbox(mailboxUrl).listTo('stranger@example.test')).toEqual([])
})

it('the command line cancels a contract, and no party can sign it afterwards [S12.11-12, S20.1, D19]', async () => {
  const { apiUrl, testKey, mailboxUrl } = running.stack
  const api = createApiClient(apiUrl, testKey)
  const { contract } = (await api.create({ parties: PARTIES, contractType: 'service', content: CONTENT })).body
  const page = await openPhone(browser)
  await proveMailbox(page, contract.shareUrl, 'nordic@example.test', mailboxUrl)
  expect(await page.locator('body').innerText()).toContain('Test contract')

  const shown = await paraph(running.folder, 'contract', 'show', contract.id, '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({
    contract: { id: contract.id, status: 'pending_signature', environment: 'sandbox', parties: PARTIES },
  })
  expect(shown.stdout).not.toContain(contract.shareUrl.split('/').at(-1))
  const cancelled = await paraph(running.folder, 'contract', 'cancel', contract.id, '--reason', 'Not needed', '--json')
  expect(JSON.parse(cancelled.stdout)).toEqual({ contract: { id: contract.id, status: 'cancelled' } })
  expect(cancelled.code).toBe(0)
  expect((await api.get(contract.id)).body.contract.status).toBe('cancelled')
  const again = await paraph(running.folder, 'contract', 'cancel', contract.id, '--reason', 'Again')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/cancelled/)

  // The contract was cancelled during the review, so the page refuses the signature, and nothing is recorded. [ceremony 6c]
  await signAs(page, 'Nordic Foods Ltd.')
  expect(await page.locator('body').innerText()).toContain('You have not signed')
  expect((await page.goto(contract.shareUrl))?.status()).toBe(410)
  expect((await api.get(contract.id)).body.contract.signingProgress.signed).toBe(0)
  await page.context().close()
})

it('the command line revokes a key immediately, and a second revocation changes nothing [Authentication, D28]', async () => {
  const { apiUrl } = running.stack
  const json = <Answer>(...argv: string[]) => paraphJson<Answer>(running.folder, ...argv)
  const wrong = await paraph(running.folder, 'account', 'create', '--name', ' ', '--email', 'x', '--plan', 'growth')
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toMatch(/^name must .*\nemail must /m)
  const { account } = await json<{ account: { id: string } }>(
    'account',
    'create',
    '--name',
    'Roe Ltd.',
    '--email',
    'jane.roe@example.test',
    '--plan',
    'growth',
  )
  const { key } = await json<{ key: { id: string; secret: string } }>(
    'key',
    'create',
    '--account',
    account.id,
    '--environment',
    'test',
    '--scopes',
    'contracts:read',
  )
  const api = createApiClient(apiUrl, key.secret)
  expect((await api.get('contract-1-a')).status).toBe(404)
  const { key: revoked } = await json<{ key: { id: string; revokedAt: string } }>('key', 'revoke', key.id)
  expect(revoked).toEqual({ id: key.id, revokedAt: expect.stringMatching(/Z$/) })
  expect((await api.get('contract-1-a')).status).toBe(401)
  expect((await json<{ key: unknown }>('key', 'revoke', key.id)).key).toEqual(revoked)
  const unknown = await paraph(running.folder, 'key', 'revoke', 'key_none')
  expect(unknown).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('no key') })
})

it('after a restart of the stack, data, links and keys are unchanged [local-stack]', async () => {
  const { apiUrl, liveKey } = running.stack
  const { contract } = (
    await createApiClient(apiUrl, liveKey).create({ parties: PARTIES, contractType: 'nda', content: CONTENT })
  ).body
  await createMailbox(running.stack.mailboxUrl).waitFor('helene@example.test', 'Contract to sign')
  const { pids } = running.stack
  const exit = await running.stop()
  expect(exit).toMatchObject({ code: 0 })
  for (const pid of Object.values(pids))
    expectWithMessage(() => process.kill(pid, 0), 'every process has exited').toThrow()
  expectWithMessage(await running.read(), 'stack.json is removed').toBeUndefined()

  running = await startStack(running.folder)
  print(`second start: ${Math.round(running.startedInMs)} ms`)
  expect(running.stack).toMatchObject({ apiUrl, liveKey })
  const api = createApiClient(running.stack.apiUrl, running.stack.liveKey)
  expect((await api.get(contract.id)).body.contract).toMatchObject({ id: contract.id, status: 'pending_signature' })
  const page = await openPhone(browser)
  await proveMailbox(page, contract.shareUrl, 'helene@example.test', running.stack.mailboxUrl)
  await page.context().close()

  expect((await api.get(signed!.contract.id)).body.contract).toMatchObject({
    status: 'signed',
    signingProgress: { signed: 3, total: 3, pending: 0, percentage: 100 },
  })
  await everyoneReadsThatEveryoneSigned()
})

it('a completed contract has a complete evidence chain, and no chain contains a personal value [D30]', async () => {
  await withClient(databaseUrlOf(running.stack, 'signing'), checkEvidence)
})

async function checkEvidence(client: Client): Promise<void> {
  const types = await until('a completed chain', async () => {
    const { rows } = await client.query<{ types: string[] }>(
      "select array_agg(type order by seq) as types from evidence_entry group by contract_id having bool_or(type = 'contract.completed')",
    )
    return rows[0]?.types
  })
  const perParty = [
    'code.sent',
    'code.verified',
    'text.shown',
    'consent.given',
    'signature.submitted',
    'signature.accepted',
  ]
  expect(types[0]).toBe('contract.created')
  expect(types.at(-1)).toBe('contract.completed')
  expect(types.toSorted()).toEqual(
    ['contract.created', 'contract.completed', ...perParty, ...perParty, ...perParty].toSorted(),
  )
  const { rows } = await client.query<{ line: string }>('select line from evidence_entry')
  const all = rows.map(({ line }) => line).join('\n')
  for (const value of ['example.test', 'Jane', 'Nordic', 'Discloser', '127.0.0.1']) expect(all).not.toContain(value)
}
