// Variants of the ceremony: keyboard only, scripts off, French, a phone, a pasted code, a link scanner, and the size of the first page.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { askForCode, enterCode, follow, press, proveMailbox, signAs, TEXTS } from '../../harness/browser/party.js'
import { print } from '../../harness/print.js'
import { PHONE, useStage, type Stage } from '../../harness/browser/stage.js'
import { until } from '../../harness/until.js'

/** The limit for the first page and its style sheet. [ceremony: first page] */
const FIRST_PAGE_BYTES_MAX = 25_000
const TABS_MAX = 40
/** An English text that is long enough for the detection of its language. */
const IN_ENGLISH =
  'NON-DISCLOSURE AGREEMENT\n\nEach of the parties shall keep the secrets of the other, and shall not tell any of them to others.\n'

let stage: Stage
let mailboxUrl: string
useStage((opened) => {
  stage = opened
  mailboxUrl = opened.running.stack.mailboxUrl
})

const heading = (page: Page): Promise<string> => page.locator('h1').innerText()

/** Presses Tab until the focus is on the field, button or link with this name. Checks that every focused element is visible. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let n = 0; n < TABS_MAX; n += 1) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate<{ name: string; outline: string; isInView: boolean }>(`(() => {
      const it = document.activeElement
      const { outlineStyle, outlineWidth } = getComputedStyle(it)
      const { top, bottom } = it.getBoundingClientRect()
      return { name: (it.labels?.[0] ?? it).textContent.trim(), outline: outlineStyle + ' ' + outlineWidth,
        isInView: bottom > 0 && top < innerHeight }
    })()`)
    if (stop.name !== '')
      expectWithMessage(stop, 'the focused element is visible').toMatchObject({ outline: 'solid 3px', isInView: true })
    if (stop.name.startsWith(name)) return
  }
  throw new Error(`${TABS_MAX} tabs do not lead to "${name}"`)
}

/** Presses Enter and waits for the next page. */
const send = (page: Page): Promise<number> => follow(page, () => page.keyboard.press('Enter'))

it('the ceremony works with the keyboard only, including errors, and shows the focus [WCAG 2.1.1, 2.4.7, 2.4.11]', async () => {
  const { shareUrl, mailboxes, id } = await stage.createContract('keys')
  const page = await stage.openPage()
  const { keyboard } = page
  await page.goto(shareUrl)
  await tabTo(page, TEXTS.en.email)
  await keyboard.type(mailboxes[1]!)
  await send(page)
  await tabTo(page, TEXTS.en.code)
  await keyboard.type('12')
  await tabTo(page, TEXTS.en.continue)
  expect(await send(page)).toBe(422)
  // The error summary has the focus, and its first link leads to the field.
  await tabTo(page, 'Enter all 6 digits')
  await keyboard.press('Enter')
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type(await stage.mailbox.waitForCode(mailboxes[1]!))
  await send(page)
  expect(await heading(page)).toBe('Read, then sign')
  await tabTo(page, 'Go to the signature')
  await keyboard.press('Enter')
  await tabTo(page, 'I have read this contract.')
  await keyboard.press('Space')
  await tabTo(page, TEXTS.en.name)
  await keyboard.type('Jane Roe')
  await tabTo(page, TEXTS.en.sign)
  await send(page)
  expect(await heading(page)).toBe('You have signed')
  await tabTo(page, 'Finish and leave')
  await send(page)
  expect(await heading(page)).toBe('You have left this contract')
  expect((await stage.api.get(id)).body.contract.signingProgress.signed).toBe(1)
})

