// A party on a phone: follows the link, proves the mailbox, reads, signs. Scripts are off.
import type { Browser, Page } from 'playwright-core'
import { createMailbox } from './api-client.js'

/** A fresh browser profile with a phone's width and no scripts. */
export async function openPhone(browser: Browser, locale = 'en-GB'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false, locale })
  return context.newPage()
}

/** From the share link to the review page. */
export async function proveMailbox(page: Page, shareUrl: string, address: string, mailboxUrl: string): Promise<void> {
  const mailbox = createMailbox(mailboxUrl)
  const seen = new Set((await mailbox.listTo(address)).map(({ ID }) => ID))
  await page.goto(shareUrl)
  await page.getByLabel('Your e-mail address').fill(address)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByLabel('One-time code').fill(await mailbox.waitForCode(address, seen))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Read, then sign' }).waitFor()
}

/** On the review page: consent, name, sign. */
export async function signAs(page: Page, legalName: string): Promise<void> {
  await page.getByLabel('I have read this contract.').check()
  await page.getByLabel('Type your full legal name').fill(legalName)
  await page.getByRole('button', { name: 'Sign the contract' }).click()
}
