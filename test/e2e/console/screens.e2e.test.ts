// Draws every mail and the pages of the API reference in the fonts of pictures, and checks the pictures that documents show. The pictures of all states are not in
// git: `npm run update -- screens` draws them into .cache/screens, and `npm run update -- images` draws those of docs/images.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { mailCatalogue } from '@paraph/notification/test/mail-catalogue-fixture'
import { openBrowser } from '../../harness/browser/browser.js'
import { drawn } from '../../harness/browser/catalogue.js'
import { probe } from '../../harness/browser/page-probe.js'
import { servePages, type PageServer } from '../../harness/browser/page-server.js'
import { drawPdfs, PDF_IMAGES, PDF_PICTURES } from '../../harness/browser/pdf-pictures.js'
import { drawImages, drawScreens, IMAGE_FILES, openPicture, widthOf } from '../../harness/browser/pictures.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const SCREENS = join(ROOT, '.cache/screens')
const IMAGES = join(ROOT, 'docs/images')
/** Renders text in greyscale, which is the same on every screen. */
const GREY_EDGES = ['--disable-lcd-text', '--font-render-hinting=none']

let pages: PageServer
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[pages, browser] = await Promise.all([servePages({ forPictures: true }), openBrowser(GREY_EDGES)])
  page = await browser.newPage({ reducedMotion: 'reduce' })
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

/** Empties a folder. @returns a function that writes a picture into it */
async function emptied(folder: string) {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  return (file: string, png: Buffer): Promise<void> => writeFile(join(folder, file), png)
}

/** The pages of people are in pages.e2e.test.ts, at more widths. */
const EVERY = [
  ...drawn
    .filter(({ sheet }) => sheet === 'home' || sheet === 'reference')
    .flatMap(({ name }) => (['en', 'fr'] as const).map((locale) => ({ name, locale }))),
  ...mailCatalogue.flatMap(({ name }) => [name, `${name}.txt`].map((part) => ({ name: part, locale: 'mail' }))),
]

describe.each(EVERY)('$name in $locale', ({ name, locale }) => {
  it('is drawn with its fonts and style sheets, narrow and wide, light and dark, and is never wider than the window [WCAG 1.4.10]', async () => {
    await openPicture(page, pages, { name, locale })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expectWithMessage((await probe(page)).sideways, `${colorScheme} at ${width} px`).toBe(0)
      }
    }
  })
})

const updates = (variable: string) => (process.env[variable] === '1' ? it : it.skip)

updates('UPDATE_SCREENS')(
  'draws every page, mail and PDF into .cache/screens',
  async () => {
    const keep = await emptied(SCREENS)
    await drawScreens(browser, pages, keep)
    await drawPdfs(PDF_PICTURES, keep)
  },
  1_800_000,
)

updates('UPDATE_IMAGES')('draws the pictures of docs/images', async () => {
  const keep = await emptied(IMAGES)
  await drawImages(browser, pages, keep)
  await drawPdfs(PDF_IMAGES, keep)
})

it('docs/images holds the pictures of documents and no other, sharp on a screen of two pixels to a CSS pixel', async () => {
  const files = await readdir(IMAGES)
  expect(files.toSorted()).toEqual([...IMAGE_FILES, ...PDF_IMAGES.map(({ file }) => file)].toSorted())
  const widths = await Promise.all(files.map(async (file) => ({ file, width: await widthOf(join(IMAGES, file)) })))
  expect(widths.filter(({ width }) => width < 2 * 390)).toEqual([])
})
