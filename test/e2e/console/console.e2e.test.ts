// An owner applies for access, creates a test contract and manages it, using only the pages and mails; then the operator's pages.
// Scripts are off, because the console works without scripts. [Authentication, Environments, D38]
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { createMailbox, type Mailbox } from '../../harness/clients/api-client.js'
import { inDatabase } from '../../harness/clients/canaries.js'
import { openBrowser } from '../../harness/browser/browser.js'
import { makeDataFolder, startStack, type RunningStack } from '../../harness/stack/local-stack.js'
import { enterCode, press, TEXTS } from '../../harness/browser/party.js'
import { addPasskeyDevice, makeFirstPasskey } from '../../harness/browser/passkey.js'
import { until } from '../../harness/until.js'

const OWNER = 'owner@first-contract.example'
const OPERATOR = 'operator@example.test'

let running: RunningStack
let browser: Browser
let context: BrowserContext
let page: Page
let mailbox: Mailbox
let consoleUrl: string
/** Where an operator has signed in. */
let operator: Page
beforeAll(async () => {
  ;[running, browser] = await Promise.all([
    startStack(await makeDataFolder(), { AUTO_APPROVE: 'trial' }),
    openBrowser(),
  ])
  mailbox = createMailbox(running.stack.mailboxUrl)
  consoleUrl = `${running.stack.shareUrl}/console`
  context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB', acceptDownloads: true })
  page = await context.newPage()
})
afterAll(async () => {
  await browser?.close()
  await running?.close()
})

const heading = (on = page) => on.getByRole('heading', { level: 1 }).textContent()

/** Signs in: enters the address and the code from the mailbox. */
async function signIn(on: Page, address: string): Promise<void> {
  const seen = await mailbox.idsTo(address)
  await on.getByLabel('Your email address').fill(address)
  await press(on, TEXTS.en.sendCode)
  await on.getByLabel(TEXTS.en.code).fill(await mailbox.waitForCode(address, seen))
  expect(await press(on, TEXTS.en.continue)).toBe(200)
}

/** Runs a command in a shell as the page shows it, but with `curl -sS`. @returns its output */
async function run(command: string): Promise<string> {
  return (await promisify(execFile)('bash', ['-c', command.replace(/^curl/, 'curl -sS')])).stdout
}

/** The heading of the page of the test contract. */
const CONTRACT_TITLE = 'Non-disclosure agreement with First Party and 1 other'

let contract: { id: string; contractNumber: string; shareUrl: string }

it('the console leads a new owner from the sign-in to a first test contract, without an operator [S18.4, D38]', async () => {
  await page.goto(consoleUrl)
  expect(await heading()).toBe('Sign in to the console')
  await signIn(page, OWNER)
  expect(await heading()).toBe('Apply for access')
  await page.getByLabel('Legal name').fill('First Contract Inc.')
  await page.getByLabel('Website').fill('first-contract.example')
  await page.getByLabel('Describe the contracts').fill('One test contract, to see how it is.')
  await page.getByLabel('Non-disclosure agreement').check()
  await page.getByLabel('Who are the other parties?').fill('Nobody yet')
  await page.getByLabel('Contracts a month').selectOption({ label: '1 to 50' })
  await page.getByLabel('I may act for this company').check()
  await press(page, 'Send the application')
  expect(await heading()).toBe('Choose a plan')
  await press(page, 'Choose Startup')
  await page.getByRole('link', { name: 'Create a key' }).click()
  await page.getByLabel('Name', { exact: true }).fill('My first program')
  expect(await press(page, 'Create the key')).toBe(201)
  expect(await heading()).toBe('Copy your key now')
  const [status, first] = await page.locator('.code').allTextContents()
  expect(JSON.parse(await run(status!))).toMatchObject({ status: 'operational', subscription: { status: 'trial' } })
  contract = (JSON.parse(await run(first!)) as { contract: typeof contract }).contract
  await mailbox.waitFor(OWNER, 'Your application is approved')
  await mailbox.waitFor(OWNER, 'A key was created')
})

