// Passkeys in Chromium, with its virtual authenticator and the real script: an owner adds one, signs in with it, and loses the device. [D73]
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { withClient } from '@paraph/database/provision'
import { createMailbox, type Mailbox } from '../../harness/clients/api-client.js'
import { openBrowser } from '../../harness/browser/browser.js'
import { listenForViolations, probe } from '../../harness/browser/page-probe.js'
import { press, TEXTS } from '../../harness/browser/party.js'
import { addPasskeyDevice } from '../../harness/browser/passkey.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { databaseUrlOf } from '../../harness/stack/local-stack.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'

const OWNER = 'owner@passkeys.test'

let shared: SharedStack
let browser: Browser
let mailbox: Mailbox
let page: Page
let device: Awaited<ReturnType<typeof addPasskeyDevice>>
let codes: string[]
beforeAll(async () => {
  ;[shared, browser] = await Promise.all([joinStack(), openBrowser()])
  mailbox = createMailbox(shared.stack.mailboxUrl)
  await createAccount(shared.folder, { name: 'Nordic Foods Ltd.', email: OWNER })
  const context = await browser.newContext({ locale: 'en-GB', permissions: ['clipboard-read', 'clipboard-write'] })
  page = await context.newPage()
  await listenForViolations(page)
  device = await addPasskeyDevice(page)
})
afterAll(async () => {
  await browser?.close()
  await shared?.close()
})

const heading = (on = page) => on.getByRole('heading', { level: 1 }).textContent()
const at = (path: string): string => `${shared.stack.shareUrl}/console${path}`

async function signIn(on: Page): Promise<void> {
  // Moves the codes before into the past: two codes are a minute apart. [D16]
  await withClient(databaseUrlOf(shared.stack, 'gateway'), (client) =>
    client.query(
      "update code_send set created_at = created_at - interval '1 hour', expires_at = expires_at - interval '1 hour' where mailbox = $1",
      [OWNER],
    ),
  )
  await on.goto(at('/sign-in'))
  const seen = await mailbox.idsTo(OWNER)
  await on.getByLabel('Your email address').fill(OWNER)
  await press(on, TEXTS.en.sendCode)
  await on.getByLabel(TEXTS.en.code).fill(await mailbox.waitForCode(OWNER, seen))
  await press(on, TEXTS.en.continue)
}

it('an owner adds a passkey, and copies ten recovery codes that are shown once [D73]', async () => {
  await signIn(page)
  await page.goto(at('/sessions'))
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  expect(await page.getByText('Passkeys need JavaScript').isVisible()).toBe(false)
  await page.getByLabel('Name').fill('Work laptop')
  expect(await press(page, 'Make a passkey')).toBe(201)
  expect(await heading()).toBe('Save your recovery codes now')
  codes = (await page.locator('#recovery-codes').textContent())!.split('\n')
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: /^Copy/ }).click()
  await page.getByRole('button', { name: /^Copied/ }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(codes.join('\n'))
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(true)
  expect((await probe(page)).violations).toEqual([])
  await page.getByRole('link', { name: 'I have saved them, continue' }).click()
  expect(await page.getByText('Work laptop').count()).toBe(1)
  expect(await page.content()).not.toContain(codes[0])
  expect(await device.credentials()).toHaveLength(1)
  await mailbox.waitFor(OWNER, 'A passkey was added')
})

it('then a code is not enough: the device must recognise the person [D73]', async () => {
  await page.context().clearCookies()
  await signIn(page)
  expect(await heading()).toBe('Confirm with your passkey')
  await page.goto(at('/keys'))
  expect(await heading()).toBe('Confirm with your passkey')
  await device.recognise(false)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await page.getByText('Your browser did not complete it.').waitFor()
  expect(page.url()).toContain('/console/second-factor?next=%2Fconsole%2Fkeys')
  await device.recognise(true)
  await press(page, 'Use your passkey')
  expect(page.url()).toBe(at('/keys'))
  expect((await probe(page)).violations).toEqual([])
})

it('without the device and without scripts a recovery code signs in, and the page offers a new passkey [D73]', async () => {
  const other = await (await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' })).newPage()
  await signIn(other)
  expect(await other.getByText('Passkeys need JavaScript').isVisible()).toBe(true)
  expect(await other.getByRole('button', { name: 'Use your passkey' }).isVisible()).toBe(false)
  await other.getByText('Use a recovery code instead').click()
  await other.getByLabel('Recovery code').fill(codes[3]!)
  await press(other, 'Continue')
  expect(await other.getByText('You used a recovery code.').count()).toBe(1)
  expect(await other.getByText('Unused recovery codes').textContent()).toContain('9')
  expect(await other.getByRole('link', { name: 'Add a passkey' }).count()).toBe(1)
  await mailbox.waitFor(OWNER, 'A recovery code was used')
})
