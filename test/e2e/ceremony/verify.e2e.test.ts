// Anybody checks a signed PDF on a phone, without scripts and without a shell. [D68]
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from '@jest/globals'
import { deflateBomb, pdfWithAttachment } from '@paraph/signing/test/hostile-pdf-fixture'
import { follow, press } from '../../harness/browser/party.js'
import { useStage, type Stage } from '../../harness/browser/stage.js'
import {
  createSignable,
  download,
  SEALED_CONTENT,
  SEALED_PARTIES,
  signAll,
  untilSealed,
} from '../../harness/clients/sealed-contract.js'

let stage: Stage
useStage((opened) => (stage = opened))

let files: Awaited<ReturnType<typeof download>>
let number: string
beforeAll(async () => {
  const { running } = stage
  const body = { parties: SEALED_PARTIES, content: SEALED_CONTENT, senderName: 'Nordic Foods procurement' }
  const contract = await createSignable(running, running.stack.liveKey, body)
  number = contract.contractNumber
  const visitor = (await signAll(running, contract.shareUrl, SEALED_PARTIES)).get('jane@sealed.test')!
  const { body: lastPage } = await untilSealed(visitor, contract.shareUrl)
  expect(lastPage).toContain('href="/verify">Check this document</a>')
  files = await download(visitor, contract.shareUrl)
}, 120_000)

const openSmallPhone = (locale = 'en-GB'): Promise<Page> =>
  stage.openPage({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false, locale })
const heading = (page: Page): Promise<string> => page.locator('h1').innerText()

async function check(page: Page, name: string, buffer: Buffer, button = 'Check the document'): Promise<number> {
  await page.goto(new URL('/verify', stage.running.stack.shareUrl).href)
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  return press(page, button)
}

it('from the help page: the signed PDF and the evidence alone get their answer in words, in both languages', async () => {
  const page = await openSmallPhone()
  await page.goto(new URL('/help', stage.running.stack.shareUrl).href)
  await follow(page, () => page.getByRole('link', { name: 'Check a signed document' }).click())
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'copy.pdf', mimeType: 'application/pdf', buffer: files['copy.pdf'] })
  expect(await press(page, 'Check the document')).toBe(200)
  expect(await heading(page)).toBe('Signed by 3 people; the text is unchanged; sealed by this server’s key')
  expect(await page.locator('main').innerText()).toContain(number)
  expect(await page.getByText('Not in order').count()).toBe(0)
  expect(await check(page, 'evidence.jws', files['evidence.jws'])).toBe(200)
  expect(await heading(page)).toBe('Signed by 3 people; the evidence is unchanged; signed by this server’s key')
  const french = await openSmallPhone('fr-CA')
  expect(await check(french, 'copy.pdf', files['copy.pdf'], 'Vérifier le document')).toBe(200)
  expect(await heading(french)).toBe('Signé par 3 personnes; le texte est inchangé; scellé par la clé de ce serveur')
})

it('a changed PDF, another file, no file, a bomb and a file that is too large get the words that fit', async () => {
  const page = await openSmallPhone()
  const changed = Buffer.from(files['copy.pdf'])
  changed[changed.indexOf('%%EOF')]! ^= 1
  expect(await check(page, 'copy.pdf', changed)).toBe(200)
  expect(await heading(page)).toBe('This PDF is not as it was sealed')
  expect(await check(page, 'contract.txt', files['contract.txt'])).toBe(200)
  expect(await heading(page)).toBe('This is not a signed document from Paraph')
  await page.goto(new URL('/verify', stage.running.stack.shareUrl).href)
  expect(await press(page, 'Check the document')).toBe(422)
  expect(await page.locator('.error-summary').innerText()).toContain('Choose a file')
  expect(await check(page, 'bomb.pdf', pdfWithAttachment(deflateBomb(1_100)))).toBe(422)
  expect(await page.locator('.error-summary').innerText()).toContain('Treat this file as not checked')
  expect(await check(page, 'long.pdf', Buffer.alloc(32_000_000))).toBe(413)
  expect(await page.locator('.error-summary').innerText()).toContain('more than 30')
})
