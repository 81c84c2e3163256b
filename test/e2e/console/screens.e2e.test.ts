// Pictures of every page, state and mail, and of the sealed PDF. Checks that no picture is missing or unused.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from '@jest/globals'
import { mailCatalogue } from '@paraph/notification/test/mail-catalogue-fixture'
import { openBrowser } from '../../harness/browser/browser.js'
import { drawn } from '../../harness/browser/catalogue.js'
import { toPalettePng } from '../../harness/browser/palette-png.js'
import { drawPdfs, PDF_PICTURES } from '../../harness/browser/pdf-pictures.js'
import { servePages, type PageServer } from '../../harness/browser/page-server.js'

/** SCREENS_FOLDER selects another folder, for a comparison with the committed pictures. */
const FOLDER = process.env['SCREENS_FOLDER'] ?? fileURLToPath(new URL('../../../docs/screens/', import.meta.url))
/** Renders text in greyscale, which needs fewer colours than subpixel rendering and is the same on every screen. */
const GREY_EDGES = ['--disable-lcd-text', '--font-render-hinting=none']
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

/** True for all pages in light mode, and for the main states in dark mode, where axe checks all pages anyway. */
const isDrawn = (name: string, colorScheme: string): boolean =>
  colorScheme === 'light' || /^(signing|console|docs|home)-\d+-/.test(name)

/** The variants of each mail: the HTML part on a wide screen and on a phone, and the text part. */
const MAIL_VIEWS = [
  { view: '', path: '', size: { width: 600, height: 400 } },
  { view: '-phone', path: '', size: { width: 390, height: 400 } },
  { view: '-text', path: '.txt', size: { width: 780, height: 400 } },
] as const

interface Picture {
  file: string
  url: (pages: PageServer) => string
  size: { width: number; height: number }
  colorScheme: 'light' | 'dark'
}

const PICTURES: readonly Picture[] = [
  ...VIEWS.flatMap(({ view, locale, size, colorScheme }) =>
    drawn
      .filter(({ name }) => isDrawn(name, colorScheme))
      .map(({ name }) => ({
        size,
        colorScheme,
        file: `${name}-${view}.png`,
        url: (pages: PageServer) => pages.urlOf(name, locale),
      })),
  ),
  ...mailCatalogue.flatMap(({ name }) =>
    MAIL_VIEWS.map(({ view, path, size }) => ({
      size,
      colorScheme: 'light' as const,
      file: `${name}${view}.png`,
      url: (pages: PageServer) => pages.urlOf(`${name}${path}`, 'mail'),
    })),
  ),
]

/** Deletes FOLDER and draws all pictures into it. */
async function drawAll(): Promise<void> {
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  const [pages, browser] = await Promise.all([servePages({ forPictures: true }), openBrowser(GREY_EDGES)])
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  for (const { file, url, size, colorScheme } of PICTURES) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    await page.goto(url(pages))
    const png = await page.screenshot({ fullPage: true, caret: 'hide', animations: 'disabled' })
    await writeFile(join(FOLDER, file), toPalettePng(png))
  }
  await browser.close()
  await pages.close()
  await drawPdfs((file, png) => writeFile(join(FOLDER, file), toPalettePng(png)))
}

it('every page has a picture in every state; `npm run update -- screens` draws them [docs/screens]', async () => {
  if (process.env['UPDATE_SCREENS'] === '1') await drawAll()
  expect((await readdir(FOLDER)).toSorted()).toEqual([...PICTURES, ...PDF_PICTURES].map(({ file }) => file).toSorted())
})
