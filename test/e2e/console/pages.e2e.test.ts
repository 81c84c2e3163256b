import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { LANGUAGE_TAG, type Locale } from '@paraph/web/locale'
import { openBrowser } from '../../harness/browser/browser.js'
import { catalogue } from '../../harness/browser/catalogue.js'
import { findBarriers, listenForViolations, probe } from '../../harness/browser/page-probe.js'
import { servePages, type PageServer } from '../../harness/browser/page-server.js'

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
/** A small phone; a window of 1280 px at a zoom of 200 %, and without zoom; a wide window. [WCAG 1.4.10, 1.4.4] */
const WIDTHS = [320, 640, 1280, 1440]
const BLACK = 'rgb(0, 0, 0)'
const WHITE = 'rgb(255, 255, 255)'
/** The colour of the labels for hidden characters, which are red in print too. */
const RED_LABEL = 'rgb(122, 26, 19)'
const NEARLY_BLACK = 'rgb(51, 51, 51)'

let pages: PageServer
let browser: Browser
let context: BrowserContext
let page: Page
beforeAll(async () => {
  ;[pages, browser] = await Promise.all([servePages(), openBrowser()])
  context = await browser.newContext({ viewport: DESKTOP })
  page = await context.newPage()
  await listenForViolations(page)
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

const everyState = catalogue.flatMap((entry) => (['en', 'fr'] as const).map((locale) => ({ ...entry, locale })))

/** Shows a page in light mode on a desktop. Loads the page only if the previous test used another page. */
async function open(name: string, locale: Locale): Promise<void> {
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await page.setViewportSize(DESKTOP)
  const url = pages.urlOf(name, locale)
  if (page.url() !== url) await page.goto(url)
}

describe.each(everyState)('$name in $locale', ({ name, locale, status, sheet }) => {
  it('has one h1, a title and a language, and loads only the page and its assets, which the CSP allows [CSP]', async () => {
    const requested: string[] = []
    const recordRequest = (request: { url(): string }) => requested.push(request.url())
    page.on('request', recordRequest)
    await open(name, locale)
    page.off('request', recordRequest)
    const { headings, title, lang, violations, focused } = await probe(page)
    expect(headings).toHaveLength(1)
    // A form that is shown again with what is wrong; not the pages that say why there is no form.
    const isError = status === 422 || /-(busy|other-browser|too-large)$/.test(name)
    const prefix = locale === 'en' ? 'Error: ' : 'Erreur\u00A0: '
    expect(title).toBe(`${isError ? prefix : ''}${headings[0]} - Paraph`)
    expect(lang).toBe(LANGUAGE_TAG[locale])
    expect(violations).toEqual([])
    expect(requested.filter((url) => !/\/assets\/|\/brand\/logo\//.test(url))).toEqual([pages.urlOf(name, locale)])
    // The error summary gets the focus without a script. [WCAG 3.3.1]
    if (isError) await page.locator('.error-summary:focus').waitFor()
    else expect(focused).not.toBe('error-summary')
  })

  it('is never wider than the window, and every click target is large enough [WCAG 1.4.10, 2.5.8]', async () => {
    await open(name, locale)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      const { sideways, smallTargets } = await probe(page)
      expectWithMessage(sideways, `at ${width} px`).toBe(0)
      expectWithMessage(smallTargets, `at ${width} px`).toEqual([])
    }
  })

  if (sheet === 'ceremony')
    it('is printed black on white, without forms and navigation [ceremony: print]', async () => {
      await open(name, locale)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      const { controls, paper, colours, headings, text } = await probe(page)
      expect(controls).toEqual([])
      expect(paper).toBe(WHITE)
      for (const colour of colours) expect([BLACK, NEARLY_BLACK, RED_LABEL]).toContain(colour)
      expect(text).toContain(headings[0])
    })

  // The last test of a page, because `findBarriers` opens every `<details>` element.
  it('has no accessibility violation, light or dark, wide or narrow [WCAG 2.2 A and AA, best practice]', async () => {
    await open(name, locale)
    expect(await findBarriers(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findBarriers(page, ['color-contrast', 'link-in-text-block'])).toEqual([])
    await page.setViewportSize(PHONE)
    expect(await findBarriers(page, ['target-size', 'scrollable-region-focusable'])).toEqual([])
  })
})

const READING = everyState.filter(({ name }) => /^signing-(05|06-|06e|07|08)/.test(name))

it.each(READING)(
  'the printed page $name in $locale contains the contract number and all parties [ceremony: print]',
  async ({ name, locale }) => {
    await open(name, locale)
    const shown = await page.locator('.line-name').allTextContents()
    await page.emulateMedia({ media: 'print' })
    const { text } = await probe(page)
    expect(text).toContain('EXT-20261120-7KQ4MXTA')
    expect(shown.length).toBeGreaterThan(2)
    for (const legalName of shown) expect(text).toContain(legalName)
  },
)

it('the printed review page contains the whole text, the line that marks its end, and its hash [ceremony: print]', async () => {
  await open('signing-05-reading', 'en')
  await page.emulateMedia({ media: 'print' })
  const { text } = await probe(page)
  for (const sentence of [
    'NON-DISCLOSURE AGREEMENT',
    'A change to it counts only if every party signs it.',
    '454 words',
  ])
    expect(text).toContain(sentence)
  expect(text).toMatch(/SHA-256 [0-9a-f]{8}( [0-9a-f]{8}){7}/)
  expect(text).not.toContain('Type your full legal name')
})

/** The number of colours in the middle of the consent box, as the browser draws it. */
async function coloursInBox(): Promise<number> {
  const png = (await page.locator('#consent').screenshot()).toString('base64')
  // The content security policy of the page would stop the data URL.
  const blank = await context.newPage()
  const colours = await blank.evaluate<number>(`(async () => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob())
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')
    canvas.drawImage(image, 0, 0)
    const middle = canvas.getImageData(image.width / 4, image.height / 4, image.width / 2, image.height / 2)
    return new Set(new Uint32Array(middle.data.buffer)).size
  })()`)
  await blank.close()
  return colours
}

it.each(['none', 'active'] as const)(
  'the consent box shows a tick only while it is ticked, with forced colours: %s [WCAG 1.3.1, 1.4.11]',
  async (forcedColors) => {
    await open('signing-05-reading', 'en')
    await page.emulateMedia({ forcedColors })
    const consent = page.locator('#consent')
    await consent.uncheck()
    expectWithMessage(await coloursInBox(), 'colours in the empty box').toBe(1)
    await consent.check()
    expectWithMessage(await coloursInBox(), 'colours in the ticked box').toBeGreaterThan(1)
    await page.emulateMedia({ forcedColors: 'none' })
  },
)
