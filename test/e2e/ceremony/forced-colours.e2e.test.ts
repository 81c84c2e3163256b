// Tick boxes and round choices where the system replaces the colours, as Windows high contrast does. [WCAG 1.3.1, 1.4.11]
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, it } from '@jest/globals'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { openBrowser } from '../../harness/browser/browser.js'
import { servePages, type PageServer } from '../../harness/browser/page-server.js'

let pages: PageServer
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[pages, browser] = await Promise.all([servePages(), openBrowser()])
  page = await browser.newPage({ forcedColors: 'active' })
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

/** The number of colours in the middle of a box: 1 if the box is empty. */
async function coloursInside(box: { x: number; y: number; width: number; height: number }): Promise<number> {
  // Within the edge of a round choice too.
  const inset = 7
  const clip = { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset }
  const png = await page.screenshot({ clip, animations: 'disabled' })
  // The page's own policy allows no picture from data, so another page counts.
  const counter = await browser.newPage()
  const count = await counter.evaluate<number>(`(async () => {
    const picture = await createImageBitmap(await (await fetch('data:image/png;base64,${png.toString('base64')}')).blob())
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    canvas.drawImage(picture, 0, 0)
    return new Set(new Uint32Array(canvas.getImageData(0, 0, picture.width, picture.height).data.buffer)).size
  })()`)
  await counter.close()
  return count
}

it.each([
  ['signing-06e-consent-error', 'the consent of the signature form'],
  ['signing-22-report', 'a reason of the report form'],
  ['console-02-application', 'a choice of the application form'],
])('an empty box shows no mark in forced colours, and a chosen one does: %s, %s', async (name) => {
  await page.goto(pages.urlOf(name, 'en'))
  const box = page.locator('.tick input').first()
  await box.uncheck().catch(() => undefined)
  await page.evaluate('document.activeElement.blur()')
  const inside = async () => coloursInside((await box.boundingBox())!)
  await box.scrollIntoViewIfNeeded()
  expectWithMessage(await inside(), 'colours in an empty box').toBe(1)
  await box.check()
  await page.evaluate('document.activeElement.blur()')
  expectWithMessage(await inside(), 'colours in a chosen box').toBeGreaterThan(1)
})
