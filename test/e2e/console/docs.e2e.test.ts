// Checks the pages of the API reference in a real browser. docs-samples.e2e.test.ts runs their code samples.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { ALL_PATH, ENTRIES } from '@paraph/gateway/reference/contents'
import { HomePage } from '@paraph/gateway/home/home'
import { expectWithMessage } from '@paraph/testing/expect-with-message'
import { LANGUAGE_TAG, LOCALES } from '@paraph/web/locale'
import { renderPage } from '@paraph/web/page-answer'
import { pageHeaders } from '@paraph/web/security-headers'
import { openBrowser } from '../../harness/browser/browser.js'
import { findBarriers, listenForViolations, probe } from '../../harness/browser/page-probe.js'
import { joinStack, type SharedStack } from '../../harness/stack/shared-stack.js'

const DESKTOP = { width: 1280, height: 900 }
const PHONE = { width: 320, height: 800 }
/** The axe rules that depend on the text or colours, checked again for pages whose markup passed in another language. */
const TEXT_AND_COLOUR_RULES = [
  'color-contrast',
  'link-in-text-block',
  'heading-order',
  'landmark-unique',
  'target-size',
]

let running: SharedStack
let origin: string
let browser: Browser
beforeAll(async () => {
  running = await joinStack()
  origin = new URL(running.stack.apiUrl).origin
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await running?.close()
})

it('the reference offers the OpenAPI document as a file', async () => {
  const html = await (await fetch(`${origin}/docs`)).text()
  expect(html).toContain('href="/openapi.json" download="openapi.json"')
  expect(await (await fetch(`${origin}/openapi.json`)).json()).toMatchObject({ openapi: '3.1.0' })
})

const paths = ['/', ...ENTRIES.map(({ path }) => path), ALL_PATH, '/docs/nothing']

/** Opens a page in a new profile. `/` shows the home page of a production installation instead of the redirect of a local stack. */
async function openPage(options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await browser.newContext({ viewport: DESKTOP, ...options })
  const [, styleHref] = /<link rel="stylesheet" href="([^"]+)"/.exec(await (await fetch(`${origin}/docs`)).text())!
  await context.route(
    (url) => url.origin === origin && url.pathname === '/',
    (route) => {
      const locale = new URL(route.request().url()).searchParams.get('lang') === 'fr' ? 'fr' : 'en'
      const body = renderPage(HomePage({ locale, styleHref: styleHref!, version: '2.0.0' }))
      return route.fulfill({ body, headers: { ...pageHeaders(false), 'content-type': 'text/html; charset=utf-8' } })
    },
  )
  return context.newPage()
}

it('is accessible in both languages, light and dark, fits into 320 px, and loads nothing from other sites [WCAG 2.2 A and AA, CSP]', async () => {
  const page = await openPage({})
  await listenForViolations(page)
  const origins = new Set<string>()
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  for (const path of paths)
    for (const locale of LOCALES) {
      const where = `${path} in ${locale}`
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize(DESKTOP)
      const answer = await page.goto(`${origin}${path}?lang=${locale}`)
      expect(answer!.headers()['content-security-policy']).toBe(pageHeaders(false)['Content-Security-Policy'])
      const { headings, title, lang, violations } = await probe(page)
      expect([headings.length, title, lang]).toEqual([1, `${headings[0]} - Paraph`, LANGUAGE_TAG[locale]])
      expectWithMessage(await findBarriers(page, locale === 'en' ? undefined : TEXT_AND_COLOUR_RULES), where).toEqual(
        [],
      )
      if (locale === 'en') {
        await page.emulateMedia({ colorScheme: 'dark' })
        expectWithMessage(await findBarriers(page, ['color-contrast', 'link-in-text-block']), `${where}, dark`).toEqual(
          [],
        )
      }
      await page.setViewportSize(PHONE)
      const { sideways, smallTargets } = await probe(page)
      expectWithMessage([sideways, smallTargets, violations], where).toEqual([0, [], []])
    }
  expect([...origins]).toEqual([origin])
  await page.context().close()
})

it('works without scripts: the choice of a programming language, the contents on a phone, and French on later pages [CSP]', async () => {
  const page = await openPage({ javaScriptEnabled: false, viewport: PHONE })
  await page.goto(`${origin}/docs`)
  await page.getByText('Contents', { exact: true }).click()
  await page.getByRole('link', { name: 'POST /contracts', exact: true }).first().click()
  await page.getByRole('navigation', { name: 'Languages: Request' }).getByRole('link', { name: 'Python' }).click()
  await page.getByRole('region', { name: 'Request' }).getByText('import json').waitFor()
  await page.getByRole('link', { name: 'Français' }).click()
  await page.getByRole('heading', { level: 1, name: 'Créer un contrat' }).waitFor()
  await page.getByRole('region', { name: 'Requête' }).getByText('import json').waitFor()
  await page.goto(`${origin}/docs/polling`)
  await page.getByRole('heading', { level: 1, name: 'Interrogation' }).waitFor()
  expect(
    await page
      .getByRole('searchbox')
      .or(page.getByRole('button', { name: 'Copier' }))
      .count(),
  ).toBe(0)
  await page.context().close()
})

it('finds a field by the keyboard, opens the disclosure around it, and copies a sample [CSP]', async () => {
  const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  await listenForViolations(page)
  await page.goto(`${origin}/docs`)
  await page.getByRole('searchbox', { name: 'Search' }).fill('signedat')
  await page.getByRole('link', { name: 'contract.signatures[].signedAt' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/get-contract#response-contract-signatures-signedAt')
  await page.getByText('When the party signed.').waitFor()
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('curl -sS')
  expect((await probe(page)).violations).toEqual([])
  await page.context().close()
})