const WAYS: readonly (BrowserContextOptions & { way: string; language: 'en' | 'fr' })[] = [
  { way: 'scripts off', language: 'en', javaScriptEnabled: false },
  {
    way: 'scripts off, French, a phone, dark mode',
    language: 'fr',
    javaScriptEnabled: false,
    viewport: PHONE,
    colorScheme: 'dark',
  },
  { way: 'a window of 320 px', language: 'en', viewport: { width: 320, height: 568 } },
  { way: 'a zoom of 200 %', language: 'fr', viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
]

it.each(WAYS)('the ceremony is the same with $way [ceremony 13]', async ({ way, language, ...options }) => {
  const { shareUrl, mailboxes } = await stage.createContract(way.replace(/\W+/g, '-'))
  const page = await stage.openPage({ ...options, locale: language === 'fr' ? 'fr-CA' : 'en-GB' })
  const narrow = async () => {
    if (options.javaScriptEnabled === false) return
    const sideways = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    expectWithMessage(sideways, await heading(page)).toBe(0)
  }
  const code = await askForCode(page, shareUrl, mailboxes[1]!, mailboxUrl, language)
  await narrow()
  await page.getByLabel(TEXTS[language].code).fill('12')
  expect(await press(page, TEXTS[language].continue)).toBe(422)
  await page.locator('.error-summary:focus').waitFor()
  await page.getByLabel(TEXTS[language].code).fill(code)
  await press(page, TEXTS[language].continue)
  expect(await heading(page)).toBe(TEXTS[language].review)
  await narrow()
  expect(await signAs(page, 'Jane Roe', language)).toBe(200)
  expect(await heading(page)).toBe(TEXTS[language].signed)
  expect(await page.locator('html').getAttribute('lang')).toBe(language === 'fr' ? 'fr-CA' : 'en-GB')
  await narrow()
})

it('the code page accepts a code with a space, with a hyphen, or surrounded by spaces [GOV.UK: codes]', async () => {
  for (const [tag, shape] of [
    ['blank', (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`],
    ['hyphen', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
    ['around', (code: string) => `\t${code}\u00a0 `],
  ] as const) {
    const { shareUrl, mailboxes } = await stage.createContract(`paste-${tag}`)
    const page = await stage.openPage()
    const code = await askForCode(page, shareUrl, mailboxes[1]!, mailboxUrl)
    await page.getByLabel(TEXTS.en.code).fill(shape(code))
    await press(page, TEXTS.en.continue)
    expectWithMessage(await heading(page), tag).toBe('Read, then sign')
  }
})

// secrecy.e2e.test.ts compares all rows to show that a link scanner causes no write.
it('a party can sign after and during the requests of a link scanner: GET and HEAD, 20 times each [D31]', async () => {
  const { id, shareUrl, mailboxes } = await stage.createContract('scanned')
  const [, party] = mailboxes
  await stage.mailbox.waitFor(party!, 'Contract to sign')
  const paths = ['', '/review', '/done', '/contract.txt', '/code', '/code/AAAAAAAAAAAAAAAAAAAAAA', '/sign', '/report']
  const statuses = new Set<number>()
  for (let n = 0; n < 20; n += 1) {
    const answers = await Promise.all(
      [...paths, '?lang=fr'].flatMap((path) =>
        ['GET', 'HEAD'].map((method) => fetch(`${shareUrl}${path}`, { method, redirect: 'manual' })),
      ),
    )
    for (const { status, headers } of answers) {
      statuses.add(status)
      expect(headers.getSetCookie().filter((cookie) => !cookie.includes('lang='))).toEqual([])
    }
  }
  expect([...statuses].toSorted()).toEqual([200, 303])
  const page = await stage.openPage()
  await proveMailbox(page, shareUrl, party!, mailboxUrl)
  // A scanner that sends the session cookie does not end the session either.
  const [cookie] = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`)
  for (let n = 0; n < 20; n += 1)
    for (const method of ['GET', 'HEAD']) await fetch(shareUrl, { method, headers: { cookie: cookie! } })
  expect(await signAs(page, 'Jane Roe')).toBe(200)
  expect((await stage.api.get(id)).body.contract.signingProgress.signed).toBe(1)
  expectWithMessage(await stage.mailbox.listTo(party!), 'mails: the invitation and one code').toHaveLength(2)
})

it('the pages are in French after a click on Français, and declare the language in the markup [D25, WCAG 3.1.1]', async () => {
  const { shareUrl, mailboxes } = await stage.createContract('french', { content: IN_ENGLISH })
  const page = await stage.openPage()
  await page.goto(shareUrl)
  await page.getByRole('link', { name: 'Français' }).click()
  expect(await heading(page)).toBe('Nordic Foods procurement vous demande de signer un contrat')
  expect(await page.locator('html').getAttribute('lang')).toBe('fr-CA')
  await enterCode(page, shareUrl, mailboxes[1]!, mailboxUrl, 'fr')
  expect(await heading(page)).toBe('Lisez, puis signez')
  // The markup declares the contract's own language, which differs from that of the page. [WCAG 3.1.2]
  expect(await page.locator('article [lang]').first().getAttribute('lang')).toBe('en')
})

it('the first page needs three requests, one for the script of times, and at most 25 KB of transfer [ceremony: first page, D60]', async () => {
  const { shareUrl } = await stage.createContract('wire')
  const page = await stage.openPage({ viewport: PHONE })
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const bytes = new Map<string, number>()
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => bytes.set(requestId, encodedDataLength))
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto(shareUrl, { waitUntil: 'networkidle' })
  await until('all answers', () => (bytes.size >= 3 ? true : undefined))
  const total = [...bytes.values()].reduce((sum, each) => sum + each, 0)
  print(`first page: ${requested.length} requests, ${total} bytes over the wire (${[...bytes.values()].join(' + ')})`)
  expect(requested).toHaveLength(3)
  expect(total).toBeLessThanOrEqual(FIRST_PAGE_BYTES_MAX)
})

it('every page has the headers for security and against caching, referrers and indexing [ceremony: headers]', async () => {
  const { shareUrl } = await stage.createContract('headers')
  const { origin } = new URL(shareUrl)
  const shared = ['/help', '/privacy', '/verify'].map((path) => `${origin}${path}`)
  for (const address of [shareUrl, `${shareUrl}x`, `${shareUrl}/report`, ...shared]) {
    const { headers } = await fetch(address)
    expectWithMessage(headers.get('content-security-policy'), address).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-robots-tag')).toBe('noindex')
  }
})
