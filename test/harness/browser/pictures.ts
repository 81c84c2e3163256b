// The pictures of pages and mails: every page in every state, and the few pictures that documents show.
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { mailCatalogue } from '@paraph/notification/test/mail-catalogue-fixture'
import { drawn } from './catalogue.js'
import type { PageServer } from './page-server.js'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 780 }

/** The variants of each page. `view` is the end of the file name; the other fields are browser options. */
const VIEWS = [
  { view: 'desktop', locale: 'en', size: DESKTOP, colorScheme: 'light' },
  { view: 'desktop-dark', locale: 'en', size: DESKTOP, colorScheme: 'dark' },
  { view: 'phone', locale: 'en', size: PHONE, colorScheme: 'light' },
  { view: 'phone-dark', locale: 'en', size: PHONE, colorScheme: 'dark' },
  { view: 'phone-french', locale: 'fr', size: PHONE, colorScheme: 'light' },
] as const

/** The variants of each mail: the HTML part on a wide screen and on a phone, and the text part. */
const MAIL_VIEWS = [
  { view: '', path: '', size: { width: 600, height: 400 } },
  { view: '-phone', path: '', size: { width: 390, height: 400 } },
  { view: '-text', path: '.txt', size: { width: 780, height: 400 } },
] as const

export interface Picture {
  file: string
  /** Of the page server, for `urlOf`. */
  name: string
  locale: string
  size: { width: number; height: number }
  colorScheme: 'light' | 'dark'
}

export const PICTURES: readonly Picture[] = [
  ...VIEWS.flatMap(({ view, ...options }) =>
    drawn.map(({ name }) => ({ ...options, name, file: `${name}-${view}.png` })),
  ),
  ...mailCatalogue.flatMap(({ name }) =>
    MAIL_VIEWS.map(({ view, path, size }) => ({
      size,
      colorScheme: 'light' as const,
      name: `${name}${path}`,
      locale: 'mail',
      file: `${name}${view}.png`,
    })),
  ),
]

/** The pictures of docs/images: file → height in CSS pixels if the picture shows only the top of the page. */
const IMAGES: Readonly<Record<string, number | undefined>> = {
  'signing-01-open-phone.png': undefined,
  'signing-02-code-phone-french.png': undefined,
  'signing-05h-hidden-characters-desktop.png': 1_560,
  'signing-07-signed-waiting-phone.png': undefined,
  'console-05-overview-desktop.png': 1_100,
  'console-11-contract-desktop.png': 1_100,
  'docs-01-reference-desktop.png': 1_100,
  'mail-01-invitation-english.png': undefined,
}
/** Two phones side by side: a party who is about to sign, and who has signed. `end`: the element at the lower edge of the phone. */
const HERO = [
  { file: 'signing-06-consent-phone.png', end: '.button-big' },
  { file: 'signing-07-signed-waiting-phone.png', end: 'h1' },
] as const
const HERO_HEIGHT = 844
export const IMAGE_FILES = ['hero.png', ...Object.keys(IMAGES)]

/** Opens a page or a mail of the server. @throws Error if it has another status or lacks a style sheet or a font */
export async function openPicture(page: Page, pages: PageServer, { name, locale }: Pick<Picture, 'name' | 'locale'>) {
  const failed: string[] = []
  page.removeAllListeners('response')
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'document' && !response.ok()) failed.push(response.url())
  })
  const response = await page.goto(pages.urlOf(name, locale))
  const expected = drawn.find((entry) => entry.name === name)?.status ?? 200
  if (response?.status() !== expected) throw new Error(`${name} has the status ${response?.status()}, not ${expected}`)
  const fonts = await page.evaluate<string[]>(
    "document.fonts.ready.then((fonts) => [...fonts].filter(({ status }) => status !== 'unloaded').map(({ family, status }) => `${family} ${status}`))",
  )
  failed.push(...fonts.filter((font) => !font.endsWith(' loaded')))
  if (fonts.length === 0) failed.push('every font')
  if (failed.length > 0) throw new Error(`${name} did not load ${failed.join(', ')}`)
}

/** @param height of the picture; without it the whole page */
async function draw(page: Page, pages: PageServer, picture: Picture, height?: number): Promise<Buffer> {
  await page.setViewportSize({ ...picture.size, height: height ?? picture.size.height })
  await page.emulateMedia({ colorScheme: picture.colorScheme })
  await openPicture(page, pages, picture)
  return page.screenshot({ fullPage: height === undefined, caret: 'hide', animations: 'disabled' })
}

/** Draws every picture at one pixel to a CSS pixel and passes it to `keep`. */
export async function drawScreens(
  browser: Browser,
  pages: PageServer,
  keep: (file: string, png: Buffer) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  for (const picture of PICTURES) await keep(picture.file, await draw(page, pages, picture))
}

/** Draws the pictures of docs/images at two pixels to a CSS pixel and passes them to `keep`. */
export async function drawImages(
  browser: Browser,
  pages: PageServer,
  keep: (file: string, png: Buffer) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage({ reducedMotion: 'reduce', deviceScaleFactor: 2 })
  const pictureOf = (file: string): Picture => PICTURES.find((picture) => picture.file === file)!
  for (const [file, height] of Object.entries(IMAGES))
    await keep(file, await draw(page, pages, pictureOf(file), height))
  const phones: Buffer[] = []
  for (const { file, end } of HERO) {
    await draw(page, pages, pictureOf(file), HERO_HEIGHT)
    const element = `document.querySelector('${end}')`
    await page.evaluate(`${element}.style.scrollMarginBottom = '24px', ${element}.scrollIntoView({ block: 'end' })`)
    phones.push(await page.screenshot({ caret: 'hide' }))
  }
  await keep('hero.png', await sideBySide(page, phones))
}

async function sideBySide(page: Page, phones: readonly Buffer[]): Promise<Buffer> {
  const images = phones.map((png) => `<img src="data:image/png;base64,${png.toString('base64')}">`)
  await page.setViewportSize({ width: 2 * PHONE.width + 3 * 48, height: HERO_HEIGHT + 2 * 48 })
  // The content security policy of a page would stop the data URLs.
  await page.goto('about:blank')
  await page.setContent(`<style>
    body { display: flex; gap: 48px; margin: 0; padding: 48px; background: #ecefea }
    img { width: ${PHONE.width}px; height: ${HERO_HEIGHT}px; border-radius: 24px; box-shadow: 0 8px 32px #15181b29 }
  </style>${images.join('')}`)
  return page.screenshot()
}

/** The width of a PNG in pixels. [PNG, RFC 2083] */
export const widthOf = async (file: string): Promise<number> => (await readFile(file)).readUInt32BE(16)
