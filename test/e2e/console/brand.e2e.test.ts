// An account's brand from the owner's form to pages, mails and the sealed PDF, and its end. The owner's scripts are off. [D36, D59]
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { SAMPLE_ACCENT, SAMPLE_LOGO } from '@paraph/testing/test/logo-fixture'
import { createMailbox, type Mailbox } from '../../harness/clients/api-client.js'
import { createSignable, download, signAll, untilSealed } from '../../harness/clients/sealed-contract.js'
import { openBrowser } from '../../harness/browser/browser.js'
import { press, TEXTS } from '../../harness/browser/party.js'
import { addPasskeyDevice, makeFirstPasskey } from '../../harness/browser/passkey.js'
import { createAccount } from '../../harness/stack/accounts.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'
import { until } from '../../harness/until.js'

const OWNER = 'owner@branded.test'
const NAME = 'Nordic Foods Ltd.'

let shared: SharedStack
let browser: Browser
let mailbox: Mailbox
let owner: Page
let operator: Page
let key: string
beforeAll(async () => {
  ;[shared, browser] = await Promise.all([joinStack(), openBrowser()])
  mailbox = createMailbox(shared.stack.mailboxUrl)
  key = (await createAccount(shared.folder, { name: NAME, email: OWNER })).liveKey
  // An operator needs a passkey, and a passkey a script.
  const [first, second] = await Promise.all(
    [false, true].map((javaScriptEnabled) => browser.newContext({ javaScriptEnabled, locale: 'en-GB' })),
  )
  owner = await first!.newPage()
  operator = await second!.newPage()
  await signIn(owner, OWNER)
  await addPasskeyDevice(operator)
  await signIn(operator, 'operator@example.test')
  await makeFirstPasskey(operator)
})
afterAll(async () => {
  await browser?.close()
  await shared?.close()
})

async function signIn(on: Page, address: string): Promise<void> {
  await on.goto(`${shared.stack.shareUrl}/console/sign-in`)
  const seen = await mailbox.idsTo(address)
  await on.getByLabel('Your email address').fill(address)
  await press(on, TEXTS.en.sendCode)
  await on.getByLabel(TEXTS.en.code).fill(await mailbox.waitForCode(address, seen))
  await press(on, TEXTS.en.continue)
}

let contracts = 0
async function create() {
  contracts += 1
  const partyOf = (at: number) => ({
    role: `Role ${at}`,
    legalName: `Name ${at}`,
    email: `p${at}.${contracts}@branded.test`,
  })
  const parties = [1, 2].map(partyOf)
  const { shareUrl } = await createSignable(shared, key, { parties, content: 'The parties keep secrets secret.' })
  return { shareUrl, parties }
}

const pageOf = async (shareUrl: string): Promise<string> => (await fetch(shareUrl)).text()

async function invitationOf({ parties }: Awaited<ReturnType<typeof create>>): Promise<string> {
  const address = parties[0]!.email
  const [mail] = await until('the invitation', async () => {
    const mails = await mailbox.listTo(address)
    return mails.length > 0 ? mails : undefined
  })
  return (await mailbox.read(mail!.ID)).HTML
}

const LOGO = /\/assets\/brand\/[0-9a-f]{64}\.png/
const statusOf = async (path: string): Promise<number> => (await fetch(`${shared.stack.shareUrl}${path}`)).status

it('a brand that waits is on no page and no mail [D59]', async () => {
  await owner.goto(`${shared.stack.shareUrl}/console/account`)
  await owner.getByRole('link', { name: 'See the brand' }).click()
  await owner.getByLabel('Colour').fill(SAMPLE_ACCENT)
  await owner.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: SAMPLE_LOGO.bytes })
  await press(owner, 'Send to the operator')
  expect(await owner.getByText('Waits for the operator').count()).toBe(1)
  const contract = await create()
  expect(await pageOf(contract.shareUrl)).not.toContain('/assets/brand/')
  expect(await invitationOf(contract)).not.toContain('/assets/brand/')
})

it('a brand that the operator approves is on pages, mails and the sealed PDF, and on nothing of another account [D59]', async () => {
  await operator.goto(`${shared.stack.shareUrl}/console/operator/applications`)
  await operator.getByRole('link', { name: NAME }).click()
  await press(operator, 'Approve')

  const contract = await create()
  const page = await until('the brand on the page', async () => {
    const html = await pageOf(contract.shareUrl)
    return LOGO.test(html) ? html : undefined
  })
  expect(page).toContain(`<link rel="stylesheet" href="/assets/brand/${SAMPLE_ACCENT.slice(1)}.css"`)
  expect(await statusOf(LOGO.exec(page)![0])).toBe(200)
  expect(await statusOf(`/assets/brand/${SAMPLE_ACCENT.slice(1)}.css`)).toBe(200)
  await owner.goto(contract.shareUrl)
  const logo = owner.getByRole('img', { name: NAME })
  expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(SAMPLE_LOGO.width)
  expect(
    await owner
      .getByRole('button')
      .first()
      .evaluate((button) => getComputedStyle(button).backgroundColor),
  ).toBe('rgb(11, 110, 79)')

  // Signing and notification record a brand independently (D59): that a page has it says nothing about the mails.
  await until('the brand in an invitation', async () => LOGO.test(await invitationOf(await create())) || undefined)
  const visitors = await signAll(shared, contract.shareUrl, contract.parties)
  const visitor = visitors.values().next().value!
  await untilSealed(visitor, contract.shareUrl)
  const { 'copy.pdf': copy } = await download(visitor, contract.shareUrl)
  expect(copy.toString('latin1')).toMatch(/\/Subtype \/Image/)

  key = shared.stack.liveKey
  const other = await create()
  expect(await pageOf(other.shareUrl)).not.toContain('/assets/brand/')
  expect(await invitationOf(other)).not.toContain('/assets/brand/')
})

it('a brand that the operator withdraws is gone from the pages of contracts that had it [D59]', async () => {
  const shareUrl = owner.url()
  const [logo] = LOGO.exec(await pageOf(shareUrl))!
  await operator.getByLabel('Reason').fill('The company asked us to.')
  await press(operator, 'Show it no longer')
  await until('the end of the brand', async () => !(await pageOf(shareUrl)).includes('/assets/brand/') || undefined)
  expect(await statusOf(logo)).toBe(404)
})