it('a button copies the key if scripts run, and the page shows no copy button without scripts [D28]', async () => {
  expectWithMessage(await page.getByRole('button', { name: /^Copy/ }).count(), 'without scripts').toBe(0)
  const scripted = await browser.newContext({
    storageState: await context.storageState(),
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const here = await scripted.newPage()
  await here.goto(`${consoleUrl}/keys/new`)
  await here.getByLabel('Name', { exact: true }).fill('My second program')
  await press(here, 'Create the key')
  await here.getByRole('button', { name: 'Copy', exact: true }).click()
  await here.getByRole('button', { name: 'Copied', exact: true }).waitFor()
  expect(await here.evaluate('navigator.clipboard.readText()')).toBe(
    await here.getByLabel('Key', { exact: true }).inputValue(),
  )
  await scripted.close()
})

it('the console does not show the key again, and shows and resends the invitations of the contract [D28]', async () => {
  const secret = await page.getByLabel('Key', { exact: true }).inputValue()
  await page.getByLabel('I have stored the key.').check()
  await press(page, 'Go to API access')
  expect(await page.content()).not.toContain(secret)
  await mailbox.waitFor(OWNER, 'Contract to sign')
  await page.goto(`${consoleUrl}/contracts?environment=sandbox`)
  await page.getByRole('link', { name: contract.contractNumber }).click()
  expect(await heading()).toBe(CONTRACT_TITLE)
  await until('an accepted mail', async () => {
    await page.reload()
    return (await page.getByText('Delivered to mail server').count()) === 2 ? true : undefined
  })
  expect(await press(page, 'Send again: Recipient')).toBe(200)
  await page.getByText('We are sending the invitation again.').waitFor()
  const again = await until('a third invitation', async () => {
    const mails = (await mailbox.listTo(OWNER)).filter(({ Subject }) => Subject.includes('Contract to sign'))
    return mails.length === 3 ? mails : undefined
  })
  expect(again).toHaveLength(3)
  await press(page, 'Send again: Recipient')
  await page.getByText('You can send one invitation an hour').waitFor()
})

it('the owner finds a contract by a party and downloads what was found as CSV, and finds nothing by another name [D71]', async () => {
  await page.goto(`${consoleUrl}/contracts?environment=sandbox`)
  await page.getByLabel('Search', { exact: true }).fill('second part')
  await page.getByLabel('Status').selectOption({ label: 'Open (waiting or partly signed)' })
  await page.getByLabel('Created until').fill('2099-12-31')
  expect(await press(page, 'Show')).toBe(200)
  expect(await page.getByRole('link', { name: contract.contractNumber }).count()).toBe(1)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as CSV' }).click()
  const csv = await readFile(await (await download).path(), 'utf8')
  expect(csv.split('\r\n').map((line) => line.split(',')[0])).toEqual([
    '\uFEFF"contractNumber"',
    `"${contract.contractNumber}"`,
    '',
  ])
  await page.getByLabel('Search', { exact: true }).fill('third party')
  await press(page, 'Show')
  await page.getByText('No contracts match.').waitFor()
  await page.goto(`${consoleUrl}/overview?environment=sandbox`)
  expect(await page.locator('.figures').first().locator('dd').first().textContent()).toBe('1')
})

it('the owner cannot cancel a contract that both parties have just signed, and downloads evidence and signed copy [D10, D19, D30]', async () => {
  const late = await context.newPage()
  await late.goto(`${consoleUrl}/contracts/sandbox/${contract.id}/cancel`)
  await late.getByLabel('Enter the contract number to confirm').fill(contract.contractNumber)
  const party = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })).newPage()
  await enterCode(party, contract.shareUrl, OWNER, running.stack.mailboxUrl)
  for (const [role, name] of [
    ['Discloser', 'First Party'],
    ['Recipient', 'Second Party'],
  ] as const) {
    await party.goto(contract.shareUrl)
    await party.getByRole('link', { name: `Read and sign as ${role}` }).click()
    await party.getByLabel(TEXTS.en.consent).check()
    await party.getByLabel(TEXTS.en.name).fill(name)
    expect(await press(party, TEXTS.en.sign)).toBe(200)
  }
  expect(await press(late, 'Cancel the contract')).toBe(200)
  await late.getByText('Not cancelled: the last party signed first').waitFor()
  await late.close()
  await page.goto(`${consoleUrl}/contracts/sandbox/${contract.id}`)
  expect(await page.getByText('2 of 2 have signed').count()).toBe(1)
  await until('the evidence', async () => {
    await page.reload()
    return (await page.getByRole('link', { name: 'Download the evidence', exact: true }).count()) === 1
      ? true
      : undefined
  })
  const fetched = async (path: string) =>
    (await context.request.get(`${consoleUrl}/contracts/sandbox/${contract.id}/${path}`)).body()
  expect((await fetched('copy')).subarray(0, 5).toString()).toBe('%PDF-')
  expect((await fetched('evidence')).toString()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  expect((await fetched('openings')).toString()).toContain(OWNER)
})

it('the console shows the numbers of GET /usage, by endpoint [Usage, D3]', async () => {
  await page.goto(`${consoleUrl}/overview?environment=sandbox`)
  const endpoints = await page.locator('.endpoints li').allTextContents()
  expect(endpoints.map((text) => text.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/^GET \/status ?1/),
    expect.stringMatching(/^POST \/contracts ?1/),
  ])
  expect(await page.locator('.usage .figures dd').allTextContents()).toEqual(['1', '1,000', '999', '0'])
})

