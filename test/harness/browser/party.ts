// The steps of a party in a browser (open the link, verify the mailbox, sign), and the page texts that these steps use in both languages.
import type { Browser, Page } from 'playwright-core'
import { createMailbox } from '../clients/api-client.js'

export const TEXTS = {
  en: {
    email: 'Your email address',
    sendCode: 'Send me a code',
    code: 'One-time code',
    continue: 'Continue',
    newCode: 'Send a new code',
    review: 'Read, then sign',
    consent: 'I have read this contract.',
    name: 'Type your full legal name',
    sign: 'Sign the contract',
    signed: 'You have signed',
    allSigned: 'Everyone has signed',
  },
  fr: {
    email: 'Votre adresse courriel',
    sendCode: 'M’envoyer un code',
    code: 'Code à usage unique',
    continue: 'Continuer',
    newCode: 'Envoyer un nouveau code',
    review: 'Lisez, puis signez',
    consent: 'J’ai lu ce contrat.',
    name: 'Saisissez votre nom légal complet',
    sign: 'Signer le contrat',
    signed: 'Vous avez signé',
    allSigned: 'Tout le monde a signé',
  },
} as const

type Language = keyof typeof TEXTS

/** Opens a page in a new browser profile, with the size of a phone and without scripts. */
export async function openPhone(browser: Browser, locale = 'en-GB'): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false, locale })
  return context.newPage()
}

/** Clicks a button that submits a form. @returns the status of the next page, after redirects */
export async function press(page: Page, name: string): Promise<number> {
  return follow(page, () => page.getByRole('button', { name, exact: true }).click())
}

/** Performs an action that loads another page, and waits for that page. @returns its status, after redirects */
export async function follow(page: Page, act: () => Promise<void>): Promise<number> {
  const [response] = await Promise.all([
    page.waitForResponse((answer) => answer.request().isNavigationRequest() && answer.status() !== 303),
    page.waitForEvent('domcontentloaded'),
    act(),
  ])
  return response.status()
}

/** Opens the share link and requests a code for `address`. @returns the code, read from the mailbox */
export async function askForCode(
  page: Page,
  shareUrl: string,
  address: string,
  mailboxUrl: string,
  language: Language = 'en',
): Promise<string> {
  const mailbox = createMailbox(mailboxUrl)
  const seen = await mailbox.idsTo(address)
  await page.goto(shareUrl)
  await page.getByLabel(TEXTS[language].email).fill(address)
  await press(page, TEXTS[language].sendCode)
  return mailbox.waitForCode(address, seen)
}

/** Opens the share link and enters a code. Ends on the review page, the choice of a role, or the status page. @returns its status */
export async function enterCode(
  ...[page, shareUrl, address, mailboxUrl, language = 'en']: Parameters<typeof askForCode>
) {
  const code = await askForCode(page, shareUrl, address, mailboxUrl, language)
  await page.getByLabel(TEXTS[language].code).fill(code)
  return press(page, TEXTS[language].continue)
}

/** Opens the share link and enters a code. Ends on the review page. */
export async function proveMailbox(
  ...[page, shareUrl, address, mailboxUrl, language = 'en']: Parameters<typeof askForCode>
) {
  await enterCode(page, shareUrl, address, mailboxUrl, language)
  await page.getByRole('heading', { name: TEXTS[language].review }).waitFor()
}

/** Ticks the consent and types the name, on the review page. */
export async function fillIn(page: Page, legalName: string, language: Language = 'en'): Promise<void> {
  await page.getByLabel(TEXTS[language].consent).check()
  await page.getByLabel(TEXTS[language].name).fill(legalName)
}

/** Gives consent, types the name and signs, on the review page. @returns the status of the next page */
export async function signAs(page: Page, legalName: string, language: Language = 'en'): Promise<number> {
  await fillIn(page, legalName, language)
  return press(page, TEXTS[language].sign)
}