it('an operator suspends from a report in three clicks, handles it with a note, and finds both in the audit log [P8, D75]', async () => {
  const reporter = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })).newPage()
  await reporter.goto(`${contract.shareUrl}/report`)
  await reporter.getByLabel('It asks for money or passwords').check()
  await reporter.getByLabel('Tell us more (optional)').fill('They want my bank card.')
  expect(await press(reporter, 'Send the report')).toBe(200)
  // A passkey needs a script.
  operator = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await addPasskeyDevice(operator)
  await operator.goto(`${consoleUrl}/operator/reports`)
  await signIn(operator, OPERATOR)
  await makeFirstPasskey(operator)
  expect(await operator.locator('.side-operator').textContent()).toBe('Operator')
  expect(await operator.locator('a[aria-current] .count').first().textContent()).toBe('1')
  await operator.locator('tbody a').first().click()
  await operator.getByText('They want my bank card.').waitFor()
  await operator.getByRole('link', { name: 'Suspend the account' }).click()
  await press(operator, 'Suspend the account')
  await press(operator, 'Resume the account')
  await operator
    .getByRole('link', { name: /^Reports/ })
    .first()
    .click()
  await operator.locator('tbody a').first().click()
  await operator.getByLabel('Note').fill('A test of the operator.')
  await press(operator, 'Mark as handled')
  await operator.getByText('No open reports.').waitFor()
  await operator.goto(`${consoleUrl}/operator/audit?act=report.handled`)
  expect(await operator.locator('tbody tr').count()).toBe(1)
})

it('the owner can ask to erase a signed contract by typing its number, keep it, and ask again; it is erased after seven days [D19, D43, P32]', async () => {
  await page.goto(`${consoleUrl}/contracts/sandbox/${contract.id}/cancel`)
  expectWithMessage(await heading(), 'the contract, not the cancel page').toBe(CONTRACT_TITLE)
  await page.goto(`${consoleUrl}/contracts/sandbox/${contract.id}/erase`)
  await page.getByLabel('Enter the contract number to confirm').fill('EXT-20261124-WRONG')
  expect(await press(page, 'Erase in seven days')).toBe(422)
  await page.getByLabel('Enter the contract number to confirm').fill(contract.contractNumber.toLowerCase())
  expect(await press(page, 'Erase in seven days')).toBe(200)
  await page.getByText(`as requested by ${OWNER}`).waitFor()
  await mailbox.waitFor(OWNER, 'A contract will be erased / Un contrat sera effacé')
  expect(await press(page, 'Keep this contract')).toBe(200)
  await page.getByText('The contract will not be erased.').waitFor()
  await page.getByRole('link', { name: 'Erase contract' }).click()
  await page.getByLabel('Enter the contract number to confirm').fill(contract.contractNumber)
  await press(page, 'Erase in seven days')
  await page.goto(`${consoleUrl}/contracts?environment=sandbox`)
  await page.getByText('Will be erased after').waitFor()
  await inDatabase(running, 'contract', (client) =>
    client.query("update contract set erase_due_at = now() - interval '1 second' where id = $1", [contract.id]),
  )
  await page.goto(`${consoleUrl}/contracts/sandbox/${contract.id}`)
  await until('the erasure', async () => {
    await page.reload()
    return (await page.getByText('The text, names and addresses were erased').count()) > 0 ? true : undefined
  })
})

it('the operator sees every act on an account with its actor, and can suspend the account', async () => {
  await operator.goto(`${consoleUrl}/operator/accounts?search=first-contract`)
  await operator.getByRole('link', { name: 'First Contract Inc.' }).click()
  const done = await operator.locator('tbody tr').allTextContents()
  for (const act of [
    'Sent an application',
    'Chose the Startup plan',
    'Created key “My first program” (Sandbox)',
    'Sent an invitation again',
    'Requested the erasure of a contract',
    'Kept a contract that was due to be erased',
  ])
    expectWithMessage(
      done.some((row) => row.includes(act) && row.includes(OWNER)),
      act,
    ).toBe(true)
  const erased = done.find((row) => row.includes('Erased a contract'))
  expect(erased).toContain('Paraph itself')
  await operator.getByRole('link', { name: 'Suspend the account' }).click()
  await press(operator, 'Suspend the account')
  await page.goto(`${consoleUrl}/keys`)
  await page.getByText('This account is suspended.').waitFor()
})

it('the operator commands of docs/how-to/operators/first-operator.md work', async () => {
  const document = await readFile(new URL('../../../docs/how-to/operators/first-operator.md', import.meta.url), 'utf8')
  const commands = [...document.matchAll(/^npm run -s paraph -- .*$/gm)].map(([line]) => line)
  expect(commands).toHaveLength(4)
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const env = { ...process.env, PARAPH_DATA_DIR: running.folder }
  const texts = await Promise.all(
    commands.map(async (command) => (await promisify(execFile)('bash', ['-c', command], { cwd, env })).stdout),
  )
  // The address is an example.
  expect(texts[0]).toContain('has no passkey; nothing has changed.')
  expect(texts[1]).toContain('No application is waiting.')
  expect(texts[2]).toContain('First Contract Inc.')
  expect(texts[3]).toContain('application.approved')
})
